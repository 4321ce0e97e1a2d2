"""Build the programs of a suite: compile each unit, compare its runs, and collect what is published.

A module is kept under a hash of everything that it was compiled from: a build that was stopped goes on where
it was, and a second build compiles nothing. A program runs in several native builds and just in time, and all
must answer the same; every difference is a reason to refuse it. A translation unit alone does not run, and is
a benchmark for size only. Units that are too small, or that ``-Oz`` does not make smaller, are left out, and
so are copies: a program of the training set must not occur again under another name.
"""

from __future__ import annotations

import hashlib
import json
import re
import resource
import signal
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

from datasets.builder.files import (
    DatasetRefused,
    SourceUnavailable,
    json_digest,
    store_content,
    stored_content,
)
from datasets.builder.measuring import (
    MeasuredModule,
    measure,
    refused_as,
    system_errors_refused,
    with_clangs_level,
    work_on,
)
from datasets.builder.preprocessing import Preprocessor, Staged, TranslationUnit, staged_program
from datasets.builder.sources import Sources
from datasets.builder.suite import Package, PackagePath, Program, RunSpec, Suite
from datasets.builder.toolchain import NATIVE_LEVELS, CompileError, Processes, Toolchain
from optarena import limits, paths
from optarena.errors import InvalidInput
from optarena.llvm.execution import run_program
from optarena.llvm.linking import Part, link
from optarena.llvm.module import Baseline
from optarena.llvm.pinned import ENGINE_VERSION
from optarena.specs.benchmark import encoded_files

