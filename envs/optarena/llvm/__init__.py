"""The LLVM room: the engine on libLLVM, the action tables, the session type and the program runner.

Session processes load these modules, so none may import numpy, gymnasium or grpc, except ``env`` (the
gymnasium side), ``making`` and ``derived``. ``actions`` is pure data and works on every platform.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optarena.llvm.making import make_benchmark

__all__ = ["make_benchmark"]


def __getattr__(name: str) -> object:
    # A session's process does not need make_benchmark.
    if name != "make_benchmark":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from optarena.llvm.making import make_benchmark  # noqa: PLC0415 - see above

    return make_benchmark
