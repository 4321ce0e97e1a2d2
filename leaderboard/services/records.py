"""Notes results that are better than all before on their board, in the transaction that verifies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Max

from leaderboard.models import BoardRecord, SubmissionItem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

Verdict = SubmissionItem.Verdict
_BATCH: Final = 500


def note(*, items: Iterable[SubmissionItem]) -> None:
    """Store the records among items that were just verified, whose board's lock the caller holds.

    Only a find can be a record: a copy of measured results is better by noise alone. For the same reason a
    measured ratio must exceed the best by the lower end of its confidence interval.
    """
    finds = [item for item in items if item.verdict == Verdict.VERIFIED and item.own]
    finds.sort(key=lambda item: (_decided(item), item.pk))
    best = _best(finds)
    made: dict[int, BoardRecord] = {}
    for item in finds:
        place = item.submission.board_id, item.benchmark_uri
        former = best.get(place)
        if item.ratio is None or (former is not None and _surely(item) <= former):
            continue
        best[place] = item.ratio
        made[item.pk] = BoardRecord(
            board_id=place[0],
            item=item,
            benchmark_uri=item.benchmark_uri,
            ratio=item.ratio,
            former_ratio=former,
            at=_decided(item),
        )
    if made:
        BoardRecord.objects.bulk_create(
            made.values(),
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=["item"],
            update_fields=["ratio"],
        )


def _best(finds: Iterable[SubmissionItem]) -> dict[tuple[int, str], float]:
    """The best ratio of every benchmark of the boards that still stands, of other items than these."""
    items = list(finds)
    if not items:
        return {}
    standing = BoardRecord.objects.filter(
        board__in={item.submission.board_id for item in items},
        benchmark_uri__in={item.benchmark_uri for item in items},
        item__verdict=Verdict.VERIFIED,
    ).exclude(item__in=[item.pk for item in items])
    rows = standing.order_by().values_list("board_id", "benchmark_uri").annotate(best=Max("ratio"))
    return {(board, uri): best for board, uri, best in rows}


def _surely(item: SubmissionItem) -> float:
    """The ratio, or the lower end of its interval where it is measured."""
    interval = item.ratio_interval
    return item.ratio or 0.0 if interval is None else interval[0]


def _decided(item: SubmissionItem) -> datetime:
    if item.decided_at is None:
        raise ValueError(f"{item} has no verdict.")
    return item.decided_at
