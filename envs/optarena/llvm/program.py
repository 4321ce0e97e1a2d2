"""The code of the workers of a program: one compiles it; another links it, waits for the signal, and runs it.

It runs in processes forked from the zygote, after they were confined. They open no files: the libraries that
the program may call are loaded before. The program ends its process, and no Python code runs after it. The
program never runs in the process that compiled it: the compiler's memory would slow down the first run only.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import time
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.errors import ServiceError
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.llvm.jit import Jit
from optarena.llvm.module import Module, optimised
from optarena.service.protocol import wire

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator, Sequence

# The C library, its mathematics, and the arithmetic that a code generator may call (such as 128-bit
# division). LLJIT would also find functions of Python itself; ``runnable`` refuses programs that need them.
_LIBRARIES: Final = ("libc.so.6", "libm.so.6")
_OPTIONAL_LIBRARIES: Final = ("libgcc_s.so.1",)
_RESET_SIGNALS: Final = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)

GO: Final = b"go"
_OK: Final = b"{}\n"
_MAX_OBJECT_BYTES: Final = MAX_MESSAGE_BYTES // 2

_Main = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Exit = ctypes.CFUNCTYPE(None, ctypes.c_int)


@lru_cache(maxsize=1)
def callable_libraries() -> dict[str, ctypes.CDLL]:
    """The libraries whose functions programs may call, by name; loaded at the first call."""
    loaded = {name: ctypes.CDLL(name) for name in _LIBRARIES}
    for name in _OPTIONAL_LIBRARIES:
        with suppress(OSError):  # missing on minimal systems; few programs need it
            loaded[name] = ctypes.CDLL(name)
    return loaded


def compile_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Compiles a program, and links it to check that no symbol is missing.

    Args:
        channel: Receives one frame: a line of JSON, with ``error`` if there is one, then the object file.
        payload: The program, as bitcode or textual IR.
        fds: Unused.
    """
    del fds
    with _told(channel):
        jit = _jit()
        jit.add_module(Module.parse(payload))
        jit.address("main")
        code = _only_object(jit)
    wire.send(channel, _OK + code)


def optimise_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Optimises a program by one of LLVM's own levels.

    Args:
        channel: Receives one frame: a line of JSON, with ``error`` if there is one, then the bitcode.
        payload: A line with the level, then the program.
        fds: Unused.
    """
    del fds
    level, _, program = payload.partition(b"\n")
    with _told(channel), optimised(program, level.decode()) as module:
        code = module.bitcode()
    wire.send(channel, _OK + code)


def run_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> NoReturn:
    """Runs a program and ends the process with its exit code.

    Args:
        channel: Carries two frames: when the program is ready, a line of JSON, with ``error`` if there is
            one, and the CPU time so far, in seconds; then ``go`` from the parent.
        payload: A line with the program's arguments as a JSON list, then its object file.
        fds: The program's standard input and output.
    """
    arguments, _, code = payload.partition(b"\n")
    with _told(channel):
        jit = _jit()
        jit.add_object(code)
        main = _Main(jit.address("main"))
    argv = _argument_vector(["program", *json.loads(arguments)])
    os.dup2(fds[0], 0)
    os.dup2(fds[1], 1)
    os.closerange(fds[0], fds[0] + 1)
    os.closerange(fds[1], fds[1] + 1)
    for number in _RESET_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    os.environ.clear()  # the program's output must not depend on where it runs
    wire.send(channel, _OK + repr(time.process_time()).encode())
    if wire.receive(channel) != GO:
        os._exit(os.EX_PROTOCOL)
    channel.close()
    _end(main(len(argv) - 1, ctypes.addressof(argv), None))


@contextmanager
def _told(channel: socket.socket) -> Iterator[None]:
    """Reports an error to the parent, and then ends the process."""
    try:
        yield
    except MemoryError:  # the process ends by the exit code that says so
        raise
    except Exception as error:  # noqa: BLE001 - any error is reported to the parent, which decides
        wire.send(channel, json.dumps({"error": str(error)}).encode() + b"\n")
        os._exit(os.EX_SOFTWARE)


def _only_object(jit: Jit) -> bytes:
    """The object file of the program.

    Raises:
        ServiceError: The file is too large, or the compiler made a second one.
    """
    if len(jit.compiled) != 1:
        raise ServiceError("The program refers to a symbol that only a linker defines, such as __dso_handle.")
    [code] = jit.compiled
    if len(code) > _MAX_OBJECT_BYTES:
        raise ServiceError(
            f"The program's object file has {len(code)} bytes; at most {_MAX_OBJECT_BYTES} can be run."
        )
    return code


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
    """Exits as ``exit`` does, but without this Python process's exit handlers."""
    callable_libraries()["libc.so.6"].fflush(None)
    os._exit(code & 0xFF)


_end_program: Final = _Exit(_end)
