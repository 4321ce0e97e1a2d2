"""Builds a benchmark from every translation unit of a suite: for size only, since a unit alone does not run.

Units that are too small, or that ``-Oz`` does not make smaller, are left out, and so are copies: libraries
contain copies of each other, and a program of the training set must not occur again under another name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from datasets.builder.build import baseline_problems, fetch
from datasets.builder.compiling import module
from datasets.builder.errors import DatasetRefused, Refusal, SourceUnavailable
from datasets.builder.measuring import MeasuredModule, measure
from datasets.builder.parallel import refusing, work_on
from datasets.builder.staging import staged
from datasets.builder.toolchain import CompileError
from optarena import limits
from optarena.errors import InvalidInput, ServiceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.builder.build import OnProgram
    from datasets.builder.build_context import Workshop
    from datasets.builder.suite import PackagePath, Program

_Item: TypeAlias = "tuple[Program, PackagePath]"
MIN_INSTRUCTIONS: Final = 50
NEAR_COPY: Final = 0.7
"""Two units are copies if they share this part of all their functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltUnit:
    """A translation unit that is a benchmark.

    Attributes:
        name: Its path in the dataset: ``zlib/adler32``.
        program: The program that it is part of.
        file: Its source.
        measured: Its bitcode, identity and baselines.
        lines: Lines of its source.
    """

    name: str
    program: Program
    file: PackagePath
    measured: MeasuredModule
    lines: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A unit that is not a benchmark, and why."""

    name: str
    reason: str


def build_units(
    workshop: Workshop,
    *,
    jobs: int | None = None,
    on_program: OnProgram = lambda _, __: None,
) -> tuple[list[BuiltUnit], list[LeftOut]]:
    """Builds every unit of a suite.

    Returns:
        The units sorted by name, and those that were left out.

    Raises:
        DatasetRefused: With every unit that does not compile, or that LLVM cannot read.
        SourceUnavailable: The declarations of the C library are not available.
    """
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
        refusing(lambda item: _unit_of(*item, workshop), lambda item: item[0].unit_paths[item[1]]),
        processes=workshop.processes,
        jobs=jobs,
        on_done=on_done,
    )
    return _chosen(sorted(found, key=lambda unit: unit.name))


def _source_bytes(file: PackagePath, workshop: Workshop) -> int:
    try:
        folder = workshop.sources.unpacked(workshop.suite.package(file.package))
        return (folder / file.path).stat().st_size
    except (SourceUnavailable, OSError):
        return 0  # it is refused by name later


def _unit_of(program: Program, file: PackagePath, workshop: Workshop) -> BuiltUnit:
    name = program.unit_paths[file]
    try:
        with staged(replace(program, files=(file,), source=""), workshop.suite, workshop.sources) as laid_out:
            (unit,) = laid_out.units
            bitcode = module(unit, program, laid_out, workshop)
            lines = unit.path.read_bytes().count(b"\n")
        workshop.processes.check()
        measured = measure(name, bitcode, unit=True)
    except CompileError as error:
        raise DatasetRefused([Refusal(name, f"it does not compile: {error}")]) from error
    except InvalidInput as error:
        raise DatasetRefused([Refusal(name, error.message)]) from error
    except ServiceError as error:
        raise DatasetRefused([Refusal(name, f"a process that worked on it failed: {error}")]) from error
    except SourceUnavailable as error:
        raise DatasetRefused([Refusal(program.name, str(error))]) from error
    return BuiltUnit(name=name, program=program, file=file, measured=measured, lines=lines)


def _chosen(units: Iterable[BuiltUnit]) -> tuple[list[BuiltUnit], list[LeftOut]]:
    chosen: list[BuiltUnit] = []
    left_out: list[LeftOut] = []
    for unit in units:
        reason = _unfit(unit.measured) or _copied(unit, chosen)
        if reason:
            left_out.append(LeftOut(unit.name, reason))
        else:
            chosen.append(unit)
    return chosen, left_out


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
