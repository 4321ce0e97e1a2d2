"""The engine: one program in memory, with the operations on it.

A ``Module`` owns its LLVM context and module, and frees both in ``close()``. It is not thread-safe, but
different modules may be used by different threads. Some passes abort the process: use a session's process.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import TracebackType
from typing import Final, Self

from optarena.errors import InvalidInput, OptArenaError, ServiceError
from optarena.llvm import pinned
from optarena.llvm.native import RARE, SOURCES
from optarena.llvm.releases import MINSIZE, RELEASES
from optarena.machine_code import elf
from optarena.machine_code.libllvm import ObjectJit, library

# A machine serves one module after another. As many of one triple wait as one session uses.
_MAX_IDLE: Final = 2
# Those that wait, by triple. Dictionaries and lists are thread-safe.
_idle: Final[defaultdict[str, list[int]]] = defaultdict(list)


def create_machine(
    triple: str,
    *,
    optimisation: int = pinned.OPTIMISATION_DEFAULT,
    relocation: int = pinned.RELOCATION_DEFAULT,
) -> int:
    # The default of `opt` and `llc`, which the caller frees. Measurements use only the pinned optimisation
    # level.
    llvm = library()
    target, message = ctypes.c_void_p(), ctypes.c_void_p()
    if llvm.GetTargetFromTriple(triple.encode(), ctypes.byref(target), ctypes.byref(message)):
        raise InvalidInput(llvm.take_string(message.value), field="program", value=triple)
    machine: int = llvm.CreateTargetMachine(
        target,
        triple.encode(),
        pinned.CPU.encode(),
        pinned.FEATURES.encode(),
        optimisation,
        relocation,
        pinned.CODE_MODEL_DEFAULT,
    )
    return machine


@lru_cache(maxsize=16)
def data_layout(triple: str) -> bytes:
    llvm = library()
    machine = create_machine(triple)
    layout = llvm.CreateTargetDataLayout(machine)
    try:
        return llvm.take_string(llvm.CopyStringRepOfTargetData(layout)).encode()
    finally:
        llvm.DisposeTargetData(layout)
        llvm.DisposeTargetMachine(machine)


_TRIPLE: Final = re.compile(r"x86_64-[\w.]*-?linux[\w.-]*")
# What LLVM reads at the end of a triple as an object format; some have ELF's data layout.
_OTHER_FILES: Final = ("coff", "dxcontainer", "goff", "macho", "spirv", "wasm")
_BITCODE: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def complete(module: int, triple: str) -> bool:
    # Fills in a data layout that bitcode lacks, as `opt` does. Returns whether the layout is the machine's.
    if not _is_supported(triple):
        raise InvalidInput(
            f"The program is made for {triple!r:.100}." if triple else "The program names no target.",
            field="program",
            value=triple[:100],
            remedy="Only 64-bit ELF for Linux on x86_64 is supported: compile with "
            f"--target={pinned.TRIPLE}, or add to IR without a target the line: "
            f'target triple = "{pinned.TRIPLE}"',
        )
    llvm = library()
    given: bytes = llvm.GetDataLayoutStr(module)
    if not given:
        llvm.SetDataLayout(module, data_layout(triple))
    return not given or given == data_layout(triple)


def _is_supported(triple: str) -> bool:
    if not _TRIPLE.fullmatch(triple) or triple.endswith(_OTHER_FILES):
        return False
    return data_layout(triple) == data_layout(pinned.TRIPLE)  # not so with 32-bit pointers, as of gnux32


def wrong_layout(module: int, triple: str) -> InvalidInput:
    layout = library().GetDataLayoutStr(module).decode(errors="replace")
    return InvalidInput(
        f"The program has the data layout {layout[:200]!r}; that of the machine is "
        f"{data_layout(triple).decode()!r}.",
        field="program",
        value=layout[:200],
        remedy="Leave the line `target datalayout` out, or compile with clang 22.",
    )


_DIGITS: Final = frozenset(b"0123456789")
_STRAY: Final = re.compile("[\udc80-\udcff]")
_STRAY_BASE: Final = 0xDC00
_UNPRINTABLE: Final = re.compile(r"[^\n\x20-\x7e\xa1-\U0010ffff]|[\u2028\u2029\ud800-\udfff]")
_MESSAGE_CHARACTERS: Final = 500


def printable_name(raw: bytes | str) -> str:
    # A text was decoded by surrogateescape; bytes beyond ASCII become \xff.
    data = raw if isinstance(raw, bytes) else raw.encode(errors="surrogateescape")
    return data.decode("ascii", "backslashreplace")


def value_name(value: int) -> bytes:
    length = ctypes.c_size_t()
    pointer = library().GetValueName2(value, ctypes.byref(length))
    return ctypes.string_at(pointer, length.value)


def linked_list(first: int | None, following: Callable[[int], int | None]) -> Iterator[int]:
    value = first
    while value:
        yield value
        value = following(value)


def decoded(printed: bytes) -> str:
    # Bytes that are not UTF-8 are written as LLVM writes bytes in strings.
    text = printed.decode(errors="surrogateescape")
    return _STRAY.sub(lambda stray: f"\\{ord(stray[0]) - _STRAY_BASE:02X}", text)


def canonical(printed: bytes) -> bytes:
    # Without lines and names that define nothing. Strings in IR contain no line breaks, so the start of a
    # line identifies it: a comment, or, with a digit, the label of a block, followed by a comment that lists
    # the predecessors.
    return b"\n".join(
        line[: line.index(b":") + 1] if line[0] in _DIGITS else line
        for line in printed.split(b"\n")
        if line and not line.startswith((b";", b"source_filename ="))
    )


def message_text(text: str) -> str:
    # It may quote a program's bytes: control characters are escaped.
    escaped = _UNPRINTABLE.sub(lambda one: ascii(one[0])[1:-1], text.strip())
    return escaped if len(escaped) <= _MESSAGE_CHARACTERS else f"{escaped[:_MESSAGE_CHARACTERS]}…"


_OF_FUNCTION: Final = 2**32 - 1  # the index of a function's own attributes


@lru_cache(maxsize=1)
def _optnone() -> int:
    return int(library().GetEnumAttributeKindForName(b"optnone", len(b"optnone")))


LEVELS: Final = ("O0", "O1", "O2", "O3", "Oz")
_MARKED: Final = MINSIZE.removeprefix("O2")

_OBJECT_FILE: Final = 1
_RETURN_STATUS: Final = 2
_SEVERITY_ERROR: Final = 0

_diagnostics: dict[int, list[str]] = {}
_reported: Final = ctypes.c_int(0)
# By context, what gets its remarks; see remarks.py.
remark_takers: Final[dict[int, Callable[[int], None]]] = {}


def _collect_diagnostic(info: int, context: int) -> None:
    # Otherwise LLVM prints the error and exits; warnings are dropped.
    llvm = library()
    if llvm.GetDiagInfoSeverity(info) == _SEVERITY_ERROR and context in _diagnostics:
        _reported.value = 1
        _diagnostics[context].append(llvm.take_string(llvm.GetDiagInfoDescription(info)))
    elif context in remark_takers:
        remark_takers[context](info)


# Created at import, before any fork: a confined process may not make executable memory for a callback.
_HANDLER: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(_collect_diagnostic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    ir_instructions: int
    text_size_bytes: int


class PassState(ctypes.Structure):
    # `PassState` of native/apply.h: what passes run on, and what the last ones left.
    _fields_ = (
        ("module", ctypes.c_void_p),
        ("machine", ctypes.c_void_p),
        ("options", ctypes.c_void_p),
        ("fingerprint", ctypes.c_void_p),
        ("memory", ctypes.c_void_p),
        ("reported", ctypes.c_void_p),
        ("largest", ctypes.c_uint64),
        ("error", ctypes.c_void_p),
        ("is_known", ctypes.c_uint64),
        ("found", ctypes.c_uint64 * 2),
    )

    def apply(self, pipeline: str, function: int | None = None) -> None:
        reset_reported()
        _apply()(ctypes.byref(self), pipeline.encode(), function)


@lru_cache(maxsize=1)
def _apply() -> Callable[..., int]:
    address = helper_address("optarena_apply")
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(address)


class Module:
    __slots__ = ("_context", "_machine", "_module", "_waiting")

    def __init__(self, context: int, module: int) -> None:
        self._context: int | None = context
        self._module: int | None = module
        self._machine: int | None = None
        self._waiting: list[int] = []  # where the machine came from

    @classmethod
    def parse(cls, data: bytes, *, discard_names: bool = False) -> Self:
        """Read a program from bitcode or textual IR; names of local values are discarded from bitcode only.

        Raises:
            InvalidInput: The program is neither, is damaged, or is made for another kind of machine.
        """
        llvm = library()
        context: int = llvm.ContextCreate()
        _diagnostics[context] = []
        llvm.ContextSetDiagnosticHandler(context, _HANDLER, context)
        llvm.ContextSetDiscardValueNames(context, discard_names)
        module, message = ctypes.c_void_p(), ctypes.c_void_p()
        buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(data, len(data), b"program")
        failed = llvm.ParseIRInContext2(context, buffer, ctypes.byref(module), ctypes.byref(message))
        llvm.DisposeMemoryBuffer(buffer)
        if failed or module.value is None:
            llvm.ContextDispose(context)
            problems = "; ".join([llvm.take_string(message.value).strip(), *_diagnostics.pop(context)])
            raise InvalidInput(
                f"The program is not valid LLVM IR: {message_text(problems)}.",
                field="program",
                remedy="Give bitcode or textual IR that LLVM 22 can read; another version's IR may differ. "
                "Sources are compiled by make_benchmark() in Python, and by --program in a command.",
            )
        parsed = cls(context, module.value)
        return parsed._in_known_layout(data, discard_names=discard_names)

    def _in_known_layout(self, data: bytes, *, discard_names: bool) -> Self:
        lacks_layout = not library().GetDataLayoutStr(self.handle)
        try:
            if complete(self.handle, self.triple):
                line = b'target datalayout = "%s"\n' % library().GetDataLayoutStr(self.handle)
                if not lacks_layout or data.startswith((line, *_BITCODE)):
                    return self
                # The reader of text takes alignments that it leaves out from the layout, so it must be there.
                self.close()
                return type(self).parse(line + data, discard_names=discard_names)
            wrong = wrong_layout(self.handle, self.triple)
            # Only the reader of bitcode brings the data layouts of older versions up to date.
            upgraded = b"" if data.startswith(_BITCODE) else self.bitcode()
        except InvalidInput:
            self.close()
            raise
        self.close()
        with suppress(InvalidInput):
            if upgraded:
                return type(self).parse(upgraded, discard_names=discard_names)
        raise wrong

    @property
    def handle(self) -> int:
        if self._module is None:
            raise ValueError("The module is closed.")
        return self._module

    def run(self, pipeline: str, function: int | None = None) -> None:
        """Run passes, given as for ``opt -passes=``, on the module in place, or on one of its functions.

        Raises:
            InvalidInput: LLVM cannot parse the pipeline; the module is unchanged.
            ServiceError: A pass reported an error.
        """
        state = self.pass_state()
        state.apply(pipeline, function)
        self.check_passes(state.error, pipeline)

    def pass_state(self, fingerprint: int = 0, memory: int = 0, largest: int = 0) -> PassState:
        options, reported = library().pass_options, ctypes.addressof(_reported)
        return PassState(self.handle, self.machine, options, fingerprint, memory, reported, largest)

    def optimise(self, level: str) -> None:
        """Run one of LLVM's own pipelines.

        Raises:
            InvalidInput: This release has no such level: LLVM would end the process.
            ServiceError: A pass reported an error.
        """
        release = RELEASES.get(library().version)
        levels = release.levels if release else LEVELS
        if level not in levels:
            why = release.refused.get(f"default<{level}>") if release else None
            message = f"There is no optimisation level {level!r}{f': {why}' if why else ''}."
            raise InvalidInput(message, field="level", remedy=f"Use one of {', '.join(levels)}.")
        if level == MINSIZE:
            self.mark_minsize()
        if level != "O0":
            self.run(f"default<{level.removesuffix(_MARKED)}>")

    def mark_minsize(self) -> None:
        # As clang -Oz marks functions. LLVM allows no optnone beside it, and skips such functions.
        llvm = library()
        kind = llvm.GetEnumAttributeKindForName(b"minsize", len(b"minsize"))
        mark = llvm.CreateEnumAttribute(llvm.GetModuleContext(self.handle), kind, 0)
        skipped = set(self.skipped())
        for one in self.functions():
            if one not in skipped and not llvm.IsDeclaration(one):
                llvm.AddAttributeAtIndex(one, _OF_FUNCTION, mark)

    def check_passes(self, error: int | None, pipeline: str) -> None:
        # For passes that have run and returned this LLVMErrorRef, if any.
        if error:
            message = f"LLVM {library().take_error(error)}"
            raise InvalidInput(message, field="pipeline", value=pipeline[:200], remedy="Correct it.")
        self._raise_reported()

    def verify(self) -> str | None:
        """Return the problems that LLVM's verifier finds, or None."""
        llvm = library()
        message = ctypes.c_void_p()
        broken = llvm.VerifyModule(self.handle, _RETURN_STATUS, ctypes.byref(message))
        text = llvm.take_string(message.value)
        return (text or "the module is broken") if broken else None

    def instruction_count(self) -> int:
        count: int = library().ModuleInstructionCount(self.handle)
        return count

    def drop_origin(self) -> None:
        # So that equal programs have equal bytes.
        llvm = library()
        llvm.SetSourceFileName(self.handle, b"program", len(b"program"))
        llvm.SetModuleIdentifier(self.handle, b"program", len(b"program"))

    def functions(self) -> Iterator[int]:
        llvm = library()
        return linked_list(llvm.GetFirstFunction(self.handle), llvm.GetNextFunction)

    def skipped(self) -> list[int]:
        # The functions that are marked optnone, which every pass on functions skips.
        llvm, mark = library(), _optnone()
        return [one for one in self.functions() if llvm.GetEnumAttributeAtIndex(one, _OF_FUNCTION, mark)]

    def check_changeable(self) -> None:
        """Raises InvalidInput if every function is marked optnone, so that nothing can be optimised."""
        llvm, mark = library(), _optnone()
        defined = (one for one in self.functions() if not llvm.IsDeclaration(one))
        marked = (llvm.GetEnumAttributeAtIndex(one, _OF_FUNCTION, mark) for one in defined)
        if next(marked, None) and all(marked):
            raise InvalidInput(
                "All functions of the program are marked optnone, so that passes skip them.",
                field="program",
                remedy="Remove the mark by make_benchmark(FILE, drop_optnone=True) in Python, or by "
                "--drop-optnone in a command; or compile with -O1 -Xclang -disable-llvm-passes instead of "
                "-O0.",
            )

    def drop_optnone(self) -> None:
        for one in self.skipped():
            library().RemoveEnumAttributeAtIndex(one, _OF_FUNCTION, _optnone())

    def function_names(self) -> list[str]:
        # Of defined functions. Bytes that are not UTF-8 are decoded by surrogateescape.
        defined = (one for one in self.functions() if not library().IsDeclaration(one))
        return [value_name(one).decode(errors="surrogateescape") for one in defined]

    def declared_names(self) -> set[str]:
        declared = (one for one in self.functions() if library().IsDeclaration(one))
        return {value_name(one).decode(errors="surrogateescape") for one in declared}

    def link(self, data: bytes) -> None:
        # If the two cannot be linked, this module must not be used any further.
        llvm = library()
        other, message = ctypes.c_void_p(), ctypes.c_void_p()
        buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(data, len(data), b"program")
        failed = llvm.ParseIRInContext2(self._context, buffer, ctypes.byref(other), ctypes.byref(message))
        llvm.DisposeMemoryBuffer(buffer)
        if failed or llvm.LinkModules2(self.handle, other.value):
            reported = [llvm.take_string(message.value).strip(), *_diagnostics[self._context or 0]]
            raise InvalidInput(
                f"The programs cannot be linked: {message_text('; '.join(filter(None, reported)))}",
                field="program",
                remedy="Every name may be defined once; leave one of them out.",
            )

    def text(self) -> str:
        return decoded(self._printed())

    def _printed(self) -> bytes:
        llvm = library()
        pointer = llvm.PrintModuleToString(self.handle)
        try:
            return ctypes.string_at(pointer)
        finally:
            llvm.DisposeMessage(pointer)

    def bitcode(self) -> bytes:
        llvm = library()
        return llvm.take_buffer(llvm.WriteBitcodeToMemoryBuffer(self.handle))

    def clone(self) -> Module:
        # The clone lacks the original's use-list order, so passes may give other results: never continue an
        # episode from a clone.
        return Module.parse(self.bitcode())

    def object_code(self) -> bytes:
        with self.clone() as copy:
            return copy.emit_in_place()

    def text_size(self) -> int:
        return elf.executable_bytes(self.object_code())

    def canonical_text(self) -> str:
        # Without comments, file names, and names of local values: equal programs have equal canonical texts,
        # whatever process and file they come from.
        return decoded(self._canonical())

    def digest(self) -> str:
        # The identity of a state.
        return hashlib.sha1(self._canonical(), usedforsecurity=False).hexdigest()

    def _canonical(self) -> bytes:
        with Module.parse(self.bitcode(), discard_names=True) as copy:
            return canonical(copy._printed())  # noqa: SLF001 # of the same class

    def detach(self) -> tuple[int, int]:
        # The caller owns the context and the module (in this order) from now on.
        context, module = self._context, self.handle
        if context is None:
            raise ValueError("The module is closed.")
        self._context = self._module = None
        _diagnostics.pop(context, None)
        library().ContextSetDiagnosticHandler(context, None, None)
        self.close()
        return context, module

    def close(self) -> None:
        llvm = library()
        if self._machine is not None and len(self._waiting) < _MAX_IDLE:
            self._waiting.append(self._machine)
        elif self._machine is not None:
            llvm.DisposeTargetMachine(self._machine)
        if self._module is not None:
            llvm.DisposeModule(self._module)
        if self._context is not None:
            _diagnostics.pop(self._context, None)
            remark_takers.pop(self._context, None)
            llvm.ContextDispose(self._context)
        self._machine = self._module = self._context = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def triple(self) -> str:
        text: bytes = library().GetTarget(self.handle)
        return text.decode(errors="replace")

    @property
    def machine(self) -> int:
        # Never the host's, since passes use its cost model.
        if self._machine is None:
            self._waiting = _idle[self.triple]
            try:
                self._machine = self._waiting.pop()
            except IndexError:
                self._machine = create_machine(self.triple)
        return self._machine

    def emit_in_place(self, machine: int | None = None) -> bytes:
        # The code generator's passes change the module, so do not use it afterwards.
        llvm = library()
        for name in _LOWERED_BEFORE:
            if (function := llvm.GetNamedFunction(self.handle, name)) and llvm.GetFirstUse(function):
                raise _no_code(
                    f"{name.decode()} must be lowered first; make_benchmark() does so, or says why not"
                )
        message, buffer = ctypes.c_void_p(), ctypes.c_void_p()
        failed = llvm.TargetMachineEmitToMemoryBuffer(
            machine or self.machine, self.handle, _OBJECT_FILE, ctypes.byref(message), ctypes.byref(buffer)
        )
        if failed or buffer.value is None:
            raise _no_code(llvm.take_string(message.value))
        code = llvm.take_buffer(buffer.value)
        try:
            self._raise_reported()
        except ServiceError as error:
            raise _no_code(str(error)) from error
        return code

    def _raise_reported(self) -> None:
        reported = _diagnostics[self._context] if self._context is not None else []
        if reported:
            message = "; ".join(reported)
            reported.clear()
            raise ServiceError(f"LLVM reports: {message}")


