"""What can be observed of an LLVM session. Each module lists its own; nothing imports numpy here.

The order is the index by which services are asked, so modules are only ever appended.
"""

from __future__ import annotations

from typing import Final

from optarena.llvm.observations import basic, building, functions, graph, loops, vectors
from optarena.llvm.observations.definition import Observed

__all__ = ["OBSERVED", "Observed"]

OBSERVED: Final = (
    *basic.OBSERVED,
    *building.OBSERVED,
    *vectors.OBSERVED,
    *graph.OBSERVED,
    *functions.OBSERVED,
    *loops.OBSERVED,
)
