"""The plan of a schedule: the form that both backends lower to machine code.

* Loop ``l`` runs ``size`` full iterations and one shorter one for its tail, so every level that may end early
  stops at its parent's end.
* The iterations of the threaded levels are numbered together, the outermost level varying slowest, and
  threads share these numbers. Serial levels run inside each.
* The *leaf* is the only vectoriser: the longest run of innermost loops without a tail and without threads
  that covers at most ``MAX_LEAF`` elements becomes straight-line code of that many elements.
* A loop of one iteration is dropped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.loop_tool.nest import Nest

VERSION: Final = "loop_tool 1"
"""Increase this when a schedule is lowered or measured differently."""
MAX_LEAF: Final = 64
"""The maximum number of elements of straight-line code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One loop above the leaf.

    Attributes:
        trips: Iterations in a whole block, including the one for the tail; at least 2.
        step: Elements that a whole iteration covers.
        threaded: Whether its iterations are shared out to threads.
        ragged: Whether an iteration may be shorter than ``step``, by its own tail or a parent's: then it ends
            with its parent's block. Otherwise every block is whole.
    """

    trips: int
    step: int
    threaded: bool
    ragged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The form in which a nest is lowered.

    Attributes:
        elements: ``N``.
        levels: The remaining loops, outermost first.
        leaf: Elements of straight-line code; a block that ends earlier runs element by element.
        ragged: Whether a block may end inside a leaf.
    """

    elements: int
    levels: tuple[Level, ...]
    leaf: int
    ragged: bool

    @property
    def parallel(self) -> int:
        """The number of iterations that are shared out to threads: 1 if nothing is threaded."""
        return math.prod(level.trips for level in self.levels if level.threaded)

    @classmethod
    def of(cls, nest: Nest) -> Plan:
        """The plan of a nest."""
        covered = nest.covered
        first = _first_of_leaf(nest)
        levels, ragged = [], False
        for loop, step in zip(nest.loops[:first], covered[1:], strict=False):
            ragged = ragged or loop.tail > 0
            trips = loop.size + (loop.tail > 0)
            if trips > 1:
                levels.append(Level(trips=trips, step=step, threaded=loop.threaded, ragged=ragged))
        return cls(elements=nest.elements, levels=tuple(levels), leaf=covered[first], ragged=ragged)


def _first_of_leaf(nest: Nest) -> int:
    """The index of the outermost loop of the leaf; the depth of the nest if the leaf is one element."""
    first = len(nest.loops)
    while first > 0:
        loop = nest.loops[first - 1]
        if loop.tail or loop.threaded or nest.covered[first - 1] > MAX_LEAF:
            break
        first -= 1
    return first
