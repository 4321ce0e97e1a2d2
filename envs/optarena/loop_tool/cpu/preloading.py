"""Loads modules before a process forks workers or confines itself: afterwards nothing can be imported."""

from __future__ import annotations

import os
from typing import Final

# Without these, numpy's libraries start threads when loaded, and a process with threads cannot fork.
_ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def preload() -> None:  # starts no thread
    ours = [name for name in _ONE_THREAD if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        import numpy  # noqa: F401, ICN001, PLC0415 # not before the environment is set
    finally:
        for name in ours:
            del os.environ[name]
    from optarena.loop_tool.cpu import backend, compiling  # noqa: PLC0415 # they import numpy
    from optarena.loop_tool.nest import Nest  # noqa: PLC0415 # after the environment is set

    compiling.process_driver()
    backend.fixed_facts()
    # These times are dropped, so other backends need not wait.
    warm = backend.CpuBackend(64, workers=1, budget_seconds=0.0, alone=False)
    try:
        warm.read(Nest.initial(64))
        warm.reference()
    finally:
        warm.close()