def reset_reported() -> None:
    # For helpers in C: from now on it is 1 as soon as LLVM has reported an error that was not raised yet.
    _reported.value = int(any(_diagnostics.values()))


# Code generation ends the process if a program uses these.
_COUNTERS: Final = (b"increment", b"increment.step", b"cover", b"timestamp", b"value.profile")
_LOWERED_BEFORE: Final = (
    b"llvm.coro.begin",
    b"llvm.coro.begin.custom.abi",
    *(b"llvm.instrprof." + name for name in _COUNTERS),
)


def _no_code(why: str) -> InvalidInput:
    return InvalidInput(
        f"LLVM cannot make an object file of the program: {message_text(why)}",
        field="program",
        remedy="Correct its inline assembly and intrinsics; IrInstructionCount needs no object file.",
    )


def optimised(data: bytes, level: str) -> Module:
    module = Module.parse(data)
    try:
        module.optimise(level)
    except OptArenaError:
        module.close()
        raise
    return module


def baseline(data: bytes, level: str) -> Baseline:
    with optimised(data, level) as module:
        return Baseline(ir_instructions=module.instruction_count(), text_size_bytes=module.text_size())


def prepare(data: bytes) -> bytes:
    # All but main becomes internal, and forced inlining is done.
    llvm = library()
    with Module.parse(data) as module:
        problem = module.verify()
        if problem:
            raise InvalidInput(f"The program is not valid: {message_text(problem)}", field="program")
        main = llvm.GetNamedFunction(module.handle, b"main")
        if not main or llvm.IsDeclaration(main):
            raise InvalidInput("The program defines no main().", field="program", remedy="Add one.")
        module.run(pinned.PREPARATION)
        module.drop_origin()
        return module.bitcode()


