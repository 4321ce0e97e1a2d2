"""The LLVM room: the engine on libLLVM, the action tables, the session type and the program runner.

Modules here are loaded by the session processes, so none may import numpy, gymnasium or grpc;
``actions`` is pure data and works on every platform. ``env`` (the gymnasium side), ``making`` and ``derived``
are the exceptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optarena.llvm.making import make_benchmark

__all__ = ["make_benchmark"]


def __getattr__(name: str) -> object:
    """Loads ``make_benchmark`` at its first use: a session's process does not need it."""
    if name != "make_benchmark":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from optarena.llvm.making import make_benchmark  # noqa: PLC0415 - see above

    return make_benchmark