# Increased when the builder changes how it makes modules: earlier results no longer count.
MODULE_VERSION: Final = 2
_LINK_SECONDS: Final = 300.0
_INCLUDE: Final = re.compile(rb"^\s*#\s*include\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledProgram:
    # The same bytes on every machine. `identity` identifies the sources, as in `Staged`.
    program: Program
    measured: MeasuredModule
    lines: int
    identity: str


def compile_program(program: Program, workshop: Workshop) -> CompiledProgram:
    if _INCLUDE.search(program.text) and not workshop.suite.toolchain.headers:
        reason = "it includes a header: declare the functions it uses, so that it builds the same everywhere"
        raise DatasetRefused.of(program.name, reason)
    memory = 2 * limits.SESSION_MEMORY_BYTES
    with refused_as(program.name):
        with staged_program(program, workshop.suite, workshop.sources) as laid_out:
            parts = [
                Part(name=unit.name, data=module(unit, program, laid_out, workshop))
                for unit in laid_out.units
            ]
            lines = sum(_lines(unit.path) for unit in laid_out.units)
        workshop.processes.check()
        bitcode = link(parts, seconds=_LINK_SECONDS, runnable=True, memory_bytes=memory)
        workshop.processes.check()
        measured = with_clangs_level(measure(program.name, bitcode), program.name, workshop.toolchain)
    return CompiledProgram(program=program, measured=measured, lines=lines, identity=laid_out.identity)


def module(unit: TranslationUnit, program: Program, laid_out: Staged, workshop: Workshop) -> bytes:
    # Compile the unit unless its module is stored under a hash of everything that it is compiled from.
    made_of = [
        MODULE_VERSION,
        workshop.toolchain.identity,
        program.flags,
        laid_out.identity,
        unit.name,
        hashlib.sha256(unit.path.read_bytes()).hexdigest(),
    ]
    place = workshop.folder / "modules" / f"{json_digest(made_of)}.bc"
    data = stored_content(place)
    if not data:
        flags = [*program.flags, *laid_out.flags]
        workshop.toolchain.check_included(unit.path, flags, laid_out.roots)
        data = workshop.toolchain.bitcode(unit.path, flags)
        store_content(place, data)
    return data


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


NATIVE_SECONDS: Final = 20.0
MAX_OUTPUT_BYTES: Final = 16_000
# Seconds that an unoptimised workload should take: long enough for precision, short enough to repeat.
QUICKEST, SLOWEST = 0.02, 3.0
_ENVIRONMENT: Final = {"ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
_UNOPTIMISED: Final = "at O0"
_SANITIZED: Final = "under the sanitizers"
_ELSEWHERE: Final = "on another day and machine"
_ELSEWHERE_SOURCE: Final = Path(__file__).with_name("elsewhere.c")


@dataclass(frozen=True, slots=True)
class Answer:
    stdout: bytes
    exit_code: int


@dataclass(frozen=True, slots=True)
class _Build:
    # `preloaded` is a library that is loaded before the program, which may use so many bytes of addresses.
    path: Path
    preloaded: Path | None = None
    memory_bytes: int = limits.SESSION_MEMORY_BYTES

    @property
    def environment(self) -> dict[str, str]:
        return _ENVIRONMENT | ({} if self.preloaded is None else {"LD_PRELOAD": str(self.preloaded)})


@dataclass(frozen=True, slots=True)
class Evidence:
    answers: Mapping[str, Answer]  # By name of the workload, for workloads without a problem.
    seconds: Mapping[str, float]  # Wall time of the unoptimised native program, the better of two runs.
    problems: tuple[str, ...]  # Why the program cannot be part of a dataset.

    @property
    def run_seconds(self) -> float:
        return round(sum(self.seconds.values()), 3)

    @property
    def advice(self) -> str:
        odd = [
            f"{name} {seconds:.3f} s"
            for name, seconds in self.seconds.items()
            if not QUICKEST <= seconds <= SLOWEST
        ]
        if not odd:
            return ""
        return f"unoptimised workloads are measured well from {QUICKEST} to {SLOWEST} s: {', '.join(odd)}"


def gather(compiled: CompiledProgram, workshop: Workshop) -> Evidence:
    program = compiled.program
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as name:
        try:
            builds = _native_builds(program, workshop, Path(name))
        except CompileError as error:
            return Evidence({}, {}, (f"it cannot be built natively: {error}",))
        modules = {"O0": compiled.measured.bitcode, "Oz": compiled.measured.smallest}
        answers, problems, seconds = {}, [], {}
        for run in program.workloads:
            workshop.processes.check()
            answer, spent, found = _workload(run, builds, modules, workshop.processes)
            problems += [f"workload {run.name}: {problem}" for problem in found]
            seconds[run.name] = round(spent, 6)
            if answer is not None and not found:
                answers[run.name] = answer
    return Evidence(answers, seconds, tuple(problems))


def _native_builds(program: Program, workshop: Workshop, folder: Path) -> dict[str, _Build]:
    builds = {}
    with staged_program(program, workshop.suite, workshop.sources) as laid_out:
        sources = [unit.path for unit in laid_out.units]
        flags = [*program.flags, *laid_out.flags]
        for level in NATIVE_LEVELS:
            builds[f"at {level}"] = _Build(folder / f"program-{level}")
            workshop.toolchain.native(sources, level, builds[f"at {level}"].path, flags)
        sanitizing = [*flags, *(f"-fno-sanitize={check}" for check in program.unsanitized)]
        if workshop.toolchain.sanitized(sources, folder / "program-sanitized", sanitizing):
            # The sanitizers reserve terabytes of addresses that they never use.
            builds[_SANITIZED] = _Build(folder / "program-sanitized", memory_bytes=resource.RLIM_INFINITY)
    elsewhere = folder / "elsewhere.so"
    workshop.toolchain.shared_object(_ELSEWHERE_SOURCE, elsewhere)
    builds[_ELSEWHERE] = _Build(builds[_UNOPTIMISED].path, elsewhere)
    return builds


def _workload(
    run: RunSpec, builds: dict[str, _Build], modules: dict[str, bytes], processes: Processes
) -> tuple[Answer | None, float, list[str]]:
    # Return the answer of the unoptimised native program, its time, and the problems.
    unoptimised = builds[_UNOPTIMISED]
    try:
        first, one = _run_native(unoptimised, run, processes)
        again, two = _run_native(unoptimised, run, processes)
    except _RunFailed as error:
        return None, 0.0, [f"at O0 it {error}"]
    if first != again:
        return first, one, [f"it is not deterministic: run again, it {_difference(first, again)}"]
    problems = list(_answer_problems(first))
    for how, build in builds.items():
        if build is unoptimised:
            continue
        try:
            answer, _ = _run_native(build, run, processes)
        except _RunFailed as error:
            problems.append(f"{how} it {error}")
        else:
            if answer != first:
                problems.append(f"{how} and at O0 it {_difference(first, answer)}")
    problems += _jit_problems(run, modules, first)
    return first, min(one, two), problems


def _identity_of(run: RunSpec) -> dict[str, Any]:
    # Without files, it is what it was before there were any.
    identity = asdict(run)
    files = encoded_files(identity.pop("files"))
    return {**identity, "files": files} if files else identity


class _RunFailed(Exception):
    """A native run ended without an answer."""


def _run_native(build: _Build, run: RunSpec, processes: Processes) -> tuple[Answer, float]:
    try:
        with _empty_folder() as empty:
            for name, content in run.files.items():
                (empty / name).parent.mkdir(parents=True, exist_ok=True)
                (empty / name).write_bytes(content)
            done = processes.run(
                [build.path, *run.args],
                cwd=empty,
                stdin=run.stdin.encode(),
                seconds=NATIVE_SECONDS,
                env=build.environment,
                file_bytes=limits.WORKLOAD_OUTPUT_BYTES,
                memory_bytes=build.memory_bytes,
            )
    except TimeoutError as error:
        raise _RunFailed(f"needs {error}") from error
    if done.code == -signal.SIGXFSZ or len(done.stdout) >= limits.WORKLOAD_OUTPUT_BYTES:
        raise _RunFailed(f"prints {limits.WORKLOAD_OUTPUT_BYTES} bytes or more")
    if done.stderr:
        lines = done.stderr.decode(errors="replace").splitlines() or [""]
        said = next((line for line in lines if "error" in line.lower()), lines[0])
        raise _RunFailed(f"writes to standard error: {said.strip()[:200]}")
    if done.code < 0:
        raise _RunFailed(f"is killed by signal {-done.code}")
    return Answer(done.stdout, done.code), done.seconds


@contextmanager
def _empty_folder() -> Iterator[Path]:
    # Deleted by `rm`, which handles folders of any depth.
    folder = Path(tempfile.mkdtemp(prefix="optarena-run-"))
    try:
        yield folder
    finally:
        subprocess.run(["rm", "-rf", "--", folder], check=False)  # noqa: S603, S607 - the folder made above


def _answer_problems(answer: Answer) -> Iterator[str]:
    if not answer.stdout:
        yield "it prints nothing, so a miscompilation would not be noticed"
    if len(answer.stdout) > MAX_OUTPUT_BYTES:
        yield f"it prints {len(answer.stdout)} bytes; at most {MAX_OUTPUT_BYTES} are useful"
    try:
        answer.stdout.decode()
    except UnicodeDecodeError:
        yield "its output is not UTF-8"
    if b"\0" in answer.stdout:
        yield "its output contains NUL, which is not text"


def _jit_problems(run: RunSpec, modules: dict[str, bytes], expected: Answer) -> Iterator[str]:
    for level, bitcode in modules.items():
        done = run_program(
            bitcode, args=run.args, stdin=run.stdin.encode(), files=run.files, timeout=limits.WORKLOAD_SECONDS
        )
        how = f"compiled just in time at {level}"
        if done.failure is not None:
            yield f"{how} it fails: {done.failure}"
        elif done.exit_code is None:
            yield f"{how} it does not end by itself (signal {done.signal})"
        elif (answer := Answer(done.stdout, done.exit_code)) != expected:
            yield f"{how} and natively it {_difference(expected, answer)}"


def _difference(one: Answer, other: Answer) -> str:
    if one.exit_code != other.exit_code:
        return f"ends with different exit codes ({one.exit_code} and {other.exit_code})"
    pairs = zip(one.stdout.splitlines(), other.stdout.splitlines(), strict=False)
    line = next((n for n, (a, b) in enumerate(pairs, 1) if a != b), None)
    return "prints more or fewer lines" if line is None else f"prints a different line {line}"


OnProgram: TypeAlias = "Callable[[Program, float], None]"
# Increased when the evidence changes its meaning: earlier results no longer count.
EVIDENCE_VERSION: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgram:
    compiled: CompiledProgram
    evidence: Evidence


def build_suite(
    workshop: Workshop, *, jobs: int | None = None, on_program: OnProgram = lambda _, __: None
) -> list[BuiltProgram]:
    # Raises `DatasetRefused` with every reason for every program. `jobs`: one for each processor if None.
    workshop.prepare()
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
        workshop.toolchain.check_native(Path(folder))
    fetch(workshop, jobs)
    # The longest first: else the last one would run alone.
    order = sorted(workshop.suite.built, key=lambda program: -source_bytes(program, workshop))
    built = work_on(
        order,
        system_errors_refused(lambda program: build_program(program, workshop), lambda program: program.name),
        processes=workshop.processes,
        jobs=jobs,
        on_done=on_program,
    )
    made = {one.compiled.program.name: one for one in built}
    return [made[program.name] for program in workshop.suite.built]


def fetch(workshop: Workshop, jobs: int | None = None) -> None:
    # A package that is missing is reported later.

    def unpacked(package: Package) -> None:
        with suppress(SourceUnavailable):
            workshop.sources.unpacked(package)

    names = sorted(frozenset().union(*(program.packages for program in workshop.suite.built)))
    work_on(
        [workshop.suite.package(name) for name in names], unpacked, processes=workshop.processes, jobs=jobs
    )


def source_bytes(program: Program, workshop: Workshop) -> int:
    return len(program.text) + sum(_source_bytes(file, workshop) for file in program.files)


def build_program(program: Program, workshop: Workshop) -> BuiltProgram:
    with refused_as(program.name):
        compiled = compile_program(program, workshop)
        evidence = _evidence(compiled, workshop)
    problems = [*baseline_problems(compiled.measured.baselines), *evidence.problems]
    if problems:
        raise DatasetRefused.of(program.name, *problems)
    return BuiltProgram(compiled=compiled, evidence=evidence)


def baseline_problems(baselines: dict[str, Baseline]) -> list[str]:
    # Programs that Oz does not make smaller cannot be scored.
    given, oz = baselines["O0"], baselines["Oz"]
    problems = []
    if given.ir_instructions <= oz.ir_instructions:
        problems.append(
            f"Oz does not reduce the instructions: {given.ir_instructions} before, {oz.ir_instructions} after"
        )
    if given.text_size_bytes <= oz.text_size_bytes:
        problems.append(
            f"Oz does not reduce the code: {given.text_size_bytes} bytes before, {oz.text_size_bytes} after"
        )
    return problems


def _evidence(compiled: CompiledProgram, workshop: Workshop) -> Evidence:
    place = workshop.folder / "evidence" / f"{evidence_key(compiled, workshop)}.json"
    known = stored_content(place)
    if known is not None and (evidence := _read(known, compiled.program)) is not None:
        return evidence
    evidence = gather(compiled, workshop)
    if not evidence.problems:
        answers = {
            name: {"stdout": answer.stdout.decode(), "exit_code": answer.exit_code}
            for name, answer in evidence.answers.items()
        }
        written = {"answers": answers, "seconds": dict(evidence.seconds)}
        store_content(place, json.dumps(written).encode())
    return evidence


def evidence_key(compiled: CompiledProgram, workshop: Workshop) -> str:
    program, toolchain = compiled.program, workshop.toolchain
    made_of = [
        EVIDENCE_VERSION,
        ENGINE_VERSION,
        toolchain.identity,
        toolchain.sanitizer,
        toolchain.sanitizer_version,
        compiled.identity,
        hashlib.sha256(compiled.measured.bitcode).hexdigest(),
        hashlib.sha256(compiled.measured.smallest).hexdigest(),
        [str(file) for file in program.files],
        program.source,
        hashlib.sha256(program.text).hexdigest(),
        program.flags,
        program.unsanitized,
        [_identity_of(run) for run in program.workloads],
    ]
    return json_digest(made_of)


def _read(text: bytes, program: Program) -> Evidence | None:
    # None if the kept evidence is not for exactly these workloads.
    names = {run.name for run in program.workloads}
    try:
        raw: dict[str, Any] = json.loads(text)
        answers = {
            name: Answer(answer["stdout"].encode(), int(answer["exit_code"]))
            for name, answer in raw["answers"].items()
        }
        seconds = {name: float(value) for name, value in raw["seconds"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return Evidence(answers, seconds, ()) if answers.keys() == seconds.keys() == names else None


@dataclass(frozen=True)
class Workshop:
    # Unusable after an interrupt. The folder may be deleted when no build runs.
    suite: Suite
    folder: Path
    offline: bool = False

    @classmethod
    def of(cls, suite: Suite, folder: Path | None = None, *, offline: bool = False) -> Workshop:
        place = (folder or paths.cache() / "build").resolve()
        for field, path in (("--cache", place), ("TMPDIR", Path(tempfile.gettempdir()))):
            if "=" in str(path):  # clang would end the folder there, and the bytes would depend on it
                message = f"{field} is {path}, which contains '='."
                remedy = "Name another folder: compilers get it in an option of the form FOLDER=NAME."
                raise InvalidInput(message, field=field, value=str(path), remedy=remedy)
        return cls(suite, place, offline)

    @cached_property
    def processes(self) -> Processes:
        return Processes()

    @cached_property
    def sources(self) -> Sources:
        return Sources(self.folder, offline=self.offline, processes=self.processes)

    @cached_property
    def toolchain(self) -> Toolchain:
        # Compile with the suite's declarations of the C library.
        spec = self.suite.toolchain
        identity = self.suite.package(spec.headers).sha256 if spec.headers else ""
        return Toolchain(spec, self._declarations, identity=identity, processes=self.processes)

    @cached_property
    def preprocessor(self) -> Preprocessor:
        return Preprocessor(self.suite.toolchain, self._declarations, self.processes)

    @cached_property
    def _declarations(self) -> Path | None:
        # None for suites that declare what they use themselves.
        spec = self.suite.toolchain
        if not spec.headers:
            return None
        return self.sources.unpacked(self.suite.package(spec.headers), only=spec.header_folders)

    def prepare(self) -> None:
        # Fetches what every program needs, before threads share the workshop.
        _ = self.toolchain.sanitizer_version


_Item: TypeAlias = "tuple[Program, PackagePath]"
MIN_INSTRUCTIONS: Final = 50
NEAR_COPY: Final = 0.7  # Two units are copies if they share this part of all their functions.


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltUnit:
    name: str  # Its path in the dataset: `zlib/adler32`.
    program: Program
    file: PackagePath
    measured: MeasuredModule
    lines: int


def build_units(
    workshop: Workshop, *, jobs: int | None = None, on_program: OnProgram = lambda _, __: None
) -> tuple[list[BuiltUnit], dict[str, str]]:
    # Return the units sorted by name, and why others were left out, by their names.
    workshop.prepare()
    fetch(workshop, jobs)
    left = Counter({program.name: len(program.files) for program in workshop.suite.built})
    spent: dict[str, float] = defaultdict(float)

    def on_done(item: _Item, seconds: float) -> None:
        program, _ = item
        left[program.name] -= 1
        spent[program.name] += seconds
        if not left[program.name]:
            on_program(program, spent[program.name])

    items = [(program, file) for program in workshop.suite.built for file in program.files]
    found = work_on(
        # The longest first: else the last one would run alone.
        sorted(items, key=lambda item: -_source_bytes(item[1], workshop)),
        system_errors_refused(
            lambda item: _unit_of(*item, workshop), lambda item: item[0].unit_paths[item[1]]
        ),
        processes=workshop.processes,
        jobs=jobs,
        on_done=on_done,
    )
    chosen: list[BuiltUnit] = []
    left_out: dict[str, str] = {}
    for unit in sorted(found, key=lambda unit: unit.name):
        reason = _unfit(unit.measured) or _copied(unit, chosen)
        if reason:
            left_out[unit.name] = reason
        else:
            chosen.append(unit)
    return chosen, left_out


def _source_bytes(file: PackagePath, workshop: Workshop) -> int:
    try:
        folder = workshop.sources.unpacked(workshop.suite.package(file.package))
        return (folder / file.path).stat().st_size
    except (SourceUnavailable, OSError):
        return 0  # it is refused by name later


def _unit_of(program: Program, file: PackagePath, workshop: Workshop) -> BuiltUnit:
    name = program.unit_paths[file]
    alone = replace(program, files=(file,), source="")
    with refused_as(name):
        try:
            with staged_program(alone, workshop.suite, workshop.sources) as laid_out:
                (unit,) = laid_out.units
                bitcode = module(unit, program, laid_out, workshop)
                lines = _lines(unit.path)
        except SourceUnavailable as error:
            raise DatasetRefused.of(program.name, str(error)) from error
        workshop.processes.check()
        measured = with_clangs_level(measure(name, bitcode, unit=True), name, workshop.toolchain)
    return BuiltUnit(name=name, program=program, file=file, measured=measured, lines=lines)


def _unfit(measured: MeasuredModule) -> str:
    count = measured.baselines["O0"].ir_instructions
    if count < MIN_INSTRUCTIONS:
        return f"it has {count} instructions; a benchmark has at least {MIN_INSTRUCTIONS}"
    if len(measured.bitcode) > limits.MAX_BENCHMARK_BYTES:
        return f"it has {len(measured.bitcode)} bytes; a benchmark has at most {limits.MAX_BENCHMARK_BYTES}"
    return "; ".join(baseline_problems(measured.baselines))


def _copied(unit: BuiltUnit, chosen: Iterable[BuiltUnit]) -> str:
    own = unit.measured.functions
    for other in chosen:
        others = other.measured.functions
        if unit.measured.ir_sha256 == other.measured.ir_sha256:
            return f"it is the same as {other.name}"
        if own and len(own & others) > NEAR_COPY * len(own | others):
            return f"it is nearly the same as {other.name}"
    return ""
