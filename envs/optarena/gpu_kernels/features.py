"""The static features of a kernel, in their order in the vector ``features``; each needs no GPU."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.gpu_kernels.cubin import CLASSES, classes
from optarena.gpu_kernels.occupancy import occupancy

if TYPE_CHECKING:
    from optarena.gpu_kernels.ptxas import Assembled

REGISTER_BYTES: Final = 4
_PTX_INSTRUCTION: Final = re.compile(r"^\t(?:@!?%p\d+ )?[a-z][\w.]*(?:\s[^\n]*)?;$", re.MULTILINE)
NAMES: Final = (
    "ir_instructions",
    "ptx_instructions",
    "sass_instructions",
    "registers",
    "stack_bytes",
    "spill_bytes",
    "shared_bytes",
    "thread_bytes",
    *(f"sass_{name}" for name in CLASSES),
)


def thread_bytes(assembled: Assembled) -> int:
    """The static cost: bytes of registers and local memory of a thread.

    It is always taken at -O3 of ptxas. A lower level unrolls less, so it needs fewer registers; but it makes
    slower code, and would be the best choice for every kernel.
    """
    return REGISTER_BYTES * assembled.registers + assembled.stack_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What is known of a kernel without running it.

    Attributes:
        values: The integers, by the names of :data:`NAMES`.
        occupancy: Warps that a multiprocessor can hold at once, as a share of its limit.
    """

    values: dict[str, int]
    occupancy: float

    @classmethod
    def of(
        cls, *, ir_instructions: int, ptx: str, assembled: Assembled, thread_bytes: int, threads: int
    ) -> Features:
        """The features of an assembled kernel.

        Args:
            ir_instructions: Instructions of its IR.
            ptx: Its PTX.
            assembled: What ptxas made of that.
            thread_bytes: Its cost, see :func:`thread_bytes`.
            threads: Threads of a block.
        """
        sass = classes(assembled.cubin)
        values = {
            "ir_instructions": ir_instructions,
            "ptx_instructions": len(_PTX_INSTRUCTION.findall(ptx)),
            "sass_instructions": sum(sass.values()),
            "registers": assembled.registers,
            "stack_bytes": assembled.stack_bytes,
            "spill_bytes": assembled.spill_bytes,
            "shared_bytes": assembled.shared_bytes,
            "thread_bytes": thread_bytes,
            **{f"sass_{name}": count for name, count in sass.items()},
        }
        share = occupancy(threads, assembled.registers, assembled.shared_bytes)
        return cls(values=values, occupancy=share)
