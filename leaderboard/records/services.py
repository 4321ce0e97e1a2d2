"""Write records and the best results of each board, in the transaction that changes them.

Every writer holds the board's row lock, as those of standings do. An item that cannot be the best, nor take
the place of the best's find, costs one read.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q

from datasets.bulk_inserts import insert_rows
from leaderboard.boards.ranking import ratio_interval
from leaderboard.models import BestResult, Board, BoardRecord, Submission, SubmissionItem
from leaderboard.records.queries import ITEM_ERROR, list_records
from runner.database import read_rows

Verdict = SubmissionItem.Verdict


def store_records(*, items: Iterable[SubmissionItem]) -> None:
    # The items were just verified and stored; one that is verified anew keeps the record that it has. Only a
    # find can be a record: a copy of measured results is better by noise alone. For the same reason the
    # confidence intervals of a measured ratio and of the best one must not overlap.
    finds = [item for item in items if item.verdict == Verdict.VERIFIED and item.own]
    finds.sort(key=lambda item: (decision_time(item), item.pk))
    former_best = _exact_bests(finds)
    finds = [item for item in finds if (item.ratio or 0.0) > former_best.get(_place(item), 0.0)]
    best, recorded = _standing(finds)
    made = []
    for item in finds:
        place, ratio = _place(item), item.ratio or 0.0
        former = best.get(place)
        if item.pk in recorded:
            continue
        low, high = item.ratio_interval or (ratio, ratio)
        if former is not None and low <= former[1]:
            continue
        best[place] = ratio, high
        made.append(
            BoardRecord(
                board_id=place[0],
                item=item,
                benchmark_uri=item.benchmark_uri,
                former_ratio=None if former is None else former[0],
                at=decision_time(item),
            )
        )
    if not made:
        return
    insert_rows(made)
    for record in made:
        record.item.is_record = True
    SubmissionItem.objects.filter(pk__in=[record.item_id for record in made]).update(is_record=True)


def _place(item: SubmissionItem) -> tuple[int, str]:
    return item.submission.board_id, item.benchmark_uri


def _standing(finds: Sequence[SubmissionItem]) -> tuple[dict[tuple[int, str], tuple[float, float]], set[int]]:
    # The best ratios with the upper ends of their intervals, and the items that are records.
    if not finds:
        return {}, set()
    rows = (
        list_records()
        .filter(
            board__in={item.submission.board_id for item in finds},
            benchmark_uri__in={item.benchmark_uri for item in finds},
        )
        .order_by("item__ratio")
        .values_list("board_id", "benchmark_uri", "item_id", "item__ratio", *ITEM_ERROR)
    )
    best = {row[:2]: (row[3] or 0.0, ratio_interval(row[3] or 0.0, *row[4:])[1]) for row in rows}
    return best, {row[2] for row in rows}


def _exact_bests(finds: Sequence[SubmissionItem]) -> dict[tuple[int, str], float]:
    # Copies count: what they copied may have been withdrawn.
    rows = BestResult.objects.filter(
        board__in={item.submission.board_id for item in finds},
        board__exact=True,
        benchmark_uri__in={item.benchmark_uri for item in finds},
    ).exclude(item__in=[item.pk for item in finds])
    if not finds:
        return {}
    return {row[:2]: row[2] or 0.0 for row in rows.values_list("board_id", "benchmark_uri", "item__ratio")}


def decision_time(item: SubmissionItem) -> datetime:
    if item.decided_at is None:
        raise ValueError(f"{item} has no verdict.")
    return item.decided_at


_BATCH: Final = 2_500
_SHOWN: Final = (
    *("benchmark_uri", "item", "runner_up", "log_ratio", "log_without", "item__state_sha256"),
    *("submission__owner", "submission__created"),
)
_WRITTEN: Final = ("item", "submission", "runner_up", "log_ratio", "log_without", "own")
# Both subqueries walk an index from the best ratio on, and end at the first row of this board that fits.
# Copies of the best, which have its state or its value, are not there without its find; other owners' finds
# of it are.
_BEST: Final = """
SELECT asked.uri, best.id, best.submission_id, best.log_ratio, best.own, other.id, other.log_ratio
FROM unnest(%(uris)s::text[]) AS asked (uri)
CROSS JOIN LATERAL (
    SELECT item.id, item.submission_id, item.log_ratio, item.own, item.state_sha256, one.owner_id
    FROM leaderboard_submissionitem AS item
    JOIN leaderboard_submission AS one ON one.id = item.submission_id AND one.board_id = %(board)s
    WHERE item.benchmark_uri = asked.uri AND item.verdict = 'verified'
    ORDER BY item.ratio DESC, one.created, item.id LIMIT 1) AS best
