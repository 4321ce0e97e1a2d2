"""Finds and loads libLLVM, once per process, and gives typed access to its functions.

This is the only module that knows the library's path. It imports neither numpy nor gymnasium nor protobuf.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from optarena import paths
from optarena.errors import PlatformNotSupported, ServiceError, ToolMissing

P = ctypes.c_void_p
S = ctypes.c_char_p
I = ctypes.c_int  # noqa: E741 - one letter per type keeps the table readable
U = ctypes.c_uint
N = ctypes.c_size_t
OUT = ctypes.POINTER(ctypes.c_void_p)
OUT_U = ctypes.POINTER(ctypes.c_uint)

# By result and arguments.
_SIGNATURES: Final[tuple[tuple[Any, list[Any], str], ...]] = (
    (None, [],
     ("InitializeX86TargetInfo InitializeX86Target InitializeX86TargetMC InitializeX86AsmPrinter "
     "InitializeX86AsmParser")),
    (None, [P],
     ("DisposeMessage DisposeErrorMessage ContextDispose DisposeMemoryBuffer DisposeModule "
     "DisposeTargetMachine DisposeTargetData OrcDisposeThreadSafeContext DeleteGlobal "
     "InstructionEraseFromParent")),
    (None, [P, I], "ContextSetDiscardValueNames SetThreadLocal"),
    (None, [P, P],
     ("MetadataReplaceAllUsesWith ReplaceAllUsesWith SetInitializer "
     "OrcLLJITBuilderSetJITTargetMachineBuilder OrcJITDylibAddGenerator")),
    (None, [P, S], "SetDataLayout"),
    (None, [P, OUT], "GetMDNodeOperands"),
    (None, [P, P, P],
     "ContextSetDiagnosticHandler OrcExecutionSessionSetErrorReporter OrcObjectTransformLayerSetTransform"),
    (None, [P, S, N], "SetSourceFileName SetModuleIdentifier SetValueName2"),
    (None, [P, U, P], "SetMetadata AddAttributeAtIndex AddCallSiteAttribute"),
    (None, [P, U, U], "RemoveEnumAttributeAtIndex RemoveCallSiteEnumAttribute"),
    (None, [P, U, S, U], "RemoveStringAttributeAtIndex RemoveCallSiteStringAttribute"),
    (None, [OUT_U, OUT_U, OUT_U], "GetVersion"),
    (None, [I, ctypes.POINTER(S), S], "ParseCommandLineOptions"),
    (I, [P], "GetDiagInfoSeverity GetLinkage IsDeclaration IsThreadLocal IsNull GetNumOperands"),
    (I, [P, P], "LinkModules2"),
    (I, [P, I, OUT], "VerifyModule"),
    (I, [S, OUT, OUT], "GetTargetFromTriple"),
    (I, [P, P, OUT, OUT], "ParseIRInContext2"),
    (I, [P, P, I, OUT, OUT], "TargetMachineEmitToMemoryBuffer"),
    (U, [P], "GetIntrinsicID GetMDNodeNumOperands"),
    (U, [S, N], "GetEnumAttributeKindForName"),
    (U, [P, S, U], "GetMDKindIDInContext"),
    (N, [P], "GetBufferSize"),
    (S, [P], "GetTarget GetDataLayoutStr GetSection"),
    (ctypes.c_char, [P], "OrcLLJITGetGlobalPrefix"),
    (ctypes.c_uint64, [P], "ConstIntGetZExtValue"),
    (P, [], "ContextCreate CreatePassBuilderOptions OrcCreateLLJITBuilder"),
    (P, [P],
     ("GetErrorMessage GetDiagInfoDescription GetBufferStart PrintModuleToString WriteBitcodeToMemoryBuffer "
     "GetFirstFunction GetNextFunction GetFirstGlobal GetNextGlobal GetFirstGlobalIFunc GetFirstGlobalAlias "
     "GetNextGlobalAlias GetFirstUse "
     "GlobalGetValueType PrintTypeToString GetModuleContext IsAConstantInt IsAMDNode ValueAsMetadata "
     "GetGlobalParent GetInstructionParent GetBasicBlockParent GetFirstBasicBlock GetNextBasicBlock "
     "GetBasicBlockTerminator GetCalledValue GetUser GetInitializer TypeOf ConstNull "
     "CreateTargetDataLayout CopyStringRepOfTargetData "
     "OrcJITTargetMachineBuilderCreateFromTargetMachine OrcDisposeLLJIT OrcLLJITGetExecutionSession "
     "OrcLLJITGetMainJITDylib OrcLLJITGetObjTransformLayer OrcCreateNewThreadSafeContextFromLLVMContext")),
    (P, [P, N], "OrcAbsoluteSymbols"),
    (P, [P, P], "MetadataAsValue OrcCreateNewThreadSafeModule OrcJITDylibDefine"),
    (P, [P, S], "GetNamedFunction GetNamedGlobal OrcLLJITMangleAndIntern"),
    (P, [P, U], "GetMetadata IntTypeInContext PointerTypeInContext GetOperand"),
    (P, [P, P, S], "AddGlobal"),
    (P, [P, OUT, ctypes.c_uint64], "ConstArray2"),
    (P, [OUT, P], "OrcCreateLLJIT"),
    (P, [P, P, P], "OrcLLJITAddLLVMIRModule OrcLLJITAddObjectFile"),
    (P, [P, S, N], "GetNamedFunctionWithLength MDStringInContext2"),
    (P, [P, U, U], "GetEnumAttributeAtIndex GetCallSiteEnumAttribute"),
    (P, [S, N, S], "CreateMemoryBufferWithMemoryRangeCopy"),
    (P, [P, OUT_U], "GetMDString"),
    (P, [P, OUT, N], "MDNodeInContext2 TemporaryMDNode"),
    (P, [P, U, S, U], "GetStringAttributeAtIndex GetCallSiteStringAttribute"),
    (P, [P, S, U, S, U], "CreateStringAttribute"),
    (P, [P, S, S, S, I, I, I], "CreateTargetMachine"),
    (P, [P, ctypes.POINTER(N)], "GetValueName2"),
    (P, [P, U, ctypes.c_uint64], "CreateEnumAttribute"),
    (P, [P, ctypes.c_uint64, I], "ConstInt"),
    (P, [OUT, S, ctypes.c_char, P, P], "OrcCreateDynamicLibrarySearchGeneratorForPath"),
    (P, [P, ctypes.POINTER(ctypes.c_uint64), S], "OrcLLJITLookup"),
)  # fmt: skip
C_FUNCTIONS: Final = {
    name: (result, arguments) for result, arguments, names in _SIGNATURES for name in names.split()
}

# Their mangled names contain no `std::` type and are thus the same for every build.
CXX_FUNCTIONS: Final[dict[str, tuple[str, Any, list[Any]]]] = {
    "ModuleInstructionCount": ("_ZNK4llvm6Module19getInstructionCountEv", U, [P]),
    "ResetAllOptionOccurrences": ("_ZN4llvm2cl25ResetAllOptionOccurrencesEv", None, []),
}


# Of all environments but those of another release, which is never in the same process.
VERSION: Final = "22.1.8"
LIBRARY_VARIABLE: Final = "OPTARENA_LIBLLVM"
FOLDER: Final = "llvm-{}"  # of a release that `optarena llvm install` has unpacked

_DISTRIBUTION: Final = "karellen-llvm-core"
_RUNTIME_FOLDER: Final = "x86_64-unknown-linux-gnu"
# By full path and in this order: the wheel's libc++.so.1 is a symbolic link that exists only from the
# second start of Python after the installation.
_RUNTIME_LIBRARIES: Final = ("libunwind.so.1.0", "libc++abi.so.1.0", "libc++.so.1.0")
_REMEDY: Final = (
    "Use Linux on x86_64 with `pip install optarena`, run the container image of OptArena, or connect to "
    f"a remote service; ${LIBRARY_VARIABLE} may name a libLLVM {VERSION}."
)
_SYSTEM_REMEDY: Final = (
    "Install the system's package that has {name}; that of libatomic.so.1 is `libatomic1` on Debian and "
    "Ubuntu, and `libatomic` on Fedora."
)


def file_name(version: str) -> str:
    return f"libLLVM.so.{version.rpartition('.')[0]}"


def library_variable(version: str) -> str:
    return LIBRARY_VARIABLE if version == VERSION else f"{LIBRARY_VARIABLE}_{version.partition('.')[0]}"


# Tags of the dynamic section, and kinds of relocations, of ELF on x86-64.
_PLTRELSZ, _STRTAB, _SYMTAB, _RELA, _RELASZ, _JMPREL = 2, 5, 6, 7, 8, 23
_IMPORTS: Final = (6, 7)  # GLOB_DAT and JUMP_SLOT


class _LinkMap(ctypes.Structure):
    # What the handle of a loaded library points at, in the C library of GNU.
    _fields_ = (("base", ctypes.c_uint64), ("name", ctypes.c_void_p), ("dynamic", ctypes.c_uint64))


class _Pair(ctypes.Structure):
    _fields_ = (("first", ctypes.c_uint64), ("second", ctypes.c_uint64))


class _Relocation(ctypes.Structure):
    _fields_ = (
        ("offset", ctypes.c_uint64),
        ("kind", ctypes.c_uint32),
        ("symbol", ctypes.c_uint32),
        ("addend", ctypes.c_int64),
    )


class _Symbol(ctypes.Structure):
    _fields_ = (("name", ctypes.c_uint32), ("rest", ctypes.c_uint8 * 20))


class Library:
    # `library.ContextCreate()` calls LLVMContextCreate.

    def __init__(self, path: Path, version: str = VERSION) -> None:
        self.path = path
        self.version = version
        self._handle = _load(path)
        self._check_version()
        for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"):
            getattr(self, f"InitializeX86{part}")()
        self.pass_options: int = self.CreatePassBuilderOptions()

    def __getattr__(self, name: str) -> Callable[..., Any]:
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

    def symbol(self, name: str) -> int:
        # The address of a function or a variable of C++.
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self._handle, name))
        except ValueError as error:
            raise PlatformNotSupported(f"{self.path} does not export {name}. {_REMEDY}") from error

    def addresses(self, names: Iterable[str]) -> dict[str, int]:
        # The addresses of those functions that the library, or one that it needs, exports.
        found = {name: getattr(self._handle, name, None) for name in names}
        return {name: ctypes.cast(one, ctypes.c_void_p).value or 0 for name, one in found.items() if one}

    def import_slots(self, names: Iterable[str]) -> dict[str, int]:
        # Where it keeps the addresses of functions that it imports: from its dynamic section, whose entries
        # are pairs of a tag and a value, ended by 0.
        loaded = _LinkMap.from_address(self._handle._handle)  # noqa: SLF001 # dlinfo() would give the same
        tags: dict[int, int] = {}
        entry = loaded.dynamic
        while (pair := _Pair.from_address(entry)).first:
            tags[pair.first] = pair.second
            entry += ctypes.sizeof(_Pair)
        found: dict[str, int] = {}
        for start, size in ((_JMPREL, _PLTRELSZ), (_RELA, _RELASZ)):
            first = tags.get(start, 0)
            for place in range(first, first + tags.get(size, 0), ctypes.sizeof(_Relocation)):
                relocation = _Relocation.from_address(place)
                if relocation.kind in _IMPORTS:
                    symbol = tags[_SYMTAB] + relocation.symbol * ctypes.sizeof(_Symbol)
                    name = ctypes.string_at(tags[_STRTAB] + _Symbol.from_address(symbol).name)
                    found[name.decode()] = loaded.base + relocation.offset
        missing = sorted(set(names) - found.keys())
        if missing:
            raise PlatformNotSupported(f"{self.path} does not import {', '.join(missing)}. {_REMEDY}")
        return {name: found[name] for name in names}

    def take_string(self, pointer: int | None) -> str:
        if not pointer:
            return ""
        try:
            return ctypes.string_at(pointer).decode(errors="replace")
        finally:
            self.DisposeMessage(pointer)

    def take_error(self, error: int) -> str:
        pointer = self.GetErrorMessage(error)
        try:
            return ctypes.string_at(pointer).decode(errors="replace")
        finally:
            self.DisposeErrorMessage(pointer)

    def take_buffer(self, buffer: int) -> bytes:
        try:
            return ctypes.string_at(self.GetBufferStart(buffer), self.GetBufferSize(buffer))
        finally:
            self.DisposeMemoryBuffer(buffer)

    def _check_version(self) -> None:
        parts = [ctypes.c_uint() for _ in range(3)]
        self.GetVersion(*map(ctypes.byref, parts))
        version = ".".join(str(part.value) for part in parts)
        if version != self.version:
            remedy = _REMEDY if self.version == VERSION else _remedy(self.version)
            raise PlatformNotSupported(
                f"{self.path} is LLVM {version}, but measurements need {self.version}. {remedy}"
            )


def _remedy(version: str) -> str:
    variable = library_variable(version)
    return f"Get it by `optarena llvm install {version}`; ${variable} may name a libLLVM {version}."


def find_release(version: str) -> Path:
    """The libLLVM of another release than the environments' own.

    Raises:
        ToolMissing: It is not on this machine; the error says how to get it.
    """
    variable = library_variable(version)
    named = os.environ.get(variable, "").strip()
    folders, name = paths.toolchains(FOLDER.format(version)), file_name(version)
    files = [Path(named)] if named else [folder / "lib" / name for folder in folders]
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        where = f"${variable} names {named}, which is not a file" if named else f"{files[0]} does not exist"
        message = f"LLVM {version} was not found: {where}."
        raise ToolMissing(message, field=variable, value=named, remedy=_remedy(version))
    return found.resolve()


def find_library() -> Path:
    if _version != VERSION:
        return find_release(_version)
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
    raise PlatformNotSupported(f"{file_name(VERSION)} was not found. {_REMEDY}")


def library() -> Library:
    global _library  # noqa: PLW0603 - one library per process
    if _library is None:
        with _lock:
            if _library is None:
                _library = Library(find_library(), _version)
    return _library


def choose_release(version: str) -> None:
    """Have this process load another release; two would share symbols, so it must not have loaded one yet.

    Raises:
        PlatformNotSupported: This process has another release.
    """
    global _version  # noqa: PLW0603 - one library per process
    with _lock:
        if _library is not None and _library.version != version:
            message = f"This process has LLVM {_library.version}, and two releases cannot be in one process."
            raise PlatformNotSupported(f"{message} Use LLVM {version} in a process of its own.")
        _version = version


_library: Library | None = None
_version = VERSION
_lock = threading.Lock()


def cxx_libraries(path: Path) -> list[Path]:
    # Those that came with libLLVM; its own C++ library may be the system's.
    folder = path.parent / _RUNTIME_FOLDER
    return [file for name in _RUNTIME_LIBRARIES if (file := folder / name).is_file()]


def required_cxx_libraries(path: Path) -> list[Path]:
    # For a program that needs them: where they are missing, the machine is to blame.
    found = cxx_libraries(path)
    if len(found) < len(_RUNTIME_LIBRARIES):
        folder = path.parent / _RUNTIME_FOLDER
        message = f"The C++ program needs libc++, which is missing in {folder}, beside the libLLVM in use."
        remedy = f"Use the libLLVM of `pip install optarena`, or put {', '.join(_RUNTIME_LIBRARIES)} there."
        raise ToolMissing(message, field=LIBRARY_VARIABLE, value=str(path), remedy=remedy)
    return found


def _candidates() -> Iterator[Path]:
    name = file_name(VERSION)
    yield Path(sys.prefix, "lib", name)
    from importlib import metadata  # noqa: PLC0415 # heavy, and most installations have the file above

    try:
        files = metadata.files(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(file.locate())) for file in files if file.name == name)


def _load(path: Path) -> ctypes.CDLL:
    try:
        for runtime in cxx_libraries(path):
            ctypes.CDLL(str(runtime), mode=os.RTLD_LOCAL)
        return ctypes.CDLL(str(path), mode=os.RTLD_LOCAL)
    except OSError as error:
        needed, _, lacks = str(error).partition(": cannot open shared object file: ")
        is_missing = lacks == "No such file or directory" and "/" not in needed
        remedy = _SYSTEM_REMEDY.format(name=needed) if is_missing else _REMEDY
        raise PlatformNotSupported(f"{path} cannot be loaded: {error}. {remedy}") from error


_EXPORTED: Final = 1  # LLVMJITSymbolGenericFlagsExported


class _AbsoluteSymbol(ctypes.Structure):
    # LLVMOrcCSymbolMapPair.
    _fields_ = (
        ("name", ctypes.c_void_p),
        ("address", ctypes.c_uint64),
        ("generic_flags", ctypes.c_uint8),
        ("target_flags", ctypes.c_uint8),
    )


_reported: dict[int, list[str]] = {}


def _collect_report(session: int, error: int) -> None:
    # LLJIT would print it: the caller sees that a symbol failed, but not why.
    message = library().take_error(error)
    if session in _reported:
        _reported[session].append(message)


_compiled: dict[int, list[bytes]] = {}


def _collect_object(session: int, buffer: ctypes._Pointer[ctypes.c_void_p]) -> int:
    # On its way to the linker.
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
    def detach(self) -> tuple[int, int]:
        """Its context and the module, which belong to the caller from now on."""


class ObjectJit:
    # Its code stays valid until `close()`. The machine, which compiles modules, is given away; for object
    # files alone this machine's own serves.

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
        # The compiler owns the program from now on.
        llvm = library()
        context, handle = module.detach()
        safe_context = llvm.OrcCreateNewThreadSafeContextFromLLVMContext(context)
        safe_module = llvm.OrcCreateNewThreadSafeModule(handle, safe_context)
        llvm.OrcDisposeThreadSafeContext(safe_context)
        _check(llvm.OrcLLJITAddLLVMIRModule(self._handle, self._dylib, safe_module))

    def add_object(self, code: bytes) -> None:
        # The code must be position independent.
        buffer = library().CreateMemoryBufferWithMemoryRangeCopy(code, len(code), b"program")
        _check(library().OrcLLJITAddObjectFile(self._handle, self._dylib, buffer))

    @property
    def compiled(self) -> list[bytes]:
        return _compiled[self._session]

    def add_library_symbols(self, path: Path) -> None:
        # They hide those of this process. LLVM opens the library to everything that is loaded later: this is
        # for processes that execute one program and end.
        llvm = library()
        generator = ctypes.c_void_p()
        _check(
            llvm.OrcCreateDynamicLibrarySearchGeneratorForPath(
                ctypes.byref(generator), str(path).encode(), self._prefix, None, None
            )
        )
        llvm.OrcJITDylibAddGenerator(self._dylib, generator)

    def define(self, symbols: Mapping[str, int]) -> None:
        # The names hide those of libraries.
        llvm = library()
        pairs = (_AbsoluteSymbol * len(symbols))()
        for pair, (name, address) in zip(pairs, symbols.items(), strict=True):
            pair.name = llvm.OrcLLJITMangleAndIntern(self._handle, name.encode())
            pair.address = address
            pair.generic_flags = _EXPORTED
        _check(llvm.OrcJITDylibDefine(self._dylib, llvm.OrcAbsoluteSymbols(pairs, len(symbols))))

    def address(self, name: str) -> int:
        # The code that it needs is compiled now.
        address = ctypes.c_uint64()
        error = library().OrcLLJITLookup(self._handle, ctypes.byref(address), name.encode())
        _check(error, _reported[self._session])
        return address.value

    def close(self) -> None:
        if self._handle is not None:
            handle, self._handle = self._handle, None
            error = library().OrcDisposeLLJIT(handle)
            del _compiled[self._session]
            _check(error, _reported.pop(self._session))


def _check(error: int | None, reported: Sequence[str] = ()) -> None:
    if error:
        problem = "; ".join([*reported, library().take_error(error)])
        raise ServiceError(f"LLVM's just-in-time compiler: {problem}")
