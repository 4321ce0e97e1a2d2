"""Whether the order of a board's first entries depends on the average that it takes, or on one program."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg

from leaderboard.models import EntryFigures, SubmissionItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_ENTRIES: Final = 10
MOST_PROGRAMS: Final = 1_000
_DECIDING: Final = 5
_EQUAL: Final = 1e-12  # closer values differ by rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """An entry by other averages than the board's; ``improvement`` is papers' arithmetic mean."""

    entry: EntryFigures
    improvement: float
    improvement_place: int
    median: float
    median_place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Robustness:
    """The pairs of a board's first entries with different ranks, and how many of them change places.

    Attributes:
        by_improvement: By the arithmetic mean of the improvements.
        by_median: By the median of the ratios.
        deciding: Programs without which some do, with their number, most first.
        decisive: The number of such programs.
    """

    entries: tuple[Averages, ...]
    pairs: int
    by_improvement: int
    by_median: int
    deciding: tuple[tuple[str, int], ...]
    decisive: int


def robustness(rows: Sequence[EntryFigures]) -> Robustness | None:
    """Compare the first rows of a board; None if fewer than two have ranks, or the programs are too many."""
    ranked = [row for row in rows if row.rank is not None][:MOST_ENTRIES]
    if len(ranked) < 2 or not 1 < ranked[0].total <= MOST_PROGRAMS:  # noqa: PLR2004 - two to compare
        return None
    uris, logs = _logs(ranked)
    if len(uris) < 2:  # noqa: PLR2004 # without one program another must be left
        return None
    # Entries whose ranks overlap share them, in whatever order they stand.
    places = range(len(ranked))
    pairs = [
        (one, other) for one, other in combinations(places, 2) if _last(ranked[one]) < _first(ranked[other])
    ]
    improvements = np.array([row.mean_improvement or 0.0 for row in ranked])
    medians = np.median(logs, axis=1)
    without = (logs.sum(axis=1, keepdims=True) - logs) / (len(uris) - 1)
    changes = {uri: _changed(without[:, number], pairs) for number, uri in enumerate(uris)}
    deciding = sorted(
        ((uri, number) for uri, number in changes.items() if number), key=lambda pair: (-pair[1], pair[0])
    )
    by_improvement, by_median = _places(improvements), _places(medians)
    return Robustness(
        entries=tuple(
            Averages(
                entry=row,
                improvement=float(improvements[place]),
                improvement_place=by_improvement[place],
                median=float(np.exp(medians[place])),
                median_place=by_median[place],
            )
            for place, row in enumerate(ranked)
        ),
        pairs=len(pairs),
        by_improvement=_changed(improvements, pairs),
        by_median=_changed(medians, pairs),
        deciding=tuple(deciding[:_DECIDING]),
        decisive=len(deciding),
    )


def _logs(ranked: Sequence[EntryFigures]) -> tuple[list[str], NDArray[np.float64]]:
    # The programs, and the logarithms of their ratios, of shape (entries, programs).
    rows = (
        SubmissionItem.objects.filter(
            submission__in=[row.submission_id for row in ranked], verdict=SubmissionItem.Verdict.VERIFIED
        )
        .order_by()
        .values("submission_id")
        .annotate(
            uris=ArrayAgg("benchmark_uri", order_by="benchmark_uri"),
            logs=ArrayAgg("log_ratio", order_by="benchmark_uri"),
        )
        .values_list("submission_id", "uris", "logs")
    )
    found = {submission: (uris, logs) for submission, uris, logs in rows}
    # A verdict may have changed since the rows were read.
    entries = [found.get(row.submission_id, ([], [])) for row in ranked]
    uris = entries[0][0]
    if any(one != uris for one, _ in entries):
        return [], np.zeros((0, 0))
    return uris, np.array([logs for _, logs in entries])


def _first(row: EntryFigures) -> int:
    return row.rank or 0


def _last(row: EntryFigures) -> int:
    return row.rank_high or _first(row)


def _changed(values: NDArray[np.float64], pairs: Sequence[tuple[int, int]]) -> int:
    return sum(bool(values[one] < values[other] - _EQUAL) for one, other in pairs)


def _places(values: NDArray[np.float64]) -> list[int]:
    return [1 + int(np.sum(values > one + _EQUAL)) for one in values]
