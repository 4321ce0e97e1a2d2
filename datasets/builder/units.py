"""Makes a benchmark of every translation unit of a suite: for size only, since a unit alone does not run.

Units that are too small, or that ``-Oz`` makes no smaller, are left out, and so are copies: libraries carry
each other along, and a program that is trained on must not be met again under another name.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from datasets.builder.build import baseline_problems, in_parallel
from datasets.builder.compiling import module
from datasets.builder.errors import DatasetRefused, Refusal, SourceUnavailable
from datasets.builder.measuring import Measured, measure
from datasets.builder.staging import staged
from datasets.builder.toolchain import CompileError
from optarena import limits
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    from datasets.builder.build import OnProgram
    from datasets.builder.suite import Program
    from datasets.builder.workshop import Workshop

MIN_INSTRUCTIONS: Final = 50
NEAR_COPY: Final = 0.7
"""Two units are copies where this share of their functions is the same: of all that either has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltUnit:
    """A translation unit that is a benchmark.

    Attributes:
        name: Its path in the dataset: ``zlib/adler32``.
        program: The program that it is part of.
        file: Path of its source inside the package.
        measured: Its bitcode, identity and baselines.
        lines: Lines of its source.
    """

    name: str
    program: Program
    file: str
    measured: Measured
    lines: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A unit that is no benchmark, and why."""

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
        SourceUnavailable: The declarations of the C library cannot be had.
    """
    workshop.prepare()
    found: list[BuiltUnit] = []
    refusals: list[Refusal] = []
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        for program, outcome, seconds in in_parallel(pool, _units_of, workshop.suite.built, workshop):
            if isinstance(outcome, DatasetRefused):
                refusals += outcome.refusals
            else:
                found += outcome
            on_program(program, seconds)
    if refusals:
        raise DatasetRefused(sorted(refusals, key=lambda refusal: refusal.program))
    return _chosen(sorted(found, key=lambda unit: unit.name))


def _units_of(program: Program, workshop: Workshop) -> list[BuiltUnit]:
    units, refusals = [], []
    names = _names(program)
    try:
        with staged(program, workshop.suite, workshop.sources) as laid_out:
            for unit in laid_out.units:
                if unit.is_own:
                    continue
                name, file = names[unit.name], unit.name.partition("/")[2]
                try:
                    bitcode = module(unit, program, laid_out, workshop)
                    measured = measure(name, bitcode, unit=True)
                except CompileError as error:
                    refusals.append(Refusal(name, f"it does not compile: {error}"))
                except InvalidInput as error:
                    refusals.append(Refusal(name, error.message))
                else:
                    lines = unit.path.read_bytes().count(b"\n")
                    units.append(
                        BuiltUnit(name=name, program=program, file=file, measured=measured, lines=lines)
                    )
    except SourceUnavailable as error:
        refusals.append(Refusal(program.name, str(error)))
    if refusals:
        raise DatasetRefused(refusals)
    return units


def _names(program: Program) -> dict[str, str]:
    """The units' names: the program's, and their paths below the folder that all of them share."""
    paths = {
        f"{file.package}/{file.path}": PurePosixPath(file.path).with_suffix("") for file in program.files
    }
    if not paths:
        return {}
    shared = len(PurePosixPath(os.path.commonpath([path.parent for path in paths.values()])).parts)
    return {key: "/".join((program.name, *path.parts[shared:])) for key, path in paths.items()}


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


def _unfit(measured: Measured) -> str:
    count = measured.baselines["O0"].ir_instructions
    if count < MIN_INSTRUCTIONS:
        return f"it has {count} instructions; at least {MIN_INSTRUCTIONS} are worth optimising"
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
