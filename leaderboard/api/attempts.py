"""The attempts of a verification as the API tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from runner.models import VerificationAttempt  # noqa: TC001 - drf-spectacular evaluates the hints
from runner.states import AttemptDecision

if TYPE_CHECKING:
    _Serializer = serializers.Serializer[VerificationAttempt]
else:
    _Serializer = serializers.Serializer


class AttemptSerializer(_Serializer):
    """An attempt that did not record a result: why, what followed, and how it ran.

    A failure that is suspected to be the submission's is repeated (``confirm``). It is final (``fail``) only
    if it repeats; otherwise the replay is queued again (``give-back``). For those who may not read the
    actions, ``detail`` is empty and ``failed_step`` is null.
    """

    number = serializers.IntegerField()
    decision = serializers.ChoiceField(
        [one for one in AttemptDecision.values if one != AttemptDecision.RECORD]
    )
    reason = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    failed_step = serializers.IntegerField(allow_null=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    evidence = serializers.SerializerMethodField()

    def get_evidence(self, attempt: VerificationAttempt) -> dict[str, Any]:
        """How it ran, as the worker tells it; empty if that is not an object."""
        return attempt.evidence if isinstance(attempt.evidence, dict) else {}
