"""Random numbers that are the same on every machine and in every version of Python, from one seed.

Splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

_T = TypeVar("_T")

_MASK: Final = 2**64 - 1
_STEP: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST_SHIFT: Final = 31
_PERCENT: Final = 100


class SplitMix64:
    """A stream of random numbers.

    Args:
        seed: Any whole number; its lowest 64 bits count.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = mixed = (self._state + _STEP) & _MASK
        for shift, factor in _MIX:
            mixed = ((mixed ^ (mixed >> shift)) * factor) & _MASK
        return mixed ^ (mixed >> _LAST_SHIFT)

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``; the numbers are almost equally likely."""
        return (self.bits() * count) >> 64

    def between(self, low: int, high: int) -> int:
        """A number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True with a probability of ``percent`` in a hundred."""
        return self.below(_PERCENT) < percent

    def pick(self, items: Sequence[_T]) -> _T:
        """One of the items, each with the same probability."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[_T, int]]) -> _T:
        """One of the items, each with a probability proportional to its weight."""
        left = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            left -= weight
            if left < 0:
                return item
        raise AssertionError("the weights are counted above")
