"""The inside of a worker that runs a program: compile, report ready, wait for the word, run, end.

Called in a process forked from the zygote, after it was confined. It opens nothing: what the program may
call is loaded before. The program ends the process, and nothing of Python runs after it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.llvm.jit import Jit
from optarena.llvm.module import Module
from optarena.service import wire

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

# The C library, its mathematics, and the arithmetic that a code generator may call (such as 128-bit
# division). LLJIT would also find functions of Python itself; ``runnable`` refuses programs that need them.
_LIBRARIES: Final = ("libc.so.6", "libm.so.6")
_OPTIONAL_LIBRARIES: Final = ("libgcc_s.so.1",)
_RESET_SIGNALS: Final = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)

GO: Final = b"go"

_Main = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Exit = ctypes.CFUNCTYPE(None, ctypes.c_int)


@lru_cache(maxsize=1)
def callable_libraries() -> dict[str, ctypes.CDLL]:
    """The libraries whose functions programs may call, by name; loaded at the first call."""
    loaded = {name: ctypes.CDLL(name) for name in _LIBRARIES}
    for name in _OPTIONAL_LIBRARIES:
        with suppress(OSError):  # absent on minimal systems; few programs need it
            loaded[name] = ctypes.CDLL(name)
    return loaded


def child_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> NoReturn:
    """Runs a program and ends the process with its exit code.

    Args:
        channel: Frames: from here a line with ``{"ready": true}``, after it the object file if it was made
            here, or a line with ``{"error": text}``; then ``go`` from the parent.
        payload: A line of JSON with ``args``, the program's arguments, and ``is_object``, then the bitcode or
            the object file.
        fds: The program's standard input and output.
    """
    head, _, content = payload.partition(b"\n")
    given = json.loads(head)
    try:
        main, code = _load(content) if given["is_object"] else _compile(content)
    except Exception as error:  # noqa: BLE001 - whatever it was, the parent is told and decides
        wire.send(channel, json.dumps({"error": str(error)}).encode())
        os._exit(os.EX_SOFTWARE)
    argv = _argument_vector(["program", *given["args"]])
    os.dup2(fds[0], 0)
    os.dup2(fds[1], 1)
    os.closerange(fds[0], fds[0] + 1)
    os.closerange(fds[1], fds[1] + 1)
    for number in _RESET_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    wire.send(channel, json.dumps({"ready": True}).encode() + b"\n" + code)
    if wire.receive(channel) != GO:
        os._exit(os.EX_PROTOCOL)
    channel.close()
    _end(main(len(argv) - 1, ctypes.addressof(argv), None))


def _compile(bitcode: bytes) -> tuple[ctypes._CFunctionType, bytes]:
    """The function, and the object file that it is of."""
    jit = _jit()
    jit.add_module(Module.parse(bitcode))
    main = _Main(jit.address("main"))
    [code] = jit.compiled
    return main, code


def _load(code: bytes) -> tuple[ctypes._CFunctionType, bytes]:
    jit = _jit()
    jit.add_object(code)
    return _Main(jit.address("main")), b""


def _jit() -> Jit:
    """A compiler whose code lives until the process ends."""
    jit = Jit()
    jit.define({"exit": ctypes.cast(_end_program, ctypes.c_void_p).value or 0})
    for name in callable_libraries():
        jit.add_library_symbols(Path(name))
    return jit


def _argument_vector(arguments: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * (len(arguments) + 1))(*[text.encode() for text in arguments], None)


def _end(code: int) -> NoReturn:
    """What ``exit`` does without the handlers of a process that is not the program's own."""
    callable_libraries()["libc.so.6"].fflush(None)
    os._exit(code & 0xFF)


_end_program: Final = _Exit(_end)
