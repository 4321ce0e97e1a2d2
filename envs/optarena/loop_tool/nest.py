"""The loop nest and the cursor that moves over it, as a pure state machine.

A nest of loops covers the ``N`` elements of one variable ``a``. One iteration of a loop covers the whole nest
below it, and a *tail* counts the elements that remain after the full iterations. Folding
``v = v * size + tail`` from the innermost loop, where ``v`` starts at 1, to the outermost always gives ``N``.
This module does not compile or measure, and imports nothing heavy.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, Literal

DEPTH: Final = 3
ACTIONS: Final = ("toggle_mode", "up", "down", "toggle_thread")  # by index
Mode = Literal["size", "select"]

# The innermost loop is unrolled, so each of its statements has a nest of its own.
_BODY: Final = ("%0[a] <- read()", "%1[a] <- read()", "%2[a] <- add(%0, %1)", "%3[a] <- write(%2)")


@dataclass(frozen=True, slots=True)
class Loop:
    size: int  # full iterations, at least 1
    tail: int = 0  # elements that remain after them; fewer than one iteration covers
    threaded: bool = False  # whether its iterations are shared out to threads


@dataclass(frozen=True, slots=True)
class Nest:
    """Loops from the outermost to the innermost, which has no tail."""

    loops: tuple[Loop, ...]

    @classmethod
    def initial(cls, elements: int) -> Nest:
        # One threaded loop over all elements, and loops of one iteration inside.
        inner = (Loop(1),) * (DEPTH - 1)
        return cls((Loop(elements, threaded=True), *inner))

    @property
    def covered(self) -> tuple[int, ...]:
        # The elements that each loop covers, outermost first; then 1 for the body.
        upwards = accumulate(
            reversed(self.loops), lambda inner, loop: inner * loop.size + loop.tail, initial=1
        )
        return tuple(upwards)[::-1]

    @property
    def elements(self) -> int:  # `N`
        return self.covered[0]

    def resized(self, index: int, change: int) -> Nest:
        """The nest with a loop made larger or smaller by an iteration that its parent loses or gains.

        If that is impossible (the outermost loop, a size below 1 or a parent without an iteration), the nest
        stays as it is. A loop with a tail first loses only the tail when it is made smaller.
        """
        if index == 0:
            return self
        parent, loop = self.loops[index - 1 : index + 1]
        if change < 0 and loop.tail:
            change = 0
        size = loop.size + change
        one_iteration = self.covered[index + 1]
        if size < 1:
            return self
        # The parent covers its iterations, each with this loop's tail, and its own tail.
        parent_size, parent_tail = divmod(self.covered[index - 1], size * one_iteration)
        if parent_size < 1:
            return self
        return self._with(
            {
                index - 1: replace(parent, size=parent_size, tail=parent_tail),
                index: replace(loop, size=size, tail=0),
            }
        )

    def with_thread_toggled(self, index: int) -> Nest:
        loop = self.loops[index]
        return self._with({index: replace(loop, threaded=not loop.threaded)})

    def _with(self, changed: dict[int, Loop]) -> Nest:
        return Nest(tuple(changed.get(index, loop) for index, loop in enumerate(self.loops)))

    def __str__(self) -> str:  # one line for each loop and statement, indented by its depth
        *outer, _ = self.loops
        lines = [self._line(depth, f"L{depth}", marked=True) for depth in range(len(outer))]
        for number, statement in enumerate(_BODY):
            # The first of the innermost nests is the loop itself; only it shows whether the loop is threaded.
            lines.append(self._line(len(outer), f"L{len(outer) + 2 * number}", marked=number == 0))
            lines.append(f"{' ' * len(self.loops)}{statement}")
        return "".join(f"{line}\n" for line in lines)

    def _line(self, depth: int, label: str, *, marked: bool) -> str:
        return f"{' ' * depth}for {self.loop_text(depth, f' : {label}', marked=marked)}"

    def loop_text(self, depth: int, label: str = "", *, marked: bool = True) -> str:
        loop = self.loops[depth]
        tail = f" r {loop.tail}" if loop.tail else ""
        thread = " [thread]" if marked and loop.threaded else ""
        quotes = "'" * depth
        return f"a{quotes} in {loop.size}{tail}{label}{thread}"


@dataclass(frozen=True, slots=True)
class Tuning:
    """A nest, the cursor on one of its loops (0 is the outermost), and the mode of ``up`` and ``down``."""

    nest: Nest
    cursor: int = 0
    mode: Mode = "size"  # size: they resize the loop; select: they move the cursor inwards and outwards

    @classmethod
    def initial(cls, elements: int) -> Tuning:
        return cls(Nest.initial(elements))

    @property
    def action_state(self) -> tuple[int, int, int]:
        # The cursor, and the size and tail of the loop it is on.
        loop = self.nest.loops[self.cursor]
        return self.cursor, loop.size, loop.tail

    @property
    def summary(self) -> str:
        # The loops in a line, and what `up` and `down` do at the cursor.
        loops = ", ".join(self.nest.loop_text(depth) for depth in range(len(self.nest.loops)))
        does = "resize" if self.mode == "size" else "move the cursor from"
        quotes = "'" * self.cursor
        return f"{loops}; up and down {does} a{quotes}"

    def after(self, action: int) -> Tuning:
        match ACTIONS[action] if 0 <= action < len(ACTIONS) else "":
            case "toggle_mode":
                return replace(self, mode="select" if self.mode == "size" else "size")
            case "toggle_thread":
                return replace(self, nest=self.nest.with_thread_toggled(self.cursor))
            case "up":
                return self._move(1)
            case "down":
                return self._move(-1)
        raise ValueError(f"Out-of-range: there is no action {action}; actions are 0 to {len(ACTIONS) - 1}.")

    def _move(self, change: int) -> Tuning:
        if self.mode == "select":
            return replace(self, cursor=(self.cursor + change) % len(self.nest.loops))
        return replace(self, nest=self.nest.resized(self.cursor, change))


VERSION: Final = "loop_tool 1"  # increase this when a schedule is lowered or measured differently
MAX_LEAF: Final = 64  # elements of straight-line code


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One loop above the leaf."""

    trips: int  # in a whole block, including the one for the tail; at least 2
    step: int  # elements that a whole iteration covers
    threaded: bool
    # Whether an iteration may be shorter than `step`, by its own tail or a parent's: then it ends with its
    # parent's block. Otherwise every block is whole.
    ragged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The form in which a nest is lowered: the remaining loops, outermost first, and straight-line code."""

    elements: int
    levels: tuple[Level, ...]
    leaf: int  # elements of straight-line code; a block that ends earlier runs element by element
    ragged: bool  # whether a block may end inside a leaf

    @property
    def parallel(self) -> int:
        # The number of iterations that are shared out to threads: 1 if nothing is threaded.
        return math.prod(level.trips for level in self.levels if level.threaded)

    @classmethod
    def of(cls, nest: Nest) -> Plan:
        covered = nest.covered
        first = _first_of_leaf(nest)
        levels, ragged = [], False
        for loop, step in zip(nest.loops[:first], covered[1:], strict=False):
            ragged = ragged or loop.tail > 0
            trips = loop.size + (loop.tail > 0)
            if trips > 1:
                levels.append(Level(trips=trips, step=step, threaded=loop.threaded, ragged=ragged))
        return cls(elements=nest.elements, levels=tuple(levels), leaf=covered[first], ragged=ragged)


def _first_of_leaf(nest: Nest) -> int:  # the depth of the nest if the leaf is one element
    first = len(nest.loops)
    while first > 0:
        loop = nest.loops[first - 1]
        if loop.tail or loop.threaded or nest.covered[first - 1] > MAX_LEAF:
            break
        first -= 1
    return first


Device = Literal["cpu", "cuda"]

DATASETS: Final[dict[str, Device]] = {"loop_tool-cpu-v0": "cpu", "loop_tool-cuda-v0": "cuda"}
MIN_ELEMENTS: Final = 1
MAX_ELEMENTS: Final = 8 * 2**20
# Powers of two, from a size that fits the L1 cache to one that fits no cache, and for the smallest, a middle
# and the largest one the next smaller prime: a prime is as much work, but every way to divide the loop leaves
# a tail, and later blocks are not aligned.
BOARD_SIZES: Final = (1021, 2**10, 2**14, 2**17 - 1, 2**17, 2**20, 2**23 - 15, 2**23)
# Session parameter: checks that the benchmark's device is usable, and gives its kind.
DEVICE: Final = "loop_tool.device"
# Session parameter: the last reading of `flops` as JSON, with its spread; `null` before the first.
READING: Final = "loop_tool.reading"
_URI: Final = re.compile(r"(?:benchmark://)?([a-z0-9_.-]+)/([1-9][0-9]{0,18})")


def parse_benchmark(uri: str) -> tuple[Device, int]:
    match = _URI.fullmatch(uri)
    device = DATASETS.get(match[1]) if match else None
    if match is None or device is None or not MIN_ELEMENTS <= int(match[2]) <= MAX_ELEMENTS:
        names = " or ".join(f"benchmark://{name}/N" for name in DATASETS)
        raise ValueError(
            f"{uri!r:.200} is not a benchmark of loop_tool. "
            f"Write {names}, where N is an integer from {MIN_ELEMENTS} to {MAX_ELEMENTS}."
        )
    return device, int(match[2])