class Jit(ObjectJit):
    def __init__(self, *, optimisation: int = pinned.OPTIMISATION_DEFAULT) -> None:
        super().__init__(create_machine(pinned.TRIPLE, optimisation=optimisation))


# C helpers are for loops over instructions, for which Python would be too slow. The engine compiles them once
# per process. The zygote does so before it forks, so that sessions inherit the code: a confined session may
# not make executable memory. The fingerprint runs after every action, mostly as the only helper.
_THOROUGH: Final = {"fingerprint": SOURCES["fingerprint"]}
_USUAL: Final = {source: name for source, name in SOURCES.items() if source not in _THOROUGH}


@lru_cache(maxsize=64)
def helper_address(name: str) -> int:
    group = next((one for one in (_THOROUGH, RARE) if name.startswith(tuple(one.values()))), _USUAL)
    return _compiler(tuple(group)).address(name)


def compile_helpers(sources: Mapping[str, str] = SOURCES) -> None:
    for name in sources.values():
        helper_address(name)


@lru_cache(maxsize=3)
def _compiler(sources: tuple[str, ...]) -> Jit:
    # Their IR is optimised already, and most of them wait for libLLVM: fast code generation does not slow
    # them down, and makes the first session of a process wait for a fifth of the time only.
    optimisation = pinned.OPTIMISATION_DEFAULT if sources == tuple(_THOROUGH) else 0
    jit = Jit(optimisation=optimisation)  # never closed: the code is used until the process ends
    folder = resources.files("optarena.llvm.native")
    declared: set[str] = set()
    for source in sources:
        module = Module.parse(folder.joinpath(f"{source}.ll").read_bytes())
        declared |= module.declared_names()
        jit.add_module(module)
    # LLJIT's own search would open libLLVM and its unwinder to all of the process, and exceptions of C++ in
    # extension modules that are imported later would end it.
    jit.define(library().addresses(declared))
    return jit
