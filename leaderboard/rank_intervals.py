"""Ranks of measured scores: an interval for each entry, since measurements do not tell every two apart.

Pure functions of plain values, as in ``ranking``. Two entries differ if Welch's t-test (1947) says so at a
level of 5 % over all pairs of the board (Holm, 1979): on a board of equal entries, any difference at all is
found in at most 5 % of cases. An entry's rank is one more than the number of entries that are better by such
a difference, at best, and that of all entries less those that are worse, at worst.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from optarena.measuring.estimates import Estimate

    Values = np.ndarray[Any, np.dtype[np.float64]]

LEVEL: Final = 0.05
"""The probability that a board of equal entries shows any difference, at most."""
MOST_COMPARED: Final = 1_000
"""So many entries of a board have ranks: the pairs of more would take seconds."""


class RankInterval(NamedTuple):
    """The best and the worst rank of an entry, counted from 1."""

    low: int
    high: int


@lru_cache(maxsize=128)
def rank_intervals(scores: tuple[Estimate, ...]) -> tuple[RankInterval, ...]:
    """The interval of each entry of a board, in the order of the scores.

    The order of the scores changes nothing else. An entry never stands wholly before one with a better score.

    Raises:
        ValueError: There are more than ``MOST_COMPARED``.
    """
    import numpy as np  # noqa: PLC0415 - most processes never need it

    if len(scores) > MOST_COMPARED:
        raise ValueError(f"{len(scores)} entries cannot be compared; at most {MOST_COMPARED} can.")
    number = len(scores)
    one, other = np.triu_indices(number, 1)
    means = np.array([score.mean for score in scores])
    differ = rejected(_probabilities(scores, one, other))
    first_better = means[one] > means[other]
    winners = np.where(first_better, one, other)[differ]
    losers = np.where(first_better, other, one)[differ]
    better = np.bincount(losers, minlength=number)
    worse = np.bincount(winners, minlength=number)
    return tuple(
        RankInterval(1 + int(above), number - int(below)) for above, below in zip(better, worse, strict=True)
    )


def _probabilities(scores: tuple[Estimate, ...], one: Any, other: Any) -> Values:  # noqa: ANN401 # arrays of indices
    """For each pair, the probability of a difference as large as theirs between equal entries."""
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
    """Which hypotheses Holm's procedure rejects: the least probable ones, up to the first that it keeps."""
    import numpy as np  # noqa: PLC0415 - as above

    order = np.argsort(probabilities, kind="stable")
    kept = probabilities[order] > level / (len(order) - np.arange(len(order)))
    found = np.zeros(len(order), dtype=bool)
    found[order[: int(np.argmax(kept)) if kept.any() else len(order)]] = True
    return found
