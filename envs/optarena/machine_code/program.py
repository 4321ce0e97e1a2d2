"""The code of the worker of a program: it links the program, waits for the signal, and runs it.

It runs in a process forked from the zygote, after it was confined. It opens no files: the libraries that the
program may call are loaded before. The program ends its process, and no Python code runs after it. The
program never runs in the process that compiled it: the compiler's memory would slow down the first run only.
"""

from __future__ import annotations

import ctypes
import json
import locale
import mmap
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.errors import ServiceError
from optarena.machine_code.libllvm import ObjectJit, cxx_libraries, library
from optarena.service.protocol import frames
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    import socket

# The C library, its mathematics, libc++ as it came with libLLVM, and the arithmetic that a code generator
# may call (such as 128-bit division), whose library has an unwinder, too: that of libc++ comes before. LLJIT
# would also find functions of Python itself: ``optarena.llvm.runnable`` refuses programs that need them, and
# the verifier of GCC does not look for them.
_LIBRARIES: Final = ("libc.so.6", "libm.so.6")
_OPTIONAL_LIBRARIES: Final = ("libgcc_s.so.1",)
_RESET_SIGNALS: Final = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)

_SMALL_BLOCKS: Final = tuple(size for size in range(24, 1040, 16) for _ in range(16))
_HEAP_BLOCK: Final = 40_008
_LARGE_BLOCK: Final = 5_000_000
_PAGES: Final = 256
_pages: Final[list[mmap.mmap]] = []

# What programs call atexit(), a name that LLJIT has taken.
AT_EXIT: Final = "optarena_atexit"
GO: Final = b"go"
OK: Final = b"{}\n"

_Main = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Exit = ctypes.CFUNCTYPE(None, ctypes.c_int)
_Add = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_AddOwned = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


@lru_cache(maxsize=1)
def callable_libraries() -> dict[str, ctypes.CDLL]:
    # Those whose functions programs may call.
    cxx = (str(path) for path in cxx_libraries(library().path))
    loaded = {name: ctypes.CDLL(name) for name in (*_LIBRARIES, *cxx)}
    for name in _OPTIONAL_LIBRARIES:
        with suppress(OSError):  # missing on minimal systems; few programs need it
            loaded[name] = ctypes.CDLL(name)
    return loaded


def is_in_libraries(name: str) -> bool:
    return any(hasattr(handle, name) for handle in callable_libraries().values())


class ProgramSession(CompilationSession):
    @classmethod
    def preload(cls) -> None:
        library()
        callable_libraries()


def run_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> NoReturn:
    # The channel carries two frames: when the program is ready, a line of JSON, with `error` if there is one,
    # and the CPU time so far, in seconds; then `go` from the parent. The payload is a line of JSON, with the
    # program's arguments and whether to move its addresses, then its object file. `fds` are its standard
    # input and output, and, if wanted, where to write what the sandbox refuses.
    line, _, code = payload.partition(b"\n")
    arguments, elsewhere = json.loads(line)
    with report_errors(channel):
        if elsewhere:
            _move_addresses()
        jit = ObjectJit()
        define_libraries(jit)
        jit.add_object(code)
        main = _Main(link_main(jit))
    words = ["program", *arguments]
    argv = (ctypes.c_char_p * (len(words) + 1))(*[word.encode() for word in words], None)
    os.dup2(fds[0], 0)
    os.dup2(fds[1], 1)
    os.closerange(fds[0], fds[0] + 1)
    os.closerange(fds[1], fds[1] + 1)
    for number in _RESET_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    # The program's output must not depend on where it runs, and an executable starts in the C locale.
    os.environ.clear()
    callable_libraries()["libc.so.6"]["setlocale"](locale.LC_ALL, b"C")
    frames.send(channel, OK + repr(time.process_time()).encode())
    # Asleep: to look whether others need the processor would leave a file open.
    if frames.receive(channel, beside_others=True) != GO:
        os._exit(os.EX_PROTOCOL)
    channel.close()
    if fds[2:]:
        from optarena.isolation import refusals  # noqa: PLC0415 # loaded before this process was confined

        refusals.report_to(fds[2])
    last = ctypes.addressof(argv) + ctypes.sizeof(argv) - ctypes.sizeof(ctypes.c_char_p)

    def run() -> NoReturn:  # the null at the end is an empty environment
        _end(main(len(argv) - 1, ctypes.addressof(argv), last))

    if elsewhere:
        _nested.append(run)
        _call_nested()
        os._exit(os.EX_SOFTWARE)  # ctypes lost an error, after which the program must not start again
    run()


