"""Programs for the pinned GCC: the source is the benchmark, and GCC's levels are its baselines.

What clang's build of a program does on its workloads is the expected output. GCC's builds at several levels
must do the same.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import DatasetRefused, Refusal, ToolchainMissing
from optarena.errors import InvalidInput, ServiceError, ToolMissing
from optarena.gcc.compiling import Compiler
from optarena.gcc.measures import LOAD_SIZE, TEXT_SIZE
from optarena.gcc.observations import LEVELS
from optarena.gcc.toolchain import find
from optarena.machine_code import elf
from optarena.machine_code.execution import failure_of, run_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from datasets.builder.run_comparison import Answer
    from datasets.builder.suite import Program
    from optarena.gcc.toolchain import GccToolchain

RUN_LEVELS: Final = ("O0", "O2", "O3", "Oz")
"""Levels at which the workloads are run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredSource:
    """A source and what GCC makes of it.

    Attributes:
        source: The program.
        baselines: For each metric its value at each level.
    """

    source: bytes
    baselines: Mapping[str, Mapping[str, int]]

    @property
    def identity(self) -> str:
        """The sha256 of the source."""
        return hashlib.sha256(self.source).hexdigest()


def measure_source(program: Program, answers: Mapping[str, Answer]) -> MeasuredSource:
    """Compile a program at GCC's levels, and run it.

    Args:
        program: The program, of one source that includes nothing.
        answers: What clang's build did on each workload.

    Raises:
        DatasetRefused: GCC cannot compile it, its build does something else, or -Oz does not make it smaller.
        ToolchainMissing: The pinned GCC is not installed.
    """
    if program.package or program.support:
        reason = "a suite for GCC has programs of one source that includes nothing"
        raise DatasetRefused([Refusal(program.name, reason)])
    try:
        toolchain = find()
    except ToolMissing as error:
        raise ToolchainMissing(str(error)) from error
    try:
        objects = _objects(toolchain, program.text)
    except (InvalidInput, ServiceError) as error:
        raise DatasetRefused([Refusal(program.name, f"GCC does not compile it: {error}")]) from error
    baselines = {
        LOAD_SIZE.name: {level: elf.loaded_bytes(code) for level, code in objects.items()},
        TEXT_SIZE.name: {level: elf.executable_bytes(code) for level, code in objects.items()},
    }
    problems = [*_other_answers(program, objects, answers), *_not_smaller(baselines)]
    if problems:
        raise DatasetRefused([Refusal(program.name, problem) for problem in problems])
    return MeasuredSource(source=program.text, baselines=baselines)


def _objects(toolchain: GccToolchain, source: bytes) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as place:
        compiler = Compiler(toolchain, Path(place), source)
        compiler.check()
        return {
            level: compiler.object_file(compiler.assembly([f"-{level}"] if level != LEVELS[0] else []))
            for level in LEVELS
        }


def _not_smaller(baselines: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for name, values in baselines.items():
        if values["O0"] <= values["Oz"]:
            yield f"-Oz does not reduce {name}: {values['O0']} before, {values['Oz']} after"


def _other_answers(
    program: Program, objects: Mapping[str, bytes], answers: Mapping[str, Answer]
) -> Iterator[str]:
    for level in RUN_LEVELS:
        for run in program.workloads:
            made = run_object(lambda code=objects[level]: code, args=run.args, stdin=run.stdin.encode())  # type: ignore[misc] # bound now
            wanted, problem = answers[run.name], failure_of(made)
            if problem is not None:
                yield f"GCC's build at -{level} fails workload {run.name}: {problem}"
            elif (made.stdout, made.exit_code) != (wanted.stdout, wanted.exit_code):
                yield f"GCC's build at -{level} does something else on workload {run.name} than clang's"
