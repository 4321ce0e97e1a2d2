"""The environments' classes, for annotations and ``isinstance``; each is imported when it is first named.

To make one use :func:`optarena.make`. Importing this module loads no compiler.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv
    from optarena.loop_tool.env import LoopToolEnv

__all__ = ["LlvmEnv", "LoopToolEnv"]

_HOMES: Final = {"LlvmEnv": "optarena.llvm.env", "LoopToolEnv": "optarena.loop_tool.env"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 # a class
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
