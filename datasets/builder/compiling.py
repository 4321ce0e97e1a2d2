"""From sources to modules: compiles translation units, keeps the results, and links whole programs.

A module is kept under a hash of everything that it was compiled from. A build that was stopped goes on where
it was, and a second build compiles nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import DatasetRefused, Refusal, SourceUnavailable
from datasets.builder.files import keep, kept
from datasets.builder.measuring import MeasuredModule, measure
from datasets.builder.staging import staged
from datasets.builder.toolchain import CompileError
from optarena import limits
from optarena.errors import InvalidInput
from optarena.llvm.linking import Part, link

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.build_context import Workshop
    from datasets.builder.staging import Staged, TranslationUnit
    from datasets.builder.suite import Program

MODULE_VERSION: Final = 2
"""Increased when the builder changes how it makes modules: earlier results no longer count."""
_LINK_SECONDS: Final = 300.0
_INCLUDE: Final = re.compile(rb"^\s*#\s*include\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledProgram:
    """A program compiled from its sources: the same bytes on every machine.

    Attributes:
        program: The program.
        measured: Its bitcode, identity and baselines.
        lines: Lines of its sources.
        identity: Identifies its sources, as in ``Staged``.
    """

    program: Program
    measured: MeasuredModule
    lines: int
    identity: str


def compile_program(program: Program, workshop: Workshop) -> CompiledProgram:
    """Compiles, links and prepares a program and measures its baselines, without running it.

    Raises:
        DatasetRefused: A source is missing or does not compile, or the runner could not run the program.
    """
    if _INCLUDE.search(program.text) and not workshop.suite.toolchain.headers:
        reason = "it includes a header: declare the functions it uses, so that it builds the same everywhere"
        raise DatasetRefused([Refusal(program.name, reason)])
    try:
        with staged(program, workshop.suite, workshop.sources) as laid_out:
            parts = [
                Part(name=unit.name, data=module(unit, program, laid_out, workshop))
                for unit in laid_out.units
            ]
            lines = sum(_lines(unit.path) for unit in laid_out.units)
        workshop.processes.check()
        bitcode = link(
            parts, seconds=_LINK_SECONDS, runnable=True, memory_bytes=2 * limits.SESSION_MEMORY_BYTES
        )
        workshop.processes.check()
        measured = measure(program.name, bitcode)
    except CompileError as error:
        raise DatasetRefused([Refusal(program.name, f"it does not compile: {error}")]) from error
    except SourceUnavailable as error:
        raise DatasetRefused([Refusal(program.name, str(error))]) from error
    except InvalidInput as error:
        raise DatasetRefused([Refusal(program.name, error.message)]) from error
    return CompiledProgram(program=program, measured=measured, lines=lines, identity=laid_out.identity)


def module(unit: TranslationUnit, program: Program, laid_out: Staged, workshop: Workshop) -> bytes:
    """The bitcode of one translation unit, compiled if it is not kept.

    Raises:
        CompileError: It does not compile, or includes a file that is not in its key.
    """
    place = workshop.folder / "modules" / f"{_key(unit, program, laid_out, workshop)}.bc"
    data = kept(place)
    if not data:
        flags = [*program.flags, *laid_out.flags]
        workshop.toolchain.check_included(unit.path, flags, laid_out.roots)
        data = workshop.toolchain.bitcode(unit.path, flags)
        keep(place, data)
    return data


def _key(unit: TranslationUnit, program: Program, laid_out: Staged, workshop: Workshop) -> str:
    """A hash of everything that a module is compiled from."""
    made_of = [
        MODULE_VERSION,
        workshop.toolchain.identity,
        program.flags,
        laid_out.identity,
        unit.name,
        hashlib.sha256(unit.path.read_bytes()).hexdigest(),
    ]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")
