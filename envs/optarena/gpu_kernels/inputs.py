"""Random inputs by seed: the same numbers everywhere, without numpy in a session's process.

Element ``i`` of seed ``s`` is the output of splitmix64 for ``2**32 * s + i``, so elements do not depend on
each other. Numbers from -1 to 1 have 24 random bits, and are exact in float32.
"""

from __future__ import annotations

import array
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.gpu_kernels.programs import Argument

MASK: Final = 2**64 - 1
STEP: Final = 0x9E3779B97F4A7C15
FACTORS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SHIFTS: Final = (30, 27, 31)
FLOAT_SHIFT: Final = 40
"""Of 64 bits, 24 are kept."""
FLOAT_SCALE: Final = 2.0**-23
INTEGER_SHIFT: Final = 33
SEED_SHIFT: Final = 32


def mixed(number: int) -> int:
    """64 random bits."""
    value = (number + 1) * STEP & MASK
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        value = (value ^ value >> shift) * factor & MASK
    return value ^ value >> SHIFTS[-1]


def drawn(argument: Argument) -> array.array[float] | array.array[int]:
    """The elements of a random array: float32, or int32."""
    first = argument.seed << SEED_SHIFT
    if argument.kind == "f32":
        bits = (mixed(first + i) >> FLOAT_SHIFT for i in range(argument.count))
        return array.array("f", (one * FLOAT_SCALE - 1.0 for one in bits))
    whole = [(mixed(first + i) >> INTEGER_SHIFT) % argument.below for i in range(argument.count)]
    if argument.kind == "offsets":
        whole = [0, *accumulate(whole[:-1])]
    return array.array("i", whole)
