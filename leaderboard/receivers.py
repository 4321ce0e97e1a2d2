"""Receivers of signals of the runner and of accounts: the only way in which they report upwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.dispatch import receiver

from leaderboard.accounts.signals import account_deleted
from leaderboard.services import anonymising, evidence, portable, repetitions, studies, verdicts
from runner.signals import swept, verifications_finished

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.contrib.auth.models import User

    from runner.models import Verification


@receiver(verifications_finished, dispatch_uid="leaderboard.settle")
def settle_items(
    verifications: Sequence[Verification],
    **kwargs: Any,  # noqa: ANN401, ARG001 - a receiver takes whatever the signal sends
) -> None:
    """Derive the verdicts that these verifications decide, inside their own transaction."""
    verdicts.settle(verifications=verifications)
    repetitions.take_in(verifications=verifications)
    portable.settle(verifications=verifications)


_hourly: Final = evidence.HourlyEvidence()


@receiver(swept, dispatch_uid="leaderboard.evidence")
def gather_evidence(
    now: datetime,
    **kwargs: Any,  # noqa: ANN401, ARG001 - as above
) -> None:
    """Measure again where ranks are unclear, and once an hour what has old or foreign evidence."""
    evidence.clear_ranks()
    _hourly.look(now=now)


@receiver(swept, dispatch_uid="leaderboard.minimise")
def minimise(
    **kwargs: Any,  # noqa: ANN401, ARG001 - as above
) -> None:
    """Have the best results and the records minimised that are not yet."""
    studies.minimise_bests()


@receiver(swept, dispatch_uid="leaderboard.portable")
def draw_programs(
    **kwargs: Any,  # noqa: ANN401, ARG001 - as above
) -> None:
    """Draw the programs of one sealed entry; the next pass goes on."""
    portable.draw_next()


@receiver(account_deleted, dispatch_uid="leaderboard.anonymise")
def anonymise(
    user: User,
    former_name: str,
    **kwargs: Any,  # noqa: ANN401, ARG001 - as above
) -> None:
    """Remove what the owner of a deleted account wrote beside the results."""
    anonymising.anonymise(user=user, former_name=former_name)