def _move_addresses() -> None:
    # What is placed later has other addresses: code, small blocks, the heap, large ones. None of these blocks
    # is freed.
    libc = callable_libraries()["libc.so.6"]
    for size in (*_SMALL_BLOCKS, _HEAP_BLOCK, _LARGE_BLOCK):
        libc["malloc"](ctypes.c_size_t(size))
    _pages.extend(mmap.mmap(-1, mmap.PAGESIZE) for _ in range(_PAGES))


# Calls the program deeper in the stack.
_nested: Final[list[Callable[[], NoReturn]]] = []


def _run_nested() -> None:
    _nested.pop()()


_call_nested: Final = ctypes.CFUNCTYPE(None)(_run_nested)


@contextmanager
def report_errors(channel: socket.socket) -> Iterator[None]:
    try:
        yield
    except MemoryError:  # the process ends by the exit code that says so
        raise
    except Exception as error:  # noqa: BLE001 - any error is reported to the parent, which decides
        frames.send(channel, json.dumps({"error": str(error)}).encode() + b"\n")
        os._exit(os.EX_SOFTWARE)


def link_main(jit: ObjectJit) -> int:
    # LLJIT has an `atexit` and a `__dso_handle` of its own, whose handlers would never run. It compiles them
    # when they are needed.
    address = jit.address("main")
    if len(jit.compiled) != 1:
        raise ServiceError(
            "The program needs atexit or __dso_handle, which this environment cannot run: only LLVM's "
            "environments can."
        )
    return address


def define_libraries(jit: ObjectJit) -> None:
    jit.define({name: ctypes.cast(one, ctypes.c_void_p).value or 0 for name, one in OWN_FUNCTIONS.items()})
    for name in callable_libraries():
        jit.add_library_symbols(Path(name))


# Addresses by which the C library tells the program's exit handlers from those of this process's libraries.
_program, _thread = ctypes.c_char(), ctypes.c_char()


def _end(code: int) -> NoReturn:
    # As `exit` does, but without this Python process's exit handlers.
    libc = callable_libraries()["libc.so.6"]
    for owner in (_thread, _program):
        libc["__cxa_finalize"](ctypes.byref(owner))
    libc["fflush"](None)
    os._exit(code & 0xFF)


def _add_handler(owner: ctypes.c_char, handler: int | None, argument: int | None) -> int:
    add = callable_libraries()["libc.so.6"]["__cxa_atexit"]
    added: int = add(ctypes.c_void_p(handler), ctypes.c_void_p(argument), ctypes.byref(owner))
    return added


_add_to_thread: Final = _AddOwned(lambda handler, argument, _: _add_handler(_thread, handler, argument))
# They hide those of libraries. Created at import, before any fork: a confined process may not make executable
# memory for a callback.
OWN_FUNCTIONS: Final[Mapping[str, ctypes._CFunctionType]] = {
    "exit": _Exit(_end),
    AT_EXIT: _Add(lambda handler: _add_handler(_program, handler, None)),
    "__cxa_atexit": _AddOwned(lambda handler, argument, _: _add_handler(_program, handler, argument)),
    "__cxa_thread_atexit": _add_to_thread,
    "__cxa_thread_atexit_impl": _add_to_thread,
}
