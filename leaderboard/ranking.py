"""Scores and ranks: the one place where numbers become an order.

Pure functions of plain values; no Django, no database, no clock. Ranks of measured scores are intervals, see
``rank_intervals``. Five rules hold for every input, in both directions of the metric: a row without a score
never has a rank, a row that does not cover the whole board never has a rank, a row without a find of its
owner never has a rank, a row of a provisional board never has a rank, and equal scores share one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from optarena.specs.board import ratio

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

Key = TypeVar("Key", bound="Hashable")

SCORE_DIGITS: Final = 12
"""Decimals kept of a score: mathematically equal products differ only beyond them, and must tie."""

PLAUSIBLE_STEP: Final = 1.25
"""A ratio up to this multiple of the best one that others verified on the same benchmark is plausible."""

PROVISIONAL_NOTICE: Final = (
    "provisional: it has no ranks until its way of measuring has proved itself on such machines."
)
"""The text that page and API show for a provisional board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The values that a benchmark is compared with: two positive numbers of the board's metric."""

    baseline: float
    unoptimised: float


def without(score: float, ratio: float, total: int) -> float | None:
    """The geometric mean of the other ratios of ``total``, of which ``score`` is that of all.

    None where there is no other, and for a score of 0: rounding makes 0 of a tiny one.
    """
    if total <= 1 or score <= 0:
        return None
    return math.exp((total * math.log(score) - math.log(ratio)) / (total - 1))


class ScorePart(NamedTuple):
    """What a benchmark adds to the sums of a score: the logarithm of its ratio, and its improvement."""

    log: float
    improvement: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The figures of a submission on a whole board.

    Attributes:
        score: Geometric mean of the ratios; None where nothing is verified.
        mean_improvement: Arithmetic mean of the improvements; None together with ``score``.
        verified: Number of benchmarks with a verified value.
        total: Number of benchmarks of the board.
    """

    score: float | None
    mean_improvement: float | None
    verified: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether every benchmark of the board is verified."""
        return self.total > 0 and self.verified == self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Generic[Key]):
    """A row to be placed on a board.

    Attributes:
        key: The row's identity.
        group: Rows of one group (an owner's agent) compete for a single rank: only the best gets it.
        score: The row's score.
        effective_actions: Actions that changed something, over the whole submission.
        order: When it was submitted; smaller is earlier.
        own: Whether any of its results is a find of its owner; without one the row is a collection.
        ended: Whether all of its replays have ended: before that its score is of some benchmarks only, and
            the row stands behind all that have ended.
    """

    key: Key
    group: Hashable
    score: Score
    effective_actions: int
    order: float
    own: bool = True
    ended: bool = True

    @property
    def rankable(self) -> bool:
        """Whether the row may have a rank at all."""
        score = self.score.score
        ranked = score is not None and score > 0  # rounding makes 0 of a tiny score
        return ranked and self.score.complete and self.own


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[Key]):
    """An entry with its place.

    Attributes:
        entry: The entry.
        position: 1-based place in the list as it is shown.
        rank: Competition rank, or None where the row is listed without one.
        best: Whether it is the best row of its group.
    """

    entry: Entry[Key]
    position: int
    rank: int | None
    best: bool


def improvement(*, baseline: float, achieved: float, lower_is_better: bool) -> float:
    """The papers' definition: how much better than the baseline, as a share of the baseline."""
    change = baseline - achieved if lower_is_better else achieved - baseline
    return change / baseline


def uncredited_value(reference: Reference, *, lower_is_better: bool) -> float:
    """The value that a missing, refuted or failed benchmark counts: unoptimised, never above baseline."""
    worse = max if lower_is_better else min
    return worse(reference.baseline, reference.unoptimised)


def recorded_part(reference: Reference, value: float | None, *, lower_is_better: bool) -> ScorePart:
    """The part of a benchmark with a recorded reference; None is a benchmark that is not verified.

    Raises:
        ValueError: The value or the reference is not a positive finite number.
    """
    if value is None:
        value = uncredited_value(reference, lower_is_better=lower_is_better)
    against = reference.baseline
    return ScorePart(
        log=math.log(ratio(baseline=against, achieved=value, lower_is_better=lower_is_better)),
        improvement=improvement(baseline=against, achieved=value, lower_is_better=lower_is_better),
    )


