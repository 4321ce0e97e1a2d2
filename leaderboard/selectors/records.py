"""Records, newest first, and what is known about one benchmark on every board that compares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import connection

from datasets.site.charts.histograms import Bin, bins_of
from leaderboard.models import Board, BoardRecord, Find, SubmissionItem
from leaderboard.selectors.boards import board_metric
from leaderboard.selectors.finds import add_finds, first_find
from leaderboard.selectors.standings import UNSHOWN_OF_A_BOARD

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from optarena.specs import Metric

Verdict = SubmissionItem.Verdict
_BINS: Final = 12
_SUMMARY: Final = """
SELECT submission.board_id, count(*), count(DISTINCT item.state_sha256), min(item.ratio), max(item.ratio),
    (array_agg(item.id ORDER BY item.ratio DESC, item.decided_at, item.id))[1]
FROM leaderboard_submissionitem AS item
JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
WHERE item.benchmark_uri = %s AND item.verdict = 'verified' GROUP BY submission.board_id
"""
# The greatest value belongs to the last bin.
_COUNTS: Final = """
SELECT board, least(width_bucket(item.ratio, low, high, %s), %s), count(*)
FROM unnest(%s::bigint[], %s::float8[], %s::float8[]) AS asked (board, low, high)
JOIN leaderboard_submission AS submission ON submission.board_id = board
JOIN leaderboard_submissionitem AS item ON item.submission_id = submission.id
WHERE item.benchmark_uri = %s AND item.verdict = 'verified' GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkResults:
    """The verified results of one benchmark on one board.

    Attributes:
        board: The board.
        metric: What it compares.
        best: The item with the best ratio, the earliest of several. It may be a copy: of measured results
            the luckiest one is the best.
        first_by: Whose find the state of ``best`` is; None while it has no credit, or if no find stands.
        verified: Number of verified items.
        distinct: Number of different final states among them.
        bins: How many items have which ratio; empty where all are equal.
        records: Those that stand, oldest first.
    """

    board: Board
    metric: Metric
    best: SubmissionItem
    first_by: Find | None
    verified: int
    distinct: int
    bins: tuple[Bin, ...]
    records: tuple[BoardRecord, ...]

    @property
    def history(self) -> list[tuple[datetime, float]]:
        """The best ratio from each moment on."""
        return [(record.at, record.ratio) for record in self.records]


def list_records(*, board: Board | None = None, uri: str = "") -> QuerySet[BoardRecord]:
    """The records whose items are verified finds, newest first; of one board or benchmark, or of all."""
    found = BoardRecord.objects.filter(item__verdict=Verdict.VERIFIED, item__own=True)
    found = found.select_related("board", "item__submission__owner", "item__benchmark")
    found = found.defer("item__actions", "item__submission__description", "board__benchmarks")
    if board is not None:
        found = found.filter(board=board)
    if uri:
        found = found.filter(benchmark_uri=uri)
    return found.order_by("-at", "-pk")


def benchmark_results(uri: str) -> list[BenchmarkResults]:
    """What is verified of a benchmark, by board; boards without a result are left out."""
    with connection.cursor() as cursor:
        cursor.execute(_SUMMARY, [uri])
        rows = {board: row for board, *row in cursor.fetchall()}
    if not rows:
        return []
    boards = Board.objects.filter(pk__in=rows).select_related("dataset_version", "environment_version")
    best = SubmissionItem.objects.select_related("submission__owner", "benchmark").in_bulk(
        [row[-1] for row in rows.values()]
    )
    add_finds(list(best.values()))
    bins = _bins(uri, {pk: (low, high) for pk, (_, _, low, high, _) in rows.items() if low < high})
    records: dict[int, list[BoardRecord]] = {pk: [] for pk in rows}
    for record in list_records(uri=uri).reverse():
        records.setdefault(record.board_id, []).append(record)
    return [
        BenchmarkResults(
            board=board,
            metric=board_metric(board),
            best=best[rows[board.pk][-1]],
            first_by=first_find(best[rows[board.pk][-1]]),
            verified=rows[board.pk][0],
            distinct=rows[board.pk][1],
            bins=bins.get(board.pk, ()),
            records=tuple(records[board.pk]),
        )
        for board in boards.defer(*UNSHOWN_OF_A_BOARD).order_by("slug")
    ]


def _bins(uri: str, ends: Mapping[int, tuple[float, float]]) -> dict[int, tuple[Bin, ...]]:
    """How many verified items of a benchmark have which ratio, by board."""
    if not ends:
        return {}
    lows, highs = ([pair[end] for pair in ends.values()] for end in (0, 1))
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [_BINS, _BINS, list(ends), lows, highs, uri])
        counts = {(board, place): number for board, place, number in cursor.fetchall()}
    return {
        board: bins_of(_edges(board, low, high, counts), "{:.4f}".format)
        for board, (low, high) in ends.items()
    }


def _edges(
    board: int, low: float, high: float, counts: Mapping[tuple[int, int], int]
) -> list[tuple[float, float, float]]:
    step = (high - low) / _BINS
    return [
        (low + step * place, low + step * (place + 1), float(counts.get((board, place + 1), 0)))
        for place in range(_BINS)
    ]
