"""From sources to modules: compiles translation units, keeps what was compiled, and links whole programs.

A module is kept by everything it was made of, so that a build that was stopped goes on where it was, and a
second one compiles nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import DatasetRefused, Refusal, SourceUnavailable
from datasets.builder.files import write_whole
from datasets.builder.measuring import Measured, measure
from datasets.builder.staging import staged
from datasets.builder.toolchain import CompileError
from optarena import limits
from optarena.errors import InvalidInput
from optarena.llvm.linked import Part, link

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.staging import Staged, TranslationUnit
    from datasets.builder.suite import Program
    from datasets.builder.workshop import Workshop

_LINK_SECONDS: Final = 300.0
_INCLUDE: Final = re.compile(rb"^\s*#\s*include\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledProgram:
    """What is made of a program's sources: the same bytes on every machine.

    Attributes:
        program: The program.
        measured: Its bitcode, identity and baselines.
        lines: Lines of its sources.
    """

    program: Program
    measured: Measured
    lines: int


def compile_program(program: Program, workshop: Workshop) -> CompiledProgram:
    """Compiles, links and prepares a program and takes its baselines; nothing of it is run.

    Raises:
        DatasetRefused: A source cannot be had or does not compile, or the runner could not run the program.
    """
    if _INCLUDE.search(program.text) and not workshop.suite.toolchain.headers:
        reason = "it includes a header: declare the functions it uses, so that it builds the same anywhere"
        raise DatasetRefused([Refusal(program.name, reason)])
    try:
        with staged(program, workshop.suite, workshop.sources) as laid_out:
            parts = [
                Part(name=unit.name, data=module(unit, program, laid_out, workshop))
                for unit in laid_out.units
            ]
            lines = sum(_lines(unit.path) for unit in laid_out.units)
        bitcode = link(
            parts, seconds=_LINK_SECONDS, runnable=True, memory_bytes=2 * limits.SESSION_MEMORY_BYTES
        )
        measured = measure(program.name, bitcode)
    except CompileError as error:
        raise DatasetRefused([Refusal(program.name, f"it does not compile: {error}")]) from error
    except SourceUnavailable as error:
        raise DatasetRefused([Refusal(program.name, str(error))]) from error
    except InvalidInput as error:
        raise DatasetRefused([Refusal(program.name, error.message)]) from error
    return CompiledProgram(program=program, measured=measured, lines=lines)


def module(unit: TranslationUnit, program: Program, laid_out: Staged, workshop: Workshop) -> bytes:
    """The bitcode of one translation unit, compiled if it is not kept.

    Raises:
        CompileError: It does not compile.
    """
    content = hashlib.sha256(unit.path.read_bytes()).hexdigest()
    flags = [*workshop.toolchain.identity, *program.flags]
    key = json.dumps([workshop.toolchain.spec.clang, flags, laid_out.identity, unit.name, content])
    kept = workshop.folder / "modules" / f"{hashlib.sha256(key.encode()).hexdigest()}.bc"
    with suppress(OSError):
        if data := kept.read_bytes():
            return data
    data = workshop.toolchain.bitcode(unit.path, [*program.flags, *laid_out.flags])
    write_whole(kept, data)
    return data


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")
