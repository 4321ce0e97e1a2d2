"""NVIDIA's assembler ptxas as the library nvJitLink: from PTX to a cubin, without a GPU or a process.

A confined session without tools may start no program, so ptxas itself could not assemble what a runner
verifies. nvJitLink is ``ptxas -c`` behind functions: it compiles kernels as parts that can be linked, and
where shared memory is used, a few more instructions compute its address. It uses one thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
import threading
from dataclasses import dataclass
from functools import cache
from typing import Final

from optarena.cuda.packages import find_packaged
from optarena.errors import ServiceError, ToolMissing
from optarena.gpu_kernels import pinned

DISTRIBUTION: Final = "nvidia-nvjitlink"
EXTRA: Final = "gpu-compile"
_FILE: Final = "libnvJitLink.so.13"
_VERSION: Final = "13.0.88"
_PTX: Final = 2
LEVELS: Final = (0, 1, 2, 3)
_SPILLS: Final = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
RESERVED_BYTES: Final = 1024  # shared memory of each block that the system uses, where a kernel uses any


class AssemblerFailed(ServiceError):
    """ptxas refuses the PTX that LLVM made of a kernel; the message has ptxas's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    cubin: bytes
    registers: int  # of a thread
    stack_bytes: int  # local memory of a thread: arrays that are not in registers, and spilled ones
    spill_bytes: int  # spilled registers that instructions store and load, counted in the code
    shared_bytes: int  # of a block


def assemble(ptx: str, kernel: str, level: int) -> Assembled:
    with _lock:
        return _assemble(_library(), ptx.encode(), kernel, level)


_lock: Final = threading.Lock()


def load() -> bool:  # a session in the sandbox cannot do it later
    with contextlib.suppress(ToolMissing):
        _library()
        return True
    return False


@cache
def _library() -> ctypes.CDLL:  # the error is the same in every session, and is not cached
    from importlib import metadata  # noqa: PLC0415 # heavy, and only sessions need it

    try:
        installed = metadata.version(DISTRIBUTION)
        path = find_packaged(DISTRIBUTION, _FILE)
        if installed != _VERSION:
            raise _missing(f"{DISTRIBUTION} {installed} is installed, and results need {_VERSION}.")
        library = ctypes.CDLL(str(path))
    except metadata.PackageNotFoundError:
        raise _missing(f"The package {DISTRIBUTION} is not installed.") from None
    except OSError as error:
        raise _missing(f"{DISTRIBUTION} cannot be loaded: {error}") from error
    return library


def _missing(problem: str) -> ToolMissing:
    return ToolMissing(
        f"ptxas is needed for what GPUs run, and is missing. {problem}",
        field="observation_space",
        remedy=f"Install it: pip install 'optarena[{EXTRA}]'. IR and PTX can be observed without it.",
    )


def _assemble(library: ctypes.CDLL, ptx: bytes, kernel: str, level: int) -> Assembled:
    options = [f"-arch={pinned.ARCHITECTURE}", f"-Xptxas=-O{level}", "-verbose"]
    given = (ctypes.c_char_p * len(options))(*[one.encode() for one in options])
    handle = ctypes.c_void_p()
    if result := library.nvJitLinkCreate(ctypes.byref(handle), len(options), given):
        raise AssemblerFailed(f"nvJitLink refuses its options: error {result}.")
    try:
        failed = library.nvJitLinkAddData(
            handle, _PTX, ptx, ctypes.c_size_t(len(ptx)), b"kernel"
        ) or library.nvJitLinkComplete(handle)
        if failed:
            log = _log(library, handle, "Error")
            raise AssemblerFailed(f"ptxas cannot assemble the kernel (error {failed}): {log[:1000]}")
        return _read(_log(library, handle, "Info"), kernel, _cubin(library, handle))
    finally:
        library.nvJitLinkDestroy(ctypes.byref(handle))


def _read(log: str, kernel: str, cubin: bytes) -> Assembled:
    # With all functions that the kernel calls, which LLVM may have left as such.
    used = re.search(
        rf"Function properties for '{re.escape(kernel)}':\s+info\s*: used (\d+) registers, .*?(\d+) stack, "
        r"(\d+) bytes smem",
        log,
    )
    if used is None:
        raise AssemblerFailed(f"ptxas does not say what the kernel needs: {log[-500:]}")
    shared = int(used[3])
    return Assembled(
        cubin=cubin,
        registers=int(used[1]),
        stack_bytes=int(used[2]),
        spill_bytes=sum(int(one) for found in _SPILLS.findall(log) for one in found),
        shared_bytes=shared and shared - RESERVED_BYTES,
    )


def _log(library: ctypes.CDLL, handle: ctypes.c_void_p, kind: str) -> str:
    size = ctypes.c_size_t()
    getattr(library, f"nvJitLinkGet{kind}LogSize")(handle, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value + 1)
    getattr(library, f"nvJitLinkGet{kind}Log")(handle, text)
    return text.value.decode(errors="replace").strip()


def _cubin(library: ctypes.CDLL, handle: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    library.nvJitLinkGetLinkedCubinSize(handle, ctypes.byref(size))
    data = ctypes.create_string_buffer(size.value)
    library.nvJitLinkGetLinkedCubin(handle, data)
    return data.raw