def measured_part(log_ratio: float, *, lower_is_better: bool) -> ScorePart:
    """The part of a benchmark whose replay measured its own reference.

    Raises:
        ValueError: The logarithm is not finite.
    """
    if not math.isfinite(log_ratio):
        raise ValueError("The logarithm of a ratio must be finite.")
    # The papers' improvement, as a share of the reference: expm1(log r) is r - 1 without cancellation.
    share = -math.expm1(-log_ratio) if lower_is_better else math.expm1(log_ratio)
    return ScorePart(log=log_ratio, improvement=share)


def score_of(sums: ScorePart, *, verified: int, total: int) -> Score:
    """The score of a submission, from the sums over all benchmarks of its board; none if none is verified.

    Where replays measure their own reference, a benchmark that adds nothing counts as the reference.
    """
    if not verified:
        return Score(score=None, mean_improvement=None, verified=0, total=total)
    return Score(
        score=round(math.exp(sums.log / total), SCORE_DIGITS),
        mean_improvement=sums.improvement / total,
        verified=verified,
        total=total,
    )


def score_board(
    references: Mapping[str, Reference], verified: Mapping[str, float], *, lower_is_better: bool
) -> Score:
    """Score verified values over *all* benchmarks of a board, in the log domain.

    Args:
        references: Each benchmark of the board, by URI.
        verified: Verified values, by URI; other URIs than the board's are ignored.
        lower_is_better: The direction of the metric.

    Raises:
        ValueError: A value or reference is not a positive finite number.
    """
    parts = [
        recorded_part(reference, verified.get(uri), lower_is_better=lower_is_better)
        for uri, reference in references.items()
    ]
    covered = sum(uri in verified for uri in references)
    sums = ScorePart(math.fsum(part.log for part in parts), math.fsum(part.improvement for part in parts))
    return score_of(sums, verified=covered, total=len(references))


def place(entries: Iterable[Entry[Key]], *, provisional: bool = False) -> list[Placed[Key]]:
    """Order the rows of a board and rank those that may be ranked.

    Ranked rows come first: by score, ties by time, then by fewer effective actions. The rest follow in
    the same order, rows without any score last. A tie shares its rank and the next rank is skipped
    (1, 1, 3).

    Args:
        entries: The rows.
        provisional: Whether scores are too noisy to be ranked: the order is the same, and no row has a rank.
    """
    ordered = sorted(entries, key=_preference)
    best = _best_of_groups(ordered)
    leading = [entry for entry in ordered if entry.key in best and entry.rankable]
    ranks = {} if provisional else _competition_ranks(leading)
    led = {entry.key for entry in leading}
    rest = [entry for entry in ordered if entry.key not in led]
    return [
        Placed(entry=entry, position=position, rank=ranks.get(entry.key), best=entry.key in best)
        for position, entry in enumerate([*leading, *rest], start=1)
    ]


def plausible_limit(floor: float, best_verified: float | None) -> float:
    """The largest ratio that is published without a reviewer.

    Args:
        floor: The board's plausible ratio, which is published whatever the history.
        best_verified: The best ratio on this benchmark of this board that a reviewer has published or that
            another owner has verified, if any. One's own results never raise one's own limit.
    """
    return max(floor, PLAUSIBLE_STEP * (best_verified or 0.0))


def _preference(entry: Entry[Key]) -> tuple[bool, bool, bool, float, float, int]:
    score = entry.score.score
    return (
        not entry.ended,
        not entry.rankable,
        score is None,
        0.0 if score is None else -score,
        entry.order,
        entry.effective_actions,
    )


def _best_of_groups(ordered: Sequence[Entry[Key]]) -> set[Key]:
    best: dict[Hashable, Key] = {}
    for entry in ordered:
        best.setdefault(entry.group, entry.key)
    return set(best.values())


def _competition_ranks(ranked: Sequence[Entry[Key]]) -> dict[Key, int]:
    ranks: dict[Key, int] = {}
    for _, tied in groupby(ranked, key=lambda entry: entry.score.score):
        rank = len(ranks) + 1
        ranks.update({entry.key: rank for entry in tied})
    return ranks
