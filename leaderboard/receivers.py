"""Receivers of the runner's signals: the only way in which a lower layer reports upwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.dispatch import receiver

from leaderboard.services import verdicts
from runner.signals import verifications_finished

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runner.models import Verification


@receiver(verifications_finished, dispatch_uid="leaderboard.settle")
def settle_items(
    verifications: Sequence[Verification],
    **kwargs: Any,  # noqa: ANN401, ARG001 - a receiver takes whatever the signal sends
) -> None:
    """Derive the verdicts that waited for these verifications, inside their own transaction."""
    verdicts.settle(verifications=verifications)