LEFT JOIN LATERAL (
    SELECT item.id, item.log_ratio
    FROM leaderboard_submissionitem AS item
    JOIN leaderboard_submission AS one ON one.id = item.submission_id AND one.board_id = %(board)s
    WHERE item.benchmark_uri = asked.uri AND item.verdict = 'verified' AND item.id <> best.id
        AND (item.state_sha256 = '' OR item.own AND one.owner_id <> best.owner_id
             OR item.state_sha256 <> best.state_sha256
                AND NOT (%(exact)s AND item.log_ratio = best.log_ratio))
    ORDER BY item.ratio DESC, one.created, item.id LIMIT 1) AS other ON true
"""


def write_bests(*, board: Board, items: Iterable[SubmissionItem], benchmarks: Collection[str]) -> None:
    # The items are stored; those of other benchmarks do not count.
    compared = [item for item in items if item.benchmark_uri in benchmarks]
    uris = {item.benchmark_uri for item in compared}
    if not uris:
        return
    rows = BestResult.objects.filter(board=board, benchmark_uri__in=uris)
    stored = {row.benchmark_uri: row for row in rows.select_related("item", "submission").only(*_SHOWN)}
    changed = {
        item.benchmark_uri
        for item in compared
        if _may_change(stored.get(item.benchmark_uri), item, exact=board.exact)
    }
    if changed:
        _write(board, changed)


def forget_bests(*, board: Board, submission: Submission) -> None:
    # Its items do not count any more.
    lost = Q(submission=submission) | Q(runner_up__submission=submission)
    uris = set(BestResult.objects.filter(lost, board=board).values_list("benchmark_uri", flat=True))
    if uris:
        _write(board, uris)


def rebuild(*, board: Board, benchmarks: Collection[str], write: bool = True) -> set[uuid.UUID]:
    # Returns the submissions of the results that differed, stored or computed.
    wanted = {row.benchmark_uri: row for row in _computed(board, benchmarks)}
    stored = {row.benchmark_uri: row for row in BestResult.objects.filter(board=board)}
    uris = {uri for uri in wanted.keys() | stored.keys() if _differ(wanted.get(uri), stored.get(uri))}
    if write and uris:
        _replace(board, uris, [wanted[uri] for uri in uris if uri in wanted])
    return {rows[uri].submission_id for rows in (wanted, stored) for uri in uris if uri in rows}


def _may_change(stored: BestResult | None, item: SubmissionItem, *, exact: bool) -> bool:
    is_verified = item.verdict == Verdict.VERIFIED and item.log_ratio is not None
    if stored is None:
        return is_verified
    if item.pk in (stored.item_id, stored.runner_up_id):
        return True
    if not is_verified or item.log_ratio is None:
        return False
    one, best = item.submission, stored.submission
    is_earlier = item.log_ratio == stored.log_ratio and one.created < best.created
    if is_earlier or item.log_ratio > stored.log_ratio:
        return True
    # Without the best's find its copies would not be there either.
    is_equal = item.state_sha256 == stored.item.state_sha256 != "" or (
        exact and item.log_ratio == stored.log_ratio
    )
    is_copy = is_equal and not (item.own and one.owner_id != best.owner_id)
    return item.log_ratio > stored.log_without and not is_copy


def _write(board: Board, uris: Collection[str]) -> None:
    _replace(board, uris, _computed(board, uris))


def _replace(board: Board, uris: Collection[str], rows: Collection[BestResult]) -> None:
    gone = set(uris).difference(row.benchmark_uri for row in rows)
    if gone:
        BestResult.objects.filter(board=board, benchmark_uri__in=gone).delete()
    BestResult.objects.bulk_create(
        rows,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["board", "benchmark_uri"],
        update_fields=_WRITTEN,
    )


def _computed(board: Board, uris: Collection[str]) -> list[BestResult]:
    found = read_rows(_BEST, {"board": board.pk, "exact": board.exact, "uris": sorted(uris)})
    rows = []
    for uri, item, submission, log_ratio, own, other, log_other in found:
        rows.append(
            BestResult(
                board=board,
                benchmark_uri=uri,
                item_id=item,
                submission_id=submission,
                runner_up_id=other,
                log_ratio=log_ratio,
                log_without=min(log_ratio, max(0.0, 0.0 if log_other is None else log_other)),
                own=own,
            )
        )
    return rows


def _differ(wanted: BestResult | None, stored: BestResult | None) -> bool:
    if wanted is None or stored is None:
        return True
    names = ("item_id", "submission_id", "log_ratio", "log_without", "own")
    return any(getattr(wanted, name) != getattr(stored, name) for name in names)
