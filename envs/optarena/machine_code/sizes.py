"""The sizes of machine code that several compilers are measured by. Pure data.

A metric of one name means the same whatever compiler made the code, so that results can be compared.
"""

from __future__ import annotations

from optarena import limits
from optarena.specs import Metric


def text_size(observation: str) -> Metric:
    """Bytes of the executable sections of an object file: ``elf.executable_bytes``.

    Args:
        observation: The observation space that gives it.
    """
    return Metric(
        name="text_size_bytes",
        title="Machine code size",
        unit="bytes",
        observation=observation,
        cpu_seconds=limits.CODE_CPU_SECONDS,
    )


def load_size(observation: str) -> Metric:
    """Bytes of code, read-only data and data of position-independent code: ``elf.loaded_bytes``.

    Code alone could be moved into tables.

    Args:
        observation: The observation space that gives it.
    """
    return Metric(
        name="load_size_bytes",
        title="Loaded bytes",
        unit="bytes",
        observation=observation,
        cpu_seconds=limits.CODE_CPU_SECONDS,
    )
