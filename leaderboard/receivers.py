"""Receivers of signals of the runner and of accounts: the only way in which they report upwards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.dispatch import receiver

from leaderboard.accounts.services import account_deleted
from leaderboard.data.services import NightlyExport
from leaderboard.portable import drawing
from leaderboard.portable import services as portable_services
from leaderboard.puzzles.services import DailyPuzzle
from leaderboard.submissions import replay_again, verdicts
from leaderboard.submissions import services as submission_services
from runner.models import Verification
from runner.queue.transitions import swept, verifications_finished


@receiver(verifications_finished, dispatch_uid="leaderboard.settle")
def settle_items(verifications: Sequence[Verification], **_: object) -> None:
    """Derive the verdicts that these verifications decide, inside their own transaction."""
    verdicts.decide_ended_items(verifications=verifications)
    replay_again.apply_repetitions(verifications=verifications)
    portable_services.score_ended_entries(verifications=verifications)


# The first one of a round takes as long as measuring its programs does, the others a moment.
_DRAWN_AT_ONCE: Final = 20
_hourly: Final = replay_again.HourlyEvidence()


@receiver(swept, dispatch_uid="leaderboard.evidence")
def gather_evidence(now: datetime, **_: object) -> None:
    """Measure again where ranks are unclear, and once an hour what has old or foreign evidence."""
    replay_again.clear_ranks()
    _hourly.look(now=now)


@receiver(swept, dispatch_uid="leaderboard.minimise")
def minimise(**_: object) -> None:
    """Have the best results and the records minimised that are not yet."""
    submission_services.minimise_bests()


@receiver(swept, dispatch_uid="leaderboard.portable")
def draw_programs(**_others: object) -> None:
    """Request the replays of some sealed entries whose round has ended; the next pass goes on."""
    for _ in range(_DRAWN_AT_ONCE):
        if drawing.draw_next() is None:
            break


_nightly: Final = NightlyExport()


@receiver(swept, dispatch_uid="leaderboard.data")
def export_data(**_: object) -> None:
    """Write the next release of step data once a day."""
    _nightly.look()


_puzzle: Final = DailyPuzzle()


@receiver(swept, dispatch_uid="leaderboard.puzzle")
def make_puzzle(now: datetime, **_: object) -> None:
    """Publish the day's puzzle when its day begins, and draw the next one."""
    _puzzle.look(now=now)


@receiver(account_deleted, dispatch_uid="leaderboard.anonymise")
def anonymise(user: User, former_name: str, **_: object) -> None:
    """Remove what the owner of a deleted account wrote beside the results."""
    submission_services.anonymise(user=user, former_name=former_name)
    portable_services.withdraw_sealed(owner=user)
