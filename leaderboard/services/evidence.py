"""Replays that nobody asked for: of unclear ranks, after a change of machines, and of some items each day."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog
from django.conf import settings
from django.db.models import Count, Exists, Max, OuterRef, Q
from django.db.models.functions import Coalesce

from leaderboard.models import Board, SubmissionItem
from leaderboard.selectors.standings import board_intervals
from leaderboard.services.repetitions import ROUNDS, blocks_of_next
from leaderboard.services.reverification import champions
from leaderboard.services.validation import is_current
from optarena.limits import MAX_REPETITIONS
from optarena.specs import environment_specs
from runner import conf
from runner import services as runner
from runner.errors import RepetitionRefusedError
from runner.models import Verification, VerificationEvent
from runner.selectors import lives_on_present_machines
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from django.db.models import QuerySet

Verdict = SubmissionItem.Verdict
CLEARING: Final = "unclear rank"
DAILY: Final = "daily repetition"
CHANGED: Final = "change of machines"
"""Who asks for a repetition, for the log."""
_DAY: Final = timedelta(days=1)
_LOOK_SECONDS: Final = 3600.0
_A_PASS: Final = 100
"""So many repetitions are requested by one pass for unclear ranks; the next pass goes on."""
_TRIES: Final = 2
"""Repetitions that may fail without counting, before no further one is requested for an unclear rank."""
_log = structlog.get_logger(__name__)


def clear_ranks() -> int:
    """Measure the items of entries once more whose ranks are not clear, up to ``ROUNDS`` times each.

    Returns:
        How many repetitions were requested.
    """
    boards = Board.objects.filter(exact=False, provisional=False).select_related("environment_version")
    wanted: list[uuid.UUID] = []
    for board in boards:
        if is_current(board):
            unclear = [pk for pk, (low, high) in board_intervals(board).items() if low < high]
            wanted.extend(_measured_least(unclear))
    return repeat(wanted[:_A_PASS], actor=CLEARING)


def _measured_least(submissions: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """The verifications of these entries that were not measured often enough, and are not being measured."""
    used = SubmissionItem.objects.filter(submission__in=submissions, verdict=Verdict.VERIFIED)
    more = Count("repetitions", filter=Q(repetitions__state=State.RECORDED))
    rows = (
        _repeatable(
            _countable().filter(pk__in=used.order_by().values("verification")), len(ROUNDS) - 1 + _TRIES
        )
        .annotate(more=more)
        .filter(more__lt=len(ROUNDS) - 1)
    )
    return list(rows.order_by("more", "pk").values_list("pk", flat=True)[:_A_PASS])


def repeat_daily(*, now: datetime) -> int:
    """Once a day, replay the champions with the oldest evidence once more, and as many others by chance.

    ``OPTARENA_REPEAT_DAILY`` says how many in all; 0 is none.

    Returns:
        How many repetitions were requested.
    """
    number: int = settings.OPTARENA_REPEAT_DAILY
    recent = Verification.objects.filter(repeats__isnull=False, created_at__gt=now - _DAY)
    done = VerificationEvent.objects.filter(verification__in=recent, seq=1, actor=DAILY)
    if not number or done.exists():
        return 0
    half = (number + 1) // 2
    chosen = oldest_evidence(champions(_open_boards()), number=half, before=now - _DAY)
    others = sample(number - len(chosen), besides=chosen, before=now - _DAY)
    return repeat([*chosen, *others], actor=DAILY)


def repeat_after_change() -> int:
    """Measure verified items once more that no machine like those at work now has measured.

    So the rows of a measured board are comparable after a runner was replaced, or its kernel or driver. The
    next pass goes on where there are many.

    Returns:
        How many repetitions were requested.
    """
    boards: dict[str, list[Board]] = {}
    for board in _open_boards():
        if not board.exact:
            boards.setdefault(conf.hardware_class(board.device), []).append(board)
    wanted: list[uuid.UUID] = []
    for name, compared in boards.items():
        lives = lives_on_present_machines(name)
        if lives:
            wanted.extend(_measured_elsewhere(compared, lives))
    return repeat(wanted[:_A_PASS], actor=CHANGED)


def _measured_elsewhere(boards: Collection[Board], lives: Collection[int]) -> list[uuid.UUID]:
    used = SubmissionItem.objects.filter(
        verification=OuterRef("pk"), submission__board__in=boards, verdict=Verdict.VERIFIED
    )
    here = Q(repetitions__state=State.RECORDED, repetitions__runner__in=lives)
    rows = _repeatable(_countable().filter(Exists(used)).exclude(runner__in=lives), MAX_REPETITIONS)
    rows = rows.annotate(here=Count("repetitions", filter=here)).filter(here=0)
    # What was tried in vain comes last: it may fill a pass.
    return list(rows.order_by("tried", "finished_at", "pk").values_list("pk", flat=True)[:_A_PASS])


class HourlyEvidence:
    """Looks for old evidence, and for evidence of other machines, once an hour: finding it takes long."""

    def __init__(self) -> None:
        self._next = 0.0

    def look(self, *, now: datetime) -> int:
        """How many repetitions were requested."""
        if time.monotonic() < self._next:
            return 0
        self._next = time.monotonic() + _LOOK_SECONDS
        return repeat_daily(now=now) + repeat_after_change()


def _open_boards() -> list[Board]:
    boards = Board.objects.select_related("environment_version").order_by("slug")
    return [board for board in boards if is_current(board)]


def oldest_evidence(
    verifications: Collection[uuid.UUID], *, number: int, before: datetime
) -> list[uuid.UUID]:
    """Those of some verifications that were replayed last before a time, and longest ago."""
    last = Coalesce(Max("repetitions__finished_at"), "finished_at")
    rows = _repeatable(_countable().filter(pk__in=verifications), MAX_REPETITIONS).annotate(last=last)
    old = rows.filter(last__lt=before).order_by("last", "pk")
    return list(old.values_list("pk", flat=True)[:number])


def sample(
    number: int, *, besides: Collection[uuid.UUID] = (), before: datetime | None = None
) -> list[uuid.UUID]:
    """Verifications of verified items, by chance: their ids are random, so those after a random one are.

    Args:
        number: How many, if there are so many.
        besides: Verifications that are not chosen.
        before: Only those that were recorded before this time.
    """
    used = SubmissionItem.objects.filter(verification=OuterRef("pk"), verdict=Verdict.VERIFIED)
    rows = _countable().exclude(pk__in=besides).filter(Exists(used)).order_by("pk")
    rows = rows if before is None else rows.filter(finished_at__lt=before)
    start = uuid.uuid4()
    after = list(rows.filter(pk__gte=start).values_list("pk", flat=True)[:number])
    return after + list(rows.filter(pk__lt=start).values_list("pk", flat=True)[: number - len(after)])


def rows_of(board: Board) -> list[uuid.UUID]:
    """The verifications of all verified items of a board."""
    used = SubmissionItem.objects.filter(
        verification=OuterRef("pk"), submission__board=board, verdict=Verdict.VERIFIED
    )
    return list(_countable().filter(Exists(used)).order_by("pk").values_list("pk", flat=True))


def repeat(verifications: Iterable[uuid.UUID], *, actor: str) -> int:
    """Request a repetition of each; those that cannot be repeated now are passed over.

    Returns:
        How many were requested.
    """
    number = 0
    for one in verifications:
        rounds = 1 + Verification.objects.filter(repeats=one, state=State.RECORDED).count()
        try:
            runner.request_repetition(verification_id=one, actor=actor, blocks=blocks_of_next(rounds))
        except RepetitionRefusedError as error:
            _log.info("not repeated", verification=str(one), why=str(error))
        else:
            number += 1
    return number


def _countable() -> QuerySet[Verification]:
    """The rows that count, and that this installation can replay."""
    return Verification.objects.filter(
        state=State.RECORDED,
        superseded_at__isnull=True,
        repeats__isnull=True,
        environment_digest__in={spec.digest for spec in environment_specs()},
    )


def _repeatable(rows: QuerySet[Verification], most: int) -> QuerySet[Verification]:
    """Those that are not being repeated and were repeated less often than that, with the number ``tried``."""
    unfinished = Count("repetitions", filter=Q(repetitions__finished_at__isnull=True))
    counted = rows.annotate(tried=Count("repetitions"), unfinished=unfinished)
    return counted.filter(tried__lt=most, unfinished=0)
