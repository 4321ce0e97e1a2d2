"""A session whose inliner asks as the real one does, until a parameter cuts what it writes, or hangs it."""

from __future__ import annotations

import ctypes
import os

from optarena.llvm.inliner_session import LlvmInlinerSession, replace_function
from optarena.llvm.module import helper_address
from optarena.machine_code.libllvm import library

_Write = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64)
_STDERR = 2  # the dialogue writes to a copy of it
_left: int | None = None
"""How many more bytes of the dialogue arrive; None for all, and -1 for a writer that never returns."""


def _write(file: int, data: int, count: int) -> int:
    global _left  # noqa: PLW0603 # of this process
    if _left is None or file == _STDERR or not os.path.sameopenfile(file, _STDERR):
        return _written(file, data, count)
    while _left == -1:
        pass
    arrives = min(count, _left)
    if arrives:
        _written(file, data, arrives)
    _left -= arrives
    return count


def _written(file: int, data: int, count: int) -> int:
    return int(_Write(helper_address("optarena_dialogue_write"))(file, data, count))


_REPLACEMENT = _Write(_write)


class InterruptedSession(LlvmInlinerSession):
    """Its parameter ``left`` sets how many bytes are left."""

    @classmethod
    def finish_preloading(cls) -> None:
        super().finish_preloading()
        slot = library().import_slots(["write"])["write"]
        replace_function(slot, ctypes.cast(_REPLACEMENT, ctypes.c_void_p).value or 0)

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        global _left  # noqa: PLW0603 # of this process
        if key != "left":
            return super().handle_session_parameter(key, value)
        _left = int(value)
        return value
