"""The attempts of a verification as the API tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework import serializers

from runner.states import AttemptDecision

if TYPE_CHECKING:
    from runner.models import VerificationAttempt

    _Serializer = serializers.Serializer[VerificationAttempt]
else:
    _Serializer = serializers.Serializer


class AttemptSerializer(_Serializer):
    """An attempt that did not record a result: why, what followed, and how it ran.

    A failure that is suspected to be the submission's is repeated (``confirm``). It is final (``fail``) only
    if it repeats; otherwise the replay is queued again (``give-back``).
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
    evidence = serializers.DictField()
