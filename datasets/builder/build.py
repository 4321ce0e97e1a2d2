"""From suite to benchmarks: compile, measure, gather evidence, and refuse what is not fit.

A program is checked completely before it is refused, and a suite completely before the build fails, so that
its author sees everything at once. Programs are built side by side; what one is found to be is kept, so that
a build that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from datasets.builder.compiling import CompiledProgram, compile_program
from datasets.builder.errors import DatasetRefused, Refusal
from datasets.builder.evidence import Answer, Evidence, gather
from datasets.builder.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from datasets.builder.suite import Program
    from datasets.builder.workshop import Workshop
    from optarena.llvm.module import Baseline

T = TypeVar("T")
OnProgram: TypeAlias = "Callable[[Program, float], None]"
EVIDENCE_VERSION: Final = 1
"""Raised when other evidence is asked for: what was found before then no longer counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgram:
    """A program that may be part of a dataset, with what its workloads must print."""

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
        workshop: The suite, and what it is built with.
        jobs: How many programs are built at once; one for each processor if None.
        on_program: Called after each program with the seconds that it took, from this thread.

    Raises:
        DatasetRefused: With every reason for every program.
        ToolchainMissing: Programs cannot be linked and run here.
        SourceUnavailable: The declarations of the C library cannot be had.
    """
    workshop.prepare()
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
        workshop.toolchain.check_native(Path(folder))
    built: dict[str, BuiltProgram] = {}
    refusals: list[Refusal] = []
    # The longest first: else the last one would run alone.
    order = sorted(workshop.suite.built, key=lambda program: -len(program.files))
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        for program, outcome, seconds in in_parallel(pool, build_program, order, workshop):
            if isinstance(outcome, DatasetRefused):
                refusals += outcome.refusals
            else:
                built[program.name] = outcome
            on_program(program, seconds)
    if refusals:
        raise DatasetRefused(sorted(refusals, key=lambda refusal: refusal.program))
    return [built[program.name] for program in workshop.suite.built]


def in_parallel(
    pool: ThreadPoolExecutor,
    work: Callable[[Program, Workshop], T],
    programs: Iterable[Program],
    workshop: Workshop,
) -> Iterator[tuple[Program, T | DatasetRefused, float]]:
    """Works on programs side by side: each, when done, with what was made or why not, and its seconds."""

    def timed(program: Program) -> tuple[T | DatasetRefused, float]:
        start = time.perf_counter()
        made: T | DatasetRefused
        try:
            made = work(program, workshop)
        except DatasetRefused as error:
            made = error
        return made, time.perf_counter() - start

    waiting = {pool.submit(timed, program): program for program in programs}
    for done in as_completed(waiting):
        yield waiting[done], *done.result()


def build_program(program: Program, workshop: Workshop) -> BuiltProgram:
    """Builds one program.

    Raises:
        DatasetRefused: With every reason found.
    """
    compiled = compile_program(program, workshop)
    evidence = _evidence(compiled, workshop)
    problems = [*baseline_problems(compiled.measured.baselines), *evidence.problems]
    if problems:
        raise DatasetRefused([Refusal(program.name, problem) for problem in problems])
    return BuiltProgram(compiled=compiled, evidence=evidence)


def baseline_problems(baselines: dict[str, Baseline]) -> list[str]:
    """Programs that Oz makes no smaller give no room to score in, or a negative one."""
    given, oz = baselines["O0"], baselines["Oz"]
    problems = []
    if given.ir_instructions <= oz.ir_instructions:
        problems.append(f"Oz leaves {oz.ir_instructions} instructions of {given.ir_instructions}, no fewer")
    if given.text_size_bytes <= oz.text_size_bytes:
        problems.append(f"Oz leaves {oz.text_size_bytes} bytes of code of {given.text_size_bytes}, no fewer")
    return problems


def _evidence(compiled: CompiledProgram, workshop: Workshop) -> Evidence:
    """What the program's runs gave, taken from an earlier build where nothing has changed since."""
    program, toolchain = compiled.program, workshop.toolchain
    made_of = [
        EVIDENCE_VERSION,
        toolchain.identity,
        toolchain.sanitizer,
        compiled.measured.ir_sha256,
        sorted(workshop.suite.package(name).sha256 for name in program.packages),
        hashlib.sha256(program.text).hexdigest(),
        program.flags,
        program.unsanitized,
        [asdict(run) for run in program.workloads],
    ]
    key = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()
    kept = workshop.folder / "evidence" / f"{key}.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        return _read(kept.read_bytes())
    evidence = gather(compiled, workshop)
    if not evidence.problems:
        write_whole(kept, _written(evidence))
    return evidence


def _written(evidence: Evidence) -> bytes:
    answers = {
        name: {"stdout": answer.stdout.decode(), "exit_code": answer.exit_code}
        for name, answer in evidence.answers.items()
    }
    return json.dumps({"answers": answers, "seconds": evidence.seconds}).encode()


def _read(text: bytes) -> Evidence:
    raw = json.loads(text)
    answers = {
        name: Answer(answer["stdout"].encode(), answer["exit_code"])
        for name, answer in raw["answers"].items()
    }
    return Evidence(answers, raw["seconds"], ())
