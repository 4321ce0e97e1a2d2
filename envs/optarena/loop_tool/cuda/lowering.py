"""Lowers a plan to CUDA C, exactly as the schedule defines it.

* Threaded levels are the mixed-radix digits of ``blockIdx.x * 256 + threadIdx.x``, the outermost level
  varying slowest: whether neighbouring threads touch neighbouring elements follows from the schedule alone.
* Serial levels have ``#pragma unroll 1``, so that the compiler does not unroll them.
* The leaf is straight-line code, with its loads before its stores. ptxas interleaves them, so it decides how
  many are in flight at once. The leaf is the only vectoriser: its accesses are 128 bits wide if its elements
  and the step of every level are multiples of 4, and 64 bits if they are multiples of 2.
* A level ends with its parent's block only if the plan is ragged.

The text of a plan is always the same, so it serves as a cache key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from optarena.cuda.kernels import BLOCK, Kernel, source_of
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.loop_tool.nest import Level, Plan

MAX_GRID: Final = 2**31 - 1  # blocks of a grid in its x dimension
# Below this number, indices have 32 bits; they are unsigned, since a block may begin at up to 2 * N.
_LIMIT_OF_32_BITS: Final = 2**31 - 2**20
_FIELDS: Final = "xyzw"


class TooManyThreads(InvalidInput):
    """A schedule has more threads than a grid can have."""


def lower(plan: Plan, name: str = "add") -> Kernel:
    threads = plan.parallel
    grid = -(-threads // BLOCK)
    if grid > MAX_GRID:
        raise TooManyThreads(
            f"The schedule has {threads} threads; a grid has at most {MAX_GRID * BLOCK}.",
            field="nest",
            value=threads,
            remedy="Thread a loop of fewer iterations.",
        )
    bits: Literal[32, 64] = 32 if max(plan.elements, threads) < _LIMIT_OF_32_BITS else 64
    body = _Body(plan, bits)
    body.write(threads)
    return Kernel(
        source=source_of(name, "\n".join(body.lines)),
        name=name,
        grid=grid,
        block=BLOCK,
        threads=threads,
        vector=vector_width(plan),
        index_bits=bits,
    )


def vector_width(plan: Plan) -> int:  # the largest width that is always aligned
    counts = (plan.leaf, *(level.step for level in plan.levels))
    return next(width for width in (4, 2, 1) if all(count % width == 0 for count in counts))


class _Body:
    def __init__(self, plan: Plan, bits: int) -> None:
        self.lines: list[str] = []
        self._plan = plan
        self._type = "unsigned" if bits == 32 else "unsigned long long"  # noqa: PLR2004 # a width in bits
        self._suffix = "u" if bits == 32 else "ull"  # noqa: PLR2004 # a width in bits
        self._open = 0

    def write(self, threads: int) -> None:
        self._thread(threads)
        begin, end = "", self._number(self._plan.elements)
        for index, level in enumerate(self._plan.levels):
            begin, end = self._level(index, level, begin, end)
        self._leaf(begin or self._number(0), end)
        while self._open:
            self._close()

    def _thread(self, threads: int) -> None:
        self._let("thread", f"({self._type})blockIdx.x * {BLOCK}u + threadIdx.x")
        if threads % BLOCK:
            self._add(f"if (thread >= {self._number(threads)}) return;")
        inside = threads
        for index, level in enumerate(self._plan.levels):
            if level.threaded:
                digit = "thread"
                outermost, inside = inside == threads, inside // level.trips
                if inside > 1:
                    digit += f" / {self._number(inside)}"
                if not outermost:
                    digit += f" % {self._number(level.trips)}"
                self._let(f"i{index}", digit)

    def _level(self, index: int, level: Level, begin: str, end: str) -> tuple[str, str]:
        # Returns the first element of the level's iteration, and the element after its last one.
        first, last, step = f"b{index}", f"e{index}", self._number(level.step)
        if level.threaded:
            self._let(first, " + ".join(filter(None, (begin, f"i{index} * {step}"))))
            if level.ragged:
                self._begin(f"if ({first} < {end})")
        else:
            self.lines.append("#pragma unroll 1")
            loop = f"{self._type} {first} = {begin or self._number(0)}; {first} < {end}; {first} += {step}"
            self._begin(f"for ({loop})")
        if self._asks_for_end(index + 1):
            whole = f"{first} + {step}"
            self._let(last, f"{whole} < {end} ? {whole} : {end}" if level.ragged else whole)
        return first, last

    def _asks_for_end(self, index: int) -> bool:
        # Whether a level, or the leaf after the last one, uses the end of its block.
        if index == len(self._plan.levels):
            return self._plan.ragged and self._plan.leaf > 1
        level = self._plan.levels[index]
        return level.ragged or not level.threaded

    def _leaf(self, begin: str, end: str) -> None:
        # Straight-line code, and a loop for a block that ends earlier.
        leaf = self._plan.leaf
        if leaf == 1:
            self._add(f"z[{begin}] = x[{begin}] + y[{begin}];")
            return
        if not self._plan.ragged:
            self._straight(begin)
            return
        self._begin(f"if ({end} - {begin} == {self._number(leaf)})")
        self._straight(begin)
        self._close()
        self._begin("else")
        self.lines.append("#pragma unroll 1")
        self._add(f"for ({self._type} b = {begin}; b < {end}; ++b) z[b] = x[b] + y[b];")
        self._close()

    def _straight(self, begin: str) -> None:  # ptxas may interleave loads and sums again
        width = vector_width(self._plan)
        kind = f"float{width}" if width > 1 else "float"
        for name, qualifier in (("x", "const "), ("y", "const "), ("z", "")):
            pointer = f"{qualifier}{kind} *"
            self._add(f"{pointer}const p{name} = ({pointer})({name} + {begin});")
        count = self._plan.leaf // width
        for number in range(count):
            self._add(f"const {kind} x{number} = px[{number}], y{number} = py[{number}];")
        for number in range(count):
            self._add(f"pz[{number}] = {self._sum(number, width)};")

    @staticmethod
    def _sum(number: int, width: int) -> str:
        if width == 1:
            return f"x{number} + y{number}"
        parts: Iterator[str] = (f"x{number}.{field} + y{number}.{field}" for field in _FIELDS[:width])
        return f"make_float{width}({', '.join(parts)})"

    def _number(self, value: int) -> str:
        return f"{value}{self._suffix}"

    def _let(self, name: str, value: str) -> None:
        self._add(f"const {self._type} {name} = {value};")

    def _begin(self, head: str) -> None:
        self._add(f"{head} {{")
        self._open += 1

    def _close(self) -> None:
        self._open -= 1
        self._add("}")

    def _add(self, line: str) -> None:
        self.lines.append("  " * (self._open + 1) + line)
