"""What an entry's items count together, as sums that one item changes by one addition.

Pure functions of plain values, as in ``ranking``. The sums are exact: every float is a whole number of the
smallest positive one. So an entry has the same totals, and the same score, in whatever order its items end
and are reopened, and however often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from leaderboard import ranking
from leaderboard.ranking import ScorePart

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from leaderboard.ranking import Reference, Score

_POINT: Final = 1_074
"""The smallest positive float is 2 to the power of minus this."""


class Counted(NamedTuple):
    """What a total depends on, of an item.

    Attributes:
        uri: The URI of its benchmark.
        pending: Whether its replay has not ended.
        verified: Whether its replay counts.
        value: What the replay measured.
        log_ratio: The logarithm of its ratio to the reference.
        effective_actions: Actions that changed something.
        error: The square of the standard error of ``log_ratio``, and its degrees of freedom; None where it is
            exact, or unknown.
        copied: Whether it is known not to be a find of its owner.
    """

    uri: str
    pending: bool
    verified: bool
    value: float | None
    log_ratio: float | None
    effective_actions: int | None
    error: tuple[float, float] | None = None
    copied: bool = False


@dataclass(slots=True)
class Totals:
    """The sums over an entry, those of floats in units of the smallest positive float.

    Attributes:
        logs: Of the logarithms of ratios.
        improvements: Of the improvements.
        variances: Of their variances.
        shares: Of the square of each variance, divided by its degrees of freedom.
        verified: Number of verified benchmarks.
        copied: Number of those that are not finds of their owner.
        estimated: Number of those with a variance.
        pending: Number of items that wait for their replay.
        effective_actions: Actions that changed something.
    """

    logs: int = 0
    improvements: int = 0
    variances: int = 0
    shares: int = 0
    estimated: int = 0
    verified: int = 0
    copied: int = 0
    pending: int = 0
    effective_actions: int = 0

    def add(self, part: ScorePart, sign: int = 1) -> None:
        """Add a benchmark's part, or take it away."""
        self.logs += sign * _whole(part.log)
        self.improvements += sign * _whole(part.improvement)

    def add_error(self, variance: float, freedom: float, sign: int = 1) -> None:
        """Add the error of a benchmark's part, or take it away."""
        self.variances += sign * _whole(variance)
        self.shares += sign * _whole(variance**2 / freedom)
        self.estimated += sign

    def error(self, *, benchmarks: int) -> tuple[float, float] | None:
        """The variance of the mean logarithm over so many benchmarks, and its degrees of freedom.

        By Welch and Satterthwaite. None if a verified benchmark has no variance, or none is verified.
        """
        if not self.verified or self.estimated < self.verified:
            return None
        variance = _nearest(self.variances)
        return variance / benchmarks**2, variance**2 / _nearest(self.shares)

    @property
    def sums(self) -> ScorePart:
        """Both sums as the nearest floats."""
        return ScorePart(_nearest(self.logs), _nearest(self.improvements))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardScale:
    """What items count on a board.

    Attributes:
        benchmarks: The URIs of the board's benchmarks, or of those that are asked for.
        baselines: The values recorded for them, by URI; empty where each replay measures its own.
        references: Those that values are compared with, by URI; None where each replay measures its own.
        lower_is_better: The direction of the metric.
    """

    benchmarks: Collection[str]
    baselines: Mapping[str, float]
    references: Mapping[str, Reference] | None
    lower_is_better: bool

    def nothing(self) -> Totals:
        """The totals of an entry without items: every recorded benchmark counts as not verified."""
        totals = Totals()
        for reference in (self.references or {}).values():
            totals.add(self._uncredited(reference))
        return totals

    def count(self, item: Counted, totals: Totals, sign: int = 1) -> None:
        """Count an item in the totals of its entry, or no longer."""
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
                totals.add(ranking.measured_part(item.log_ratio, lower_is_better=self.lower_is_better), sign)
                if item.error is not None:
                    totals.add_error(*item.error, sign)
        elif item.value is not None:
            reference = self.references[item.uri]
            part = ranking.recorded_part(reference, item.value, lower_is_better=self.lower_is_better)
            totals.verified += sign
            totals.copied += sign * item.copied
            totals.add(part, sign)
            totals.add(self._uncredited(reference), -sign)

    def floor(self, uri: str) -> float:
        """The logarithm of the ratio that a benchmark without a verified result counts."""
        return 0.0 if self.references is None else self._uncredited(self.references[uri]).log

    def score(self, totals: Totals, *, benchmarks: int) -> Score:
        """The score of an entry on a board of so many benchmarks."""
        return ranking.score_of(totals.sums, verified=totals.verified, total=benchmarks)

    def _uncredited(self, reference: Reference) -> ScorePart:
        return ranking.recorded_part(reference, None, lower_is_better=self.lower_is_better)


def written(whole: int) -> str:
    """A sum as a text: a whole number and the power of two to multiply it with, such as ``-3p-7``."""
    zeros = max(0, (whole & -whole).bit_length() - 1)
    return f"{whole >> zeros}p{zeros - _POINT}"


def read(text: str) -> int:
    """The sum of a text that ``written`` made."""
    whole, _, power = text.partition("p")
    return int(whole) << (int(power) + _POINT)


def _whole(value: float) -> int:
    numerator, denominator = value.as_integer_ratio()
    return numerator << (_POINT + 1 - denominator.bit_length())


def _nearest(whole: int) -> float:
    return whole / (1 << _POINT)
