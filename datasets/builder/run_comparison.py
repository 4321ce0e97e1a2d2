"""Runs a program in several native builds and just in time, and requires the same answer from all.

The dataset records the answer of the native runs; every difference is a reason to refuse the program.
"""

from __future__ import annotations

import resource
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from datasets.builder.staging import staged
from datasets.builder.toolchain import NATIVE_LEVELS, CompileError
from optarena import limits
from optarena.llvm.execution import run_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from datasets.builder.build_context import Workshop
    from datasets.builder.compiling import CompiledProgram
    from datasets.builder.processes import Processes
    from datasets.builder.suite import Program, RunSpec

NATIVE_SECONDS: Final = 20.0
MAX_OUTPUT_BYTES: Final = 16_000
QUICKEST, SLOWEST = 0.02, 3.0
"""Seconds that an unoptimised workload should take: long enough for precision, short enough to repeat."""
_ENVIRONMENT: Final = {"ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
_UNOPTIMISED: Final = "at O0"
_SANITIZED: Final = "under the sanitizers"
_ELSEWHERE: Final = "on another day and machine"
_ELSEWHERE_SOURCE: Final = Path(__file__).with_name("elsewhere.c")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one run of a program, which two runs must have in common."""

    stdout: bytes
    exit_code: int


@dataclass(frozen=True, slots=True)
class _Build:
    """A native program, the address space that it may use and, where one is loaded before it, a library."""

    path: Path
    preloaded: Path | None = None
    memory_bytes: int = limits.SESSION_MEMORY_BYTES

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the program."""
        return _ENVIRONMENT | ({} if self.preloaded is None else {"LD_PRELOAD": str(self.preloaded)})


@dataclass(frozen=True, slots=True)
class Evidence:
    """The agreed answers of a program.

    Attributes:
        answers: The answers by name of the workload, for workloads without a problem.
        seconds: Wall time of each workload of the unoptimised native program, the better of two runs.
        problems: Why the program cannot be part of a dataset.
    """

    answers: Mapping[str, Answer]
    seconds: Mapping[str, float]
    problems: tuple[str, ...]

    @property
    def run_seconds(self) -> float:
        """Wall time of all workloads."""
        return round(sum(self.seconds.values()), 3)

    @property
    def advice(self) -> str:
        """A warning about workloads that are too short or too long to be measured well, if any."""
        odd = [
            f"{name} {seconds:.3f} s"
            for name, seconds in self.seconds.items()
            if not QUICKEST <= seconds <= SLOWEST
        ]
        if not odd:
            return ""
        return f"unoptimised workloads are measured well from {QUICKEST} to {SLOWEST} s: {', '.join(odd)}"


def gather(compiled: CompiledProgram, workshop: Workshop) -> Evidence:
    """Runs every workload in every build.

    Args:
        compiled: The program as the dataset will hold it.
        workshop: The compilers and sources.
    """
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
    with staged(program, workshop.suite, workshop.sources) as laid_out:
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
    """The answer of the unoptimised native program, its time, and the problems."""
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


class _RunFailed(Exception):
    """A native run ended without an answer."""


def _run_native(build: _Build, run: RunSpec, processes: Processes) -> tuple[Answer, float]:
    try:
        with _empty_folder() as empty:
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
        raise _RunFailed(f"writes to standard error: {_summary(done.stderr)}")
    if done.code < 0:
        raise _RunFailed(f"is killed by signal {-done.code}")
    return Answer(done.stdout, done.code), done.seconds


@contextmanager
def _empty_folder() -> Iterator[Path]:
    """A folder for a program to run in, deleted by ``rm``, which handles folders of any depth."""
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
        done = run_program(bitcode, args=run.args, stdin=run.stdin.encode(), timeout=limits.WORKLOAD_SECONDS)
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


def _summary(stderr: bytes) -> str:
    lines = stderr.decode(errors="replace").splitlines()
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "").strip()[:200]
