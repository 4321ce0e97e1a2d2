"""Finds and loads libLLVM, once per process, and gives typed access to its functions.

This is the only module that knows the library's path. It imports neither numpy nor gymnasium nor protobuf.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import PlatformNotSupported
from optarena.machine_code.signatures import C_FUNCTIONS, CXX_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VERSION: Final = "22.1.8"
"""The only version of LLVM that is used."""
LIBRARY_VARIABLE: Final = "OPTARENA_LIBLLVM"

_FILE_NAME: Final = "libLLVM.so.22.1"
_DISTRIBUTION: Final = "karellen-llvm-core"
_RUNTIME_FOLDER: Final = "x86_64-unknown-linux-gnu"
# By full path and in this order: the wheel's libc++.so.1 is a symbolic link that exists only from the
# second start of Python after the installation.
_RUNTIME_LIBRARIES: Final = ("libunwind.so.1.0", "libc++abi.so.1.0", "libc++.so.1.0")
_REMEDY: Final = (
    "Use Linux on x86_64 with `pip install optarena`, run the container image of OptArena, or connect to "
    f"a remote service; ${LIBRARY_VARIABLE} may name a libLLVM {VERSION}."
)


class Library:
    """A loaded libLLVM: ``library.ContextCreate()`` calls ``LLVMContextCreate``.

    Args:
        path: The shared library.

    Raises:
        PlatformNotSupported: The library cannot be loaded, or is not the pinned version of LLVM.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = _load(path)
        self._check_version()
        for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"):
            getattr(self, f"InitializeX86{part}")()
        self.pass_options: int = self.CreatePassBuilderOptions()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Binds a function of the signature tables at its first use."""
        if name in C_FUNCTIONS:
            symbol, (result, arguments) = f"LLVM{name}", C_FUNCTIONS[name]
        elif name in CXX_FUNCTIONS:
            symbol, result, arguments = CXX_FUNCTIONS[name]
        else:
            raise AttributeError(name)
        try:
            function = self._handle[symbol]
        except AttributeError as error:
            raise PlatformNotSupported(f"{self.path} does not export {symbol}. {_REMEDY}") from error
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function

    def take_string(self, pointer: int | None) -> str:
        """The text of an owned C string, which is freed."""
        if not pointer:
            return ""
        try:
            return ctypes.string_at(pointer).decode(errors="replace")
        finally:
            self.DisposeMessage(pointer)

    def take_error(self, error: int) -> str:
        """The message of an ``LLVMErrorRef``, which is consumed."""
        pointer = self.GetErrorMessage(error)
        try:
            return ctypes.string_at(pointer).decode(errors="replace")
        finally:
            self.DisposeErrorMessage(pointer)

    def take_buffer(self, buffer: int) -> bytes:
        """The content of an owned memory buffer, which is freed."""
        try:
            return ctypes.string_at(self.GetBufferStart(buffer), self.GetBufferSize(buffer))
        finally:
            self.DisposeMemoryBuffer(buffer)

    def _check_version(self) -> None:
        parts = [ctypes.c_uint() for _ in range(3)]
        self.GetVersion(*map(ctypes.byref, parts))
        version = ".".join(str(part.value) for part in parts)
        if version != VERSION:
            raise PlatformNotSupported(
                f"{self.path} is LLVM {version}, but measurements need {VERSION}. {_REMEDY}"
            )


def find_library() -> Path:
    """The path of libLLVM: ``$OPTARENA_LIBLLVM``, or the file of the installed package.

    Raises:
        PlatformNotSupported: No libLLVM was found.
    """
    override = os.environ.get(LIBRARY_VARIABLE)
    if override:
        if Path(override).is_file():
            return Path(override).resolve()
        raise PlatformNotSupported(f"${LIBRARY_VARIABLE} names {override}, which is not a file. {_REMEDY}")
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise PlatformNotSupported(
            f"The LLVM environments do not run on {sys.platform} {platform.machine()}. {_REMEDY}"
        )
    for candidate in _candidates():
        if candidate.is_file():
            return candidate.resolve()
    raise PlatformNotSupported(f"{_FILE_NAME} was not found. {_REMEDY}")


def library() -> Library:
    """The process's libLLVM, loaded at the first call; safe to call from any thread.

    Raises:
        PlatformNotSupported: No usable libLLVM was found.
    """
    global _library  # noqa: PLW0603 - one library per process
    if _library is None:
        with _lock:
            if _library is None:
                _library = Library(find_library())
    return _library


_library: Library | None = None
_lock = threading.Lock()


def _candidates() -> Iterator[Path]:
    yield Path(sys.prefix, "lib", _FILE_NAME)
    from importlib import metadata  # noqa: PLC0415 # heavy, and most installations have the file above

    try:
        files = metadata.files(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(file.locate())) for file in files if file.name == _FILE_NAME)


def _load(path: Path) -> ctypes.CDLL:
    try:
        for name in _RUNTIME_LIBRARIES:
            runtime = path.parent / _RUNTIME_FOLDER / name
            if runtime.is_file():
                ctypes.CDLL(str(runtime), mode=os.RTLD_LOCAL)
        return ctypes.CDLL(str(path), mode=os.RTLD_LOCAL)
    except OSError as error:
        raise PlatformNotSupported(f"{path} cannot be loaded: {error}. {_REMEDY}") from error
