"""From suite to benchmarks: compile, measure, gather evidence, and refuse unsuitable programs.

A program is checked completely before it is refused, and a suite completely before the build fails, so that
its author sees all problems at once. Programs are built in parallel. Results are kept, so that a build that
was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from datasets.builder.compiling import CompiledProgram, compile_program
from datasets.builder.errors import DatasetRefused, Refusal, SourceUnavailable
from datasets.builder.files import keep, kept
from datasets.builder.parallel import refusing, work_on
from datasets.builder.run_comparison import Answer, Evidence, gather
from optarena.errors import ServiceError
from optarena.llvm.pinned import ENGINE_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.builder.build_context import Workshop
    from datasets.builder.suite import Package, Program
    from optarena.llvm.module import Baseline

OnProgram: TypeAlias = "Callable[[Program, float], None]"
EVIDENCE_VERSION: Final = 4
"""Increased when the evidence changes its meaning: earlier results no longer count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgram:
    """A program that may be part of a dataset, with the expected output of its workloads."""

    compiled: CompiledProgram
    evidence: Evidence


def build_suite(
    workshop: Workshop,
    *,
    jobs: int | None = None,
    on_program: OnProgram = lambda _, __: None,
) -> list[BuiltProgram]:
    """Builds every program of a suite that is not excluded.

    Args:
        workshop: The suite and its tools; unusable after an interrupt.
        jobs: The number of programs built at once; one for each processor if None.
        on_program: Called after each program with the seconds that it took, from this thread.

    Raises:
        DatasetRefused: With every reason for every program.
        ToolchainMissing: Programs cannot be linked and run on this machine.
        SourceUnavailable: The declarations of the C library are not available.
        OSError: The disk is full, say.
    """
    workshop.prepare()
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
        workshop.toolchain.check_native(Path(folder))
    fetch(workshop, jobs)
    # The longest first: else the last one would run alone.
    order = sorted(workshop.suite.built, key=lambda program: -source_bytes(program, workshop))
    built = work_on(
        order,
        refusing(lambda program: build_program(program, workshop), lambda program: program.name),
        processes=workshop.processes,
        jobs=jobs,
        on_done=on_program,
    )
    made = {one.compiled.program.name: one for one in built}
    return [made[program.name] for program in workshop.suite.built]


def fetch(workshop: Workshop, jobs: int | None = None) -> None:
    """Fetches and unpacks all packages of the suite in parallel; a missing one is reported later."""

    def unpacked(package: Package) -> None:
        with suppress(SourceUnavailable):
            workshop.sources.unpacked(package)

    names = sorted(frozenset().union(*(program.packages for program in workshop.suite.built)))
    work_on(
        [workshop.suite.package(name) for name in names],
        unpacked,
        processes=workshop.processes,
        jobs=jobs,
    )


def source_bytes(program: Program, workshop: Workshop) -> int:
    """Length of all sources of a program; of its own source alone if a package is not available."""
    total = len(program.text)
    with suppress(SourceUnavailable, OSError):
        for file in program.files:
            folder = workshop.sources.unpacked(workshop.suite.package(file.package))
            total += (folder / file.path).stat().st_size
    return total


def build_program(program: Program, workshop: Workshop) -> BuiltProgram:
    """Builds one program.

    Raises:
        DatasetRefused: With every reason found.
    """
    try:
        compiled = compile_program(program, workshop)
        evidence = _evidence(compiled, workshop)
    except ServiceError as error:
        reason = f"a process that worked on it failed: {error}"
        raise DatasetRefused([Refusal(program.name, reason)]) from error
    problems = [*baseline_problems(compiled.measured.baselines), *evidence.problems]
    if problems:
        raise DatasetRefused([Refusal(program.name, problem) for problem in problems])
    return BuiltProgram(compiled=compiled, evidence=evidence)


def baseline_problems(baselines: dict[str, Baseline]) -> list[str]:
    """Programs that Oz does not make smaller cannot be scored."""
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
    """The evidence of the program's runs, from an earlier build if nothing has changed since."""
    place = workshop.folder / "evidence" / f"{evidence_key(compiled, workshop)}.json"
    known = kept(place)
    if known is not None and (evidence := _read(known, compiled.program)) is not None:
        return evidence
    evidence = gather(compiled, workshop)
    if not evidence.problems:
        keep(place, _written(evidence))
    return evidence


def evidence_key(compiled: CompiledProgram, workshop: Workshop) -> str:
    """A hash of everything that the runs of a program depend on."""
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
        [asdict(run) for run in program.workloads],
    ]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def _written(evidence: Evidence) -> bytes:
    answers = {
        name: {"stdout": answer.stdout.decode(), "exit_code": answer.exit_code}
        for name, answer in evidence.answers.items()
    }
    return json.dumps({"answers": answers, "seconds": dict(evidence.seconds)}).encode()


def _read(text: bytes, program: Program) -> Evidence | None:
    """Kept evidence; None if it is not for exactly these workloads."""
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
