"""Notes finds that beat every record before them on their board, in the transaction that verifies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.bulk_inserts import insert_rows
from leaderboard.models import BoardRecord, SubmissionItem
from leaderboard.selectors import list_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

Verdict = SubmissionItem.Verdict


def note(*, items: Iterable[SubmissionItem]) -> None:
    """Store the records among items that were just verified and stored, whose boards' locks the caller holds.

    An item that is verified anew keeps the record that it has.

    Only a find can be a record: a copy of measured results is better by noise alone. For the same reason a
    measured ratio must exceed the best by the lower end of its confidence interval.
    """
    finds = [item for item in items if item.verdict == Verdict.VERIFIED and item.own]
    finds.sort(key=lambda item: (_decided(item), item.pk))
    best, noted = _standing(finds)
    made = []
    for item in finds:
        place = item.submission.board_id, item.benchmark_uri
        former = best.get(place)
        if item.ratio is None or item.pk in noted or (former is not None and _surely(item) <= former):
            continue
        best[place] = item.ratio
        made.append(
            BoardRecord(
                board_id=place[0],
                item=item,
                benchmark_uri=item.benchmark_uri,
                former_ratio=former,
                at=_decided(item),
            )
        )
    insert_rows(made)


def _standing(finds: Sequence[SubmissionItem]) -> tuple[dict[tuple[int, str], float], set[int]]:
    """The best ratio of each of these benchmarks among the records that stand, and the items of these."""
    if not finds:
        return {}, set()
    rows = (
        list_records()
        .filter(
            board__in={item.submission.board_id for item in finds},
            benchmark_uri__in={item.benchmark_uri for item in finds},
        )
        .order_by("item__ratio")
        .values_list("board_id", "benchmark_uri", "item_id", "item__ratio")
    )
    return {row[:2]: row[3] or 0.0 for row in rows}, {row[2] for row in rows}


def _surely(item: SubmissionItem) -> float:
    """The ratio, or the lower end of its interval where it is measured."""
    interval = item.ratio_interval
    return item.ratio or 0.0 if interval is None else interval[0]


def _decided(item: SubmissionItem) -> datetime:
    if item.decided_at is None:
        raise ValueError(f"{item} has no verdict.")
    return item.decided_at
