"""LLVM's just-in-time compiler (LLJIT): from an object file or a module to the address of a function.

Everything happens in this process and on the calling thread. Programs that need global constructors,
``atexit`` or thread-local storage cannot be run this way.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Final, Protocol

from optarena.errors import ServiceError
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_EXPORTED: Final = 1  # LLVMJITSymbolGenericFlagsExported


class _AbsoluteSymbol(ctypes.Structure):
    """``LLVMOrcCSymbolMapPair``: a name, its address and its flags."""

    _fields_ = (
        ("name", ctypes.c_void_p),
        ("address", ctypes.c_uint64),
        ("generic_flags", ctypes.c_uint8),
        ("target_flags", ctypes.c_uint8),
    )


_reported: dict[int, list[str]] = {}


def _collect_report(session: int, error: int) -> None:
    """Keeps the message that LLJIT would print: the caller sees that a symbol failed, but not why."""
    message = library().take_error(error)
    if session in _reported:
        _reported[session].append(message)


_compiled: dict[int, list[bytes]] = {}


def _collect_object(session: int, buffer: ctypes._Pointer[ctypes.c_void_p]) -> int:
    """Keeps a copy of an object file on its way to the linker; returns success."""
    llvm = library()
    content = llvm.GetBufferStart(buffer[0]), llvm.GetBufferSize(buffer[0])
    _compiled[session].append(ctypes.string_at(*content))
    return 0


# Created at import, before any fork: a confined process may not make executable memory for a callback.
_REPORTER: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(_collect_report)
_COLLECTOR: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))(
    _collect_object
)


class LlvmModule(Protocol):
    """A module that can be given away."""

    def detach(self) -> tuple[int, int]:
        """Its context and the module, which belong to the caller from now on."""


class ObjectJit:
    """One LLJIT instance; its code stays valid until ``close()``.

    Args:
        machine: The target machine that compiles modules, which is given away; None if there are only object
            files, for which this machine's own serves.
    """

    def __init__(self, machine: int | None = None) -> None:
        llvm = library()
        builder = llvm.OrcCreateLLJITBuilder()
        if machine is not None:
            machine_builder = llvm.OrcJITTargetMachineBuilderCreateFromTargetMachine(machine)
            llvm.OrcLLJITBuilderSetJITTargetMachineBuilder(builder, machine_builder)
        handle = ctypes.c_void_p()
        _check(llvm.OrcCreateLLJIT(ctypes.byref(handle), builder))
        self._handle: int | None = handle.value
        self._session: int = llvm.OrcLLJITGetExecutionSession(self._handle)
        _reported[self._session] = []
        llvm.OrcExecutionSessionSetErrorReporter(self._session, _REPORTER, self._session)
        _compiled[self._session] = []
        layer = llvm.OrcLLJITGetObjTransformLayer(self._handle)
        llvm.OrcObjectTransformLayerSetTransform(layer, _COLLECTOR, self._session)
        self._dylib: int = llvm.OrcLLJITGetMainJITDylib(self._handle)
        self._prefix: bytes = llvm.OrcLLJITGetGlobalPrefix(self._handle)

    def add_module(self, module: LlvmModule) -> None:
        """Adds a program, which the compiler owns from now on; ``module`` is closed afterwards."""
        llvm = library()
        context, handle = module.detach()
        safe_context = llvm.OrcCreateNewThreadSafeContextFromLLVMContext(context)
        safe_module = llvm.OrcCreateNewThreadSafeModule(handle, safe_context)
        llvm.OrcDisposeThreadSafeContext(safe_context)
        _check(llvm.OrcLLJITAddLLVMIRModule(self._handle, self._dylib, safe_module))

    def add_object(self, code: bytes) -> None:
        """Adds an object file, which is position independent."""
        buffer = library().CreateMemoryBufferWithMemoryRangeCopy(code, len(code), b"program")
        _check(library().OrcLLJITAddObjectFile(self._handle, self._dylib, buffer))

    @property
    def compiled(self) -> list[bytes]:
        """The object files linked so far, each as ``add_object`` takes it."""
        return _compiled[self._session]

    def add_library_symbols(self, path: Path) -> None:
        """Lets programs call the functions of a shared library, which hide those of this process."""
        llvm = library()
        generator = ctypes.c_void_p()
        _check(
            llvm.OrcCreateDynamicLibrarySearchGeneratorForPath(
                ctypes.byref(generator), str(path).encode(), self._prefix, None, None
            )
        )
        llvm.OrcJITDylibAddGenerator(self._dylib, generator)

    def define(self, symbols: Mapping[str, int]) -> None:
        """Gives names to addresses of this process; they hide those of its libraries."""
        llvm = library()
        pairs = (_AbsoluteSymbol * len(symbols))()
        for pair, (name, address) in zip(pairs, symbols.items(), strict=True):
            pair.name = llvm.OrcLLJITMangleAndIntern(self._handle, name.encode())
            pair.address = address
            pair.generic_flags = _EXPORTED
        _check(llvm.OrcJITDylibDefine(self._dylib, llvm.OrcAbsoluteSymbols(pairs, len(symbols))))

    def address(self, name: str) -> int:
        """The address of a function; the code that it needs is compiled now.

        Raises:
            ServiceError: The function does not exist, or refers to a symbol that does not.
        """
        address = ctypes.c_uint64()
        error = library().OrcLLJITLookup(self._handle, ctypes.byref(address), name.encode())
        _check(error, _reported[self._session])
        return address.value

    def close(self) -> None:
        """Frees the compiler and its code; further calls do nothing."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            error = library().OrcDisposeLLJIT(handle)
            del _compiled[self._session]
            _check(error, _reported.pop(self._session))


def _check(error: int | None, reported: Sequence[str] = ()) -> None:
    if error:
        problem = "; ".join([*reported, library().take_error(error)])
        raise ServiceError(f"LLVM's just-in-time compiler: {problem}")
