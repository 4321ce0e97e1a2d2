"""From source to benchmark: compile, prepare, measure, gather evidence, and refuse what is not fit.

A program is checked completely before it is refused, and a suite completely before the build fails, so that
its author sees everything at once.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import DatasetRefused, Refusal
from datasets.builder.evidence import Evidence, gather
from datasets.builder.toolchain import CompileError, Toolchain
from optarena.errors import InvalidInput
from optarena.llvm.execution import check_runnable
from optarena.llvm.module import LEVELS, Baseline, Module, baseline, prepare

if TYPE_CHECKING:
    from collections.abc import Callable

    from datasets.builder.suite import Program, Suite

_INCLUDE: Final = re.compile(rb"^\s*#\s*include\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledProgram:
    """What is made of a program's source: the same bytes on every machine.

    Attributes:
        bitcode: The prepared program.
        ir_sha256: Hash of its canonical text, the authoritative identity.
        baselines: By optimisation level.
    """

    program: Program
    bitcode: bytes
    ir_sha256: str
    baselines: dict[str, Baseline]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgram:
    """A program that may be part of a dataset, with what its workloads must print."""

    compiled: CompiledProgram
    evidence: Evidence


def build_suite(
    suite: Suite, *, toolchain: Toolchain, on_program: Callable[[Program], None] = lambda _: None
) -> list[BuiltProgram]:
    """Builds every program of a suite.

    Args:
        suite: The suite.
        toolchain: The compilers it is pinned to.
        on_program: Called before each program is built.

    Raises:
        DatasetRefused: With every reason for every program.
        ToolchainMissing: Programs cannot be linked and run here.
    """
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
        toolchain.check_native(Path(folder))
    built: list[BuiltProgram] = []
    refusals: list[Refusal] = []
    for program in suite.programs:
        on_program(program)
        try:
            built.append(build_program(program, toolchain=toolchain))
        except DatasetRefused as error:
            refusals += error.refusals
    if refusals:
        raise DatasetRefused(refusals)
    return built


def build_program(program: Program, *, toolchain: Toolchain) -> BuiltProgram:
    """Builds one program.

    Raises:
        DatasetRefused: With every reason found.
    """
    compiled = compile_program(program, toolchain=toolchain)
    evidence = gather(program, compiled.bitcode, toolchain)
    problems = [*_baseline_problems(compiled.baselines), *evidence.problems]
    if problems:
        raise DatasetRefused([Refusal(program.name, problem) for problem in problems])
    return BuiltProgram(compiled=compiled, evidence=evidence)


def compile_program(program: Program, *, toolchain: Toolchain) -> CompiledProgram:
    """Compiles and prepares a program and takes its baselines; nothing of it is run.

    Raises:
        DatasetRefused: It does not compile, or the runner could not run it.
    """
    if _INCLUDE.search(program.text):
        reason = "it includes a header: declare the functions it uses, so that it builds the same anywhere"
        raise DatasetRefused([Refusal(program.name, reason)])
    with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
        source = Path(folder) / Path(program.source).name
        source.write_bytes(program.text)
        try:
            raw = toolchain.bitcode(source)
            check_runnable(raw)
            bitcode = prepare(raw)
            check_runnable(bitcode)
        except CompileError as error:
            raise DatasetRefused([Refusal(program.name, f"it does not compile: {error}")]) from error
        except InvalidInput as error:
            raise DatasetRefused([Refusal(program.name, str(error))]) from error
    with Module.parse(bitcode) as module:
        ir_sha256 = hashlib.sha256(module.canonical_text().encode()).hexdigest()
    baselines = {level: baseline(bitcode, level) for level in LEVELS}
    return CompiledProgram(program=program, bitcode=bitcode, ir_sha256=ir_sha256, baselines=baselines)


def _baseline_problems(baselines: dict[str, Baseline]) -> list[str]:
    """Programs that Oz makes no smaller give no room to score in, or a negative one."""
    given, oz = baselines["O0"], baselines["Oz"]
    problems = []
    if given.ir_instructions <= oz.ir_instructions:
        problems.append(f"Oz leaves {oz.ir_instructions} instructions of {given.ir_instructions}, no fewer")
    if given.text_size_bytes <= oz.text_size_bytes:
        problems.append(f"Oz leaves {oz.text_size_bytes} bytes of code of {given.text_size_bytes}, no fewer")
    return problems
