"""The operands and the result of the addition, in memory that reveals wrong code."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.loop_tool.backend import IncorrectOutput

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAGE: Final = 4096
_OFFSETS: Final = (0, 21 * 64, 42 * 64)
"""Offsets of the three buffers in a page: they differ, since loads wait for stores to the same offset."""
_GUARD_BYTES: Final = 4096
_GUARD: Final = 0xA5
_PERIODS: Final = (65521, 65519)
"""Inputs repeat after these primes: filling is fast, and no pair occurs twice in the largest benchmark."""
_SEED: Final = 11
_CHUNK: Final = 1 << 16
"""Elements compared at once, few enough to stay in the cache."""


class Buffers:
    """Inputs without a zero, and an output between guard zones.

    Args:
        elements: ``N``.

    Attributes:
        a: First operand, ``float32[N]``.
        b: Second operand.
        c: Result.
    """

    def __init__(self, elements: int) -> None:
        self.a, self.b = (_inputs(elements, number) for number in (0, 1))
        memory = _memory(elements, _OFFSETS[2])
        end = _GUARD_BYTES + 4 * elements
        self.c: NDArray[np.float32] = memory[_GUARD_BYTES:end].view(np.float32)
        self._guards = (memory[:_GUARD_BYTES], memory[end:])

    def spoil(self) -> None:
        """Set every element of the result to NaN, which is wrong."""
        self.c.fill(np.nan)

    def check(self, what: str) -> None:
        """Compare the result, bit for bit, with numpy's.

        Args:
            what: The name of the code that computed it, for the message.

        Raises:
            IncorrectOutput: An element is not the sum, or something was written beyond the result.
        """
        total = len(self.c)
        expected = np.empty(min(_CHUNK, total), np.float32)
        for begin in range(0, total, _CHUNK):
            part = slice(begin, min(begin + _CHUNK, total))
            right = expected[: part.stop - begin]
            np.add(self.a[part], self.b[part], out=right)
            if not np.array_equal(self.c[part].view(np.uint32), right.view(np.uint32)):
                wrong = int(np.argmax(self.c[part].view(np.uint32) != right.view(np.uint32)))
                raise IncorrectOutput(
                    f"{what} computed {float(self.c[begin + wrong])} instead of {float(right[wrong])} for "
                    f"element {begin + wrong} of {total}. It was not timed."
                )
        if any((guard != _GUARD).any() for guard in self._guards):
            raise IncorrectOutput(f"{what} wrote outside its {total} elements. It was not timed.")


def _inputs(elements: int, number: int) -> NDArray[np.float32]:
    """Numbers in [1, 2), the same in every process."""
    period = _PERIODS[number]
    bits = np.frombuffer(random.Random(_SEED + number).randbytes(4 * period), np.uint32)  # noqa: S311 # test data
    pattern = ((bits & 0x007FFFFF) | 0x3F800000).view(np.float32)
    memory = _memory(elements, _OFFSETS[number])
    values = memory[_GUARD_BYTES : _GUARD_BYTES + 4 * elements].view(np.float32)
    for begin in range(0, elements, period):
        values[begin : begin + period] = pattern[: elements - begin]
    return values


def _memory(elements: int, offset: int) -> NDArray[np.uint8]:
    """Bytes for a buffer and the guard zones around it, at an offset from the start of a page."""
    size = 4 * elements + 2 * _GUARD_BYTES
    raw: NDArray[Any] = np.empty(size + _PAGE, np.uint8)
    begin = (offset - raw.ctypes.data) % _PAGE
    memory = raw[begin : begin + size]
    # Guards surround the inputs too: the sum of two guards is not a guard, so adding and storing them shows.
    memory[:_GUARD_BYTES] = memory[-_GUARD_BYTES:] = _GUARD
    return memory
