"""Has verifications replayed anew whose ends are doubted: failures decided by one attempt, and champions.

The items concerned are pending meanwhile, and are judged by the new replay. Each verification has its own
transaction, so an interrupted run is continued by the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef

from leaderboard.actors import REVERIFY
from leaderboard.models import FormerVerdict, SubmissionItem
from leaderboard.services import portable
from leaderboard.services.reopening import INFRASTRUCTURE, reopen
from leaderboard.services.submissions import needed_metrics
from optarena.specs import environment_specs
from runner import services as runner
from runner.models import Verification, VerificationEvent
from runner.states import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from leaderboard.models import Board

Verdict = SubmissionItem.Verdict
_OF_THE_USER: Final = "user:"
_ATTEMPTS: Final = 2
"""The attempts of a failure that counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubted:
    """A verification whose end is doubted.

    Attributes:
        verification_id: Its id.
        uri: The URI of its benchmark.
        end: Its reason id, or ``recorded``.
    """

    verification_id: uuid.UUID
    uri: str
    end: str


def doubted_failures(*, before: datetime | None) -> list[Doubted]:
    """The failures that are not the infrastructure's and that a repetition can change, oldest first.

    Args:
        before: Those that ended before this time; None for those that were not repeated before they counted,
            and that this module has not had replayed yet.
    """
    failed = _countable(before).filter(state=State.FAILED)
    failed = failed.exclude(reason__startswith=INFRASTRUCTURE).exclude(reason__startswith=_OF_THE_USER)
    if before is None:
        failed = failed.alias(number=Count("attempts")).filter(number__lt=_ATTEMPTS)
    return [_doubted(row) for row in failed.order_by("finished_at", "pk").only(*_SHOWN)]


def doubted_champions(*, boards: Iterable[Board], before: datetime | None) -> list[Doubted]:
    """The verifications behind the best verified item of each benchmark of these boards.

    An item that is pending because its replay is repeated is still the best, if it was.
    """
    recorded = _countable(before).filter(pk__in=champions(boards))
    return [_doubted(row) for row in recorded.order_by("finished_at", "pk").only(*_SHOWN)]


_SHOWN: Final = ("pk", "benchmark_uri", "reason", "state")


def _countable(before: datetime | None) -> QuerySet[Verification]:
    """The ended rows that count and can be replayed by this installation."""
    digests = {spec.digest for spec in environment_specs()}
    rows = Verification.objects.filter(
        environment_digest__in=digests, superseded_at__isnull=True, finished_at__isnull=False
    )
    if before is not None:
        return rows.filter(finished_at__lt=before)
    own = VerificationEvent.objects.filter(verification=OuterRef("pk"), seq=1, actor=REVERIFY)
    return rows.exclude(Exists(own))


def _doubted(row: Verification) -> Doubted:
    return Doubted(verification_id=row.pk, uri=row.benchmark_uri, end=row.reason or row.state)


def champions(boards: Iterable[Board]) -> set[uuid.UUID]:
    """The verification of the best verified item of each benchmark of these boards."""
    return {verification for board in boards for verification in _champions(board)}


def _champions(board: Board) -> list[uuid.UUID]:
    items = SubmissionItem.objects.filter(submission__board=board)
    best = (
        items.filter(verdict=Verdict.VERIFIED, verification__isnull=False)
        .order_by("benchmark_uri", "-ratio", "decided_at", "pk")
        .distinct("benchmark_uri")
    )
    reopened = FormerVerdict.objects.filter(
        item__in=items.filter(verdict=Verdict.PENDING), verdict=Verdict.VERIFIED
    )
    waiting = dict(reopened.order_by().values_list("item__benchmark_uri").annotate(best=Max("ratio")))
    return [
        verification
        for uri, ratio, verification in best.values_list("benchmark_uri", "ratio", "verification")
        if verification is not None and ratio is not None and ratio > waiting.get(uri, 0.0)
    ]


@transaction.atomic
def reverify(doubted: Doubted) -> int:
    """Have a verification's work replayed anew, if somebody needs it, and make its items pending.

    Portable entries that it counts for are scored again by the new replay. Without items and such entries,
    its end is only superseded: whoever submits the same gets a new replay.

    Returns:
        How many items are pending.

    Raises:
        EnvironmentChangedError: This installation has another version of the environment.
    """
    superseded = runner.supersede(verification_id=doubted.verification_id, actor=REVERIFY)
    items = _undecided(SubmissionItem.objects.filter(verification__in=superseded))
    metrics = portable.metrics_of(verifications=superseded)
    for item in items.select_related("submission__board").only("claims", "submission__board"):
        metrics |= needed_metrics(item.submission.board, item.claims)
    if not metrics:
        return 0
    made = runner.replay_anew(verification_id=doubted.verification_id, metrics=metrics, actor=REVERIFY)
    portable.reopen(verifications=superseded, replay=made)
    return reopen(items=items, verification=made, actor=REVERIFY)


def _undecided(items: QuerySet[SubmissionItem]) -> QuerySet[SubmissionItem]:
    """Those that a replay decides: a withdrawal and a reviewer's refusal stay."""
    kept = items.exclude(verdict=Verdict.WITHDRAWN)
    return kept.exclude(verdict=Verdict.FAILED, reviewed=True)
