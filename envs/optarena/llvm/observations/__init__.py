"""The observations of an LLVM session. Each module lists its own; none imports numpy.

An observation's index in the service is its place in this order. Clients look observations up by name,
and learn the index from the service.
"""

from __future__ import annotations

from typing import Final

from optarena.llvm.observations import basic, building, compiler_gym, functions, graph, loops, vectors
from optarena.llvm.observations.definition import Observed

__all__ = ["OBSERVED", "Observed"]

OBSERVED: Final = (
    *basic.OBSERVED,
    *building.OBSERVED,
    *vectors.OBSERVED,
    *graph.OBSERVED,
    *functions.OBSERVED,
    *loops.OBSERVED,
    *compiler_gym.OBSERVED,
)
