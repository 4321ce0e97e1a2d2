"""The rules of scores, totals, orders of entries, intervals of ranks, and classes of effort: pure functions.

Measured ranks are intervals, since measurements do not tell every two entries apart. Two entries differ if
Welch's t-test (1947) says so at a level of 5 % over all pairs of the board (Holm, 1979): on a board of equal
entries, any difference at all is found in at most 5 % of cases. An entry's rank is one more than the number
of entries that are better by such a difference, at best, and that of all entries less those that are worse,
at worst. Portable entries of one round meet the same programs, so the same is done with the differences of
each pair on these programs (Student's paired test, 1908). Few programs make most of such a difference, and
the test then finds some too often: at a level of 5 % equal sets differ in up to 15 % of rounds, at 0.5 % in
at most 5 % (`benchmarks/portable_rounds.py`).

Sums are exact: every float is a whole number of the smallest positive one. So an entry has the same totals,
and the same score, in whatever order its items end and are reopened, and however often.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db.models import F, Q

from optarena.measuring.estimates import LEAST_ERROR, Estimate
from optarena.specs.board import ratio

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

# Mathematically equal products differ only beyond these decimals, and must tie.
SCORE_DIGITS: Final = 12

# A ratio up to this multiple of the best one that others verified on the same benchmark is plausible.
PLAUSIBLE_STEP: Final = 1.25

PROVISIONAL_NOTICE: Final = (
    "provisional: it has no ranks until its way of measuring has proved itself on such machines."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    baseline: float
    unoptimised: float


def score_without(score: float, ratio: float, total: int) -> float | None:
    # `score` is the geometric mean of all `total` ratios. None where there is no other, and for a score of 0:
    # rounding makes 0 of a tiny one.
    if total <= 1 or score <= 0:
        return None
    return math.exp((total * math.log(score) - math.log(ratio)) / (total - 1))


class ScorePart(NamedTuple):
    log: float
    improvement: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    # The geometric mean of the ratios; None where nothing is verified.
    score: float | None
    mean_improvement: float | None
    verified: int
    total: int

    @property
    def complete(self) -> bool:
        return self.total > 0 and self.verified == self.total


def uncredited_value(reference: Reference, *, lower_is_better: bool) -> float:
    # What a missing, refuted or failed benchmark counts: unoptimised, never above baseline.
    worse = max if lower_is_better else min
    return worse(reference.baseline, reference.unoptimised)


def recorded_part(reference: Reference, value: float | None, *, lower_is_better: bool) -> ScorePart:
    # None is a benchmark that is not verified.
    if value is None:
        value = uncredited_value(reference, lower_is_better=lower_is_better)
    against = reference.baseline
    return ScorePart(
        log=math.log(ratio(baseline=against, achieved=value, lower_is_better=lower_is_better)),
        # The papers' definition: how much better than the baseline, as a share of it.
        improvement=(against - value if lower_is_better else value - against) / against,
    )


def measured_part(log_ratio: float, *, lower_is_better: bool) -> ScorePart:
    # Of a benchmark whose replay measured its own reference.
    if not math.isfinite(log_ratio):
        raise ValueError("The logarithm of a ratio must be finite.")
    # The papers' improvement, as a share of the reference: expm1(log r) is r - 1 without cancellation.
    share = -math.expm1(-log_ratio) if lower_is_better else math.expm1(log_ratio)
    return ScorePart(log=log_ratio, improvement=share)


def sum_of(parts: Sequence[ScorePart]) -> ScorePart:
    return ScorePart(math.fsum(part.log for part in parts), math.fsum(part.improvement for part in parts))


def score_of(sums: ScorePart, *, verified: int, total: int) -> Score:
    # Where replays measure their own reference, a benchmark that adds nothing counts as the reference.
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
    # Over *all* benchmarks of the board, in the log domain.
    parts = [
        recorded_part(reference, verified.get(uri), lower_is_better=lower_is_better)
        for uri, reference in references.items()
    ]
    covered = sum(uri in verified for uri in references)
    return score_of(sum_of(parts), verified=covered, total=len(references))


def ratio_interval(
    ratio: float, log: float | None, variance: float | None, freedom: float | None
) -> tuple[float, float]:
    # Of an exact ratio, and of one whose error is unknown, the ratio itself.
    if log is None or variance is None or freedom is None:
        return ratio, ratio
    return Estimate(log, variance, freedom).interval


def plausible_limit(floor: float, best_verified: float | None) -> float:
    # The floor is published whatever the history. One's own results never raise one's own limit.
    return max(floor, PLAUSIBLE_STEP * (best_verified or 0.0))


# Which of two entries is the better one, if both have ended.
ENTRY_PREFERENCE: Final = (
    F("rankable").desc(),
    F("score").desc(nulls_last=True),
    F("submitted_at").asc(),
    F("effective_actions").asc(),
    F("submission_id").asc(),
)

# Those that compete for a rank before the others.
BOARD_ORDER: Final = (F("leading").desc(), *ENTRY_PREFERENCE)

# Whether an entry may have a rank.
RANKABLE: Final = (
    Q(score__isnull=False)
    & Q(score__gt=0)
    & Q(verified=F("total"))
    & Q(total__gt=0)
    & (Q(verified__gte=F("copied") * 2) | Q(records__gt=0))
)


NOT_REPORTED: Final = "not reported"
UNREPORTED: Final = "unreported"


@dataclass(frozen=True, slots=True)
class EffortClass:
    # Numbers of compilations of one program during the search.
    slug: str
    label: str
    least: int
    most: int | None


EFFORT_CLASSES: Final = (
    EffortClass("zero-shot", "zero-shot", 0, 1),
    EffortClass("few", "≤ 50", 2, 50),
    EffortClass("many", "≤ 1000", 51, 1000),
    EffortClass("unlimited", "unlimited", 1001, None),
)


def effort_class(compilations: int | None) -> str:
    if compilations is None:
        return NOT_REPORTED
    fitting = (one for one in EFFORT_CLASSES if one.most is None or compilations <= one.most)
    return next(fitting).label


if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    Values = np.ndarray[Any, np.dtype[np.float64]]

# The probability that a board of equal entries shows any difference, at most.
LEVEL: Final = 0.05
# What the test is given for that where entries are paired.
PAIRED_LEVEL: Final = 0.005
# Entries of a board that have ranks: the pairs of more would take seconds.
MOST_COMPARED: Final = 1_000


class RankInterval(NamedTuple):
    low: int
    high: int


@lru_cache(maxsize=128)
def rank_intervals(scores: tuple[Estimate, ...]) -> tuple[RankInterval, ...]:
    # The order of the scores changes nothing else. An entry never stands wholly before one with a better
    # score.
    import numpy as np  # noqa: PLC0415 - most processes never need it

    if len(scores) > MOST_COMPARED:
        raise ValueError(f"{len(scores)} entries cannot be compared; at most {MOST_COMPARED} can.")
    one, other = np.triu_indices(len(scores), 1)
    means = np.array([score.mean for score in scores])
    return _intervals(means, one, other, rejected(_probabilities(scores, one, other)))


@lru_cache(maxsize=128)
def paired_rank_intervals(logs: tuple[tuple[float, ...], ...]) -> tuple[RankInterval, ...]:
    # Of entries with the logarithms of their ratios on the same programs, in the same order.
    import numpy as np  # noqa: PLC0415 - as above
    from scipy.special import stdtr  # noqa: PLC0415 - as above

    if not logs:
        return ()
    values = np.array(logs)
    programs = values.shape[1]
    one, other = np.triu_indices(len(logs), 1)
    probabilities = np.ones(len(one))
    if programs > 1:
        differences = values[one] - values[other]
        errors = np.maximum(differences.std(axis=1, ddof=1), LEAST_ERROR) / math.sqrt(programs)
        probabilities = 2 * stdtr(programs - 1, -np.abs(differences.mean(axis=1)) / errors)
    return _intervals(values.mean(axis=1), one, other, rejected(probabilities, PAIRED_LEVEL))


def _intervals(means: Values, one: Any, other: Any, differ: Any) -> tuple[RankInterval, ...]:  # noqa: ANN401 # arrays of indices, and of truth values
    import numpy as np  # noqa: PLC0415 - as above

    number = len(means)
    first_better = means[one] > means[other]
    winners = np.where(first_better, one, other)[differ]
    losers = np.where(first_better, other, one)[differ]
    better = np.bincount(losers, minlength=number)
    worse = np.bincount(winners, minlength=number)
    return tuple(
        RankInterval(1 + int(above), number - int(below)) for above, below in zip(better, worse, strict=True)
    )


def _probabilities(scores: tuple[Estimate, ...], one: Any, other: Any) -> Values:  # noqa: ANN401 # arrays of indices
    # Of a difference as large as theirs between equal entries.
    import numpy as np  # noqa: PLC0415 - as above
    from scipy.special import stdtr  # noqa: PLC0415 - as above

    means, variances, freedoms = (
        np.array([getattr(score, name) for score in scores]) for name in ("mean", "variance", "freedom")
    )
    variance = variances[one] + variances[other]
    freedom = variance**2 / (variances[one] ** 2 / freedoms[one] + variances[other] ** 2 / freedoms[other])
    found: Values = 2 * stdtr(freedom, -np.abs(means[one] - means[other]) / np.sqrt(variance))
    return found


def rejected(probabilities: Values, level: float = LEVEL) -> Any:  # noqa: ANN401 # an array of truth values
    # Holm's procedure: the least probable ones, up to the first that it keeps.
    import numpy as np  # noqa: PLC0415 - as above

    order = np.argsort(probabilities, kind="stable")
    kept = probabilities[order] > level / (len(order) - np.arange(len(order)))
    found = np.zeros(len(order), dtype=bool)
    found[order[: int(np.argmax(kept)) if kept.any() else len(order)]] = True
    return found


# The smallest positive float is 2 to the power of minus this.
_POINT: Final = 1_074


class Counted(NamedTuple):
    uri: str
    pending: bool
    verified: bool
    value: float | None
    log_ratio: float | None
    effective_actions: int | None
    # The square of the standard error of `log_ratio`, and its degrees of freedom; None where it is exact, or
    # unknown.
    error: tuple[float, float] | None = None
    # Its owner could have read it.
    copied: bool = False
    record: bool = False


@dataclass(slots=True)
class Totals:
    # Sums of floats are in units of the smallest positive float.
    logs: int = 0
    improvements: int = 0
    variances: int = 0
    # Of the square of each variance, divided by its degrees of freedom.
    shares: int = 0
    # Verified benchmarks with a variance.
    estimated: int = 0
    verified: int = 0
    copied: int = 0
    records: int = 0
    pending: int = 0
    effective_actions: int = 0

    def add(self, part: ScorePart, sign: int = 1) -> None:
        self.logs += sign * _whole(part.log)
        self.improvements += sign * _whole(part.improvement)

    def add_error(self, variance: float, freedom: float, sign: int = 1) -> None:
        self.variances += sign * _whole(variance)
        self.shares += sign * _whole(variance**2 / freedom)
        self.estimated += sign

    def error(self, *, benchmarks: int) -> tuple[float, float] | None:
        # By Welch and Satterthwaite. None if a verified benchmark has no variance, or none is verified.
        if not self.verified or self.estimated < self.verified:
            return None
        variance = _nearest(self.variances)
        return variance / benchmarks**2, variance**2 / _nearest(self.shares)

    @property
    def sums(self) -> ScorePart:
        return ScorePart(_nearest(self.logs), _nearest(self.improvements))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardScale:
    benchmarks: Collection[str]
    # Empty where each replay measures its own reference.
    baselines: Mapping[str, float]
    # None where each replay measures its own.
    references: Mapping[str, Reference] | None
    lower_is_better: bool

    def nothing(self) -> Totals:
        # Every recorded benchmark counts as not verified.
        totals = Totals()
        for reference in (self.references or {}).values():
            totals.add(self._uncredited(reference))
        return totals

    def count(self, item: Counted, totals: Totals, sign: int = 1) -> None:
        totals.pending += sign * item.pending
        if not item.verified:
            return
        totals.effective_actions += sign * (item.effective_actions or 0)
        if item.uri not in self.benchmarks:
            return
        if self.references is None:
            if item.log_ratio is not None:
                totals.verified += sign
                totals.copied += sign * item.copied
                totals.records += sign * item.record
                totals.add(measured_part(item.log_ratio, lower_is_better=self.lower_is_better), sign)
                if item.error is not None:
                    totals.add_error(*item.error, sign)
        elif item.value is not None:
            reference = self.references[item.uri]
            part = recorded_part(reference, item.value, lower_is_better=self.lower_is_better)
            totals.verified += sign
            totals.copied += sign * item.copied
            totals.records += sign * item.record
            totals.add(part, sign)
            totals.add(self._uncredited(reference), -sign)

    def score(self, totals: Totals, *, benchmarks: int) -> Score:
        return score_of(totals.sums, verified=totals.verified, total=benchmarks)

    def _uncredited(self, reference: Reference) -> ScorePart:
        return recorded_part(reference, None, lower_is_better=self.lower_is_better)


def exact_sum_text(whole: int) -> str:
    # A whole number and the power of two to multiply it with, such as `-3p-7`.
    zeros = max(0, (whole & -whole).bit_length() - 1)
    return f"{whole >> zeros}p{zeros - _POINT}"


def read_exact_sum(text: str) -> int:
    whole, _, power = text.partition("p")
    return int(whole) << (int(power) + _POINT)


def _whole(value: float) -> int:
    numerator, denominator = value.as_integer_ratio()
    return numerator << (_POINT + 1 - denominator.bit_length())


def _nearest(whole: int) -> float:
    return whole / (1 << _POINT)
