"""The file format of a suite: ``suite.toml`` beside its sources, read and checked as a whole.

All problems are reported together. Nothing is compiled here.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets.uri import VERSIONED_NAME
from optarena.errors import InvalidDocument, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SUITE_FILE: Final = "suite.toml"
SCHEMA: Final = 1
MIN_WORKLOADS: Final = 3
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
_SUITE_TEXTS: Final = ("name", "title", "description", "licence")
_TOOLCHAIN_TEXTS: Final = ("clang", "llvm", "target", "cpu")
_PROGRAM_TEXTS: Final = ("name", "title", "description", "domain", "language", "source")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """One run of a program as the suite asks for it; what it must print is found out by running it."""

    name: str
    args: tuple[str, ...]
    stdin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program of a suite.

    Attributes:
        source: Path of its source inside the suite's folder.
        text: The source itself.
    """

    name: str
    title: str
    description: str
    domain: str
    language: str
    licence: str
    source: str
    text: bytes
    workloads: tuple[RunSpec, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolchainSpec:
    """The compiler a suite is made with: versions, target and what its front end gets."""

    clang: str
    llvm: str
    target: str
    cpu: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Everything a dataset is made from."""

    name: str
    title: str
    description: str
    licence: str
    toolchain: ToolchainSpec
    programs: tuple[Program, ...]


def read_suite(folder: Path) -> Suite:
    """Reads a suite and its sources.

    Raises:
        InvalidDocument: With every problem found in ``suite.toml``; nothing of it is built then.
    """
    try:
        raw = tomllib.loads((folder / SUITE_FILE).read_text())
    except (OSError, ValueError) as error:
        raise InvalidDocument([Problem(field=SUITE_FILE, message=f"It cannot be read: {error}.")]) from error
    reader = _Reader(folder, raw.get("licence", ""))
    suite = reader.suite(raw)
    if reader.problems:
        raise InvalidDocument(reader.problems)
    return suite


class _Reader:
    """Reads tables and collects what is wrong with them."""

    def __init__(self, folder: Path, licence: object) -> None:
        self.problems: list[Problem] = []
        self._folder = folder
        self._licence = licence if isinstance(licence, str) else ""

    def suite(self, raw: Mapping[str, Any]) -> Suite:
        texts = self._texts(raw, _SUITE_TEXTS, "")
        self._unknown(raw, {*_SUITE_TEXTS, "schema", "toolchain", "program"}, "")
        if raw.get("schema") != SCHEMA:
            self._problem("schema", f"This version reads schema {SCHEMA}.", raw.get("schema"))
        if texts["name"] and not VERSIONED_NAME.fullmatch(texts["name"]):
            self._problem("name", "A suite's name ends in its version, as in kernels-v0.", texts["name"])
        programs = tuple(
            self._program(entry, number) for number, entry in enumerate(self._tables(raw, "program", ""))
        )
        self._unique("program", [program.name for program in programs])
        return Suite(**texts, toolchain=self._toolchain(raw.get("toolchain")), programs=programs)

    def _toolchain(self, raw: object) -> ToolchainSpec:
        table = raw if isinstance(raw, dict) else {}
        texts = self._texts(table, _TOOLCHAIN_TEXTS, "toolchain.")
        self._unknown(table, {*_TOOLCHAIN_TEXTS, "flags"}, "toolchain.")
        return ToolchainSpec(**texts, flags=self._strings(table, "flags", "toolchain."))

    def _program(self, table: Mapping[str, Any], number: int) -> Program:
        name = table.get("name")
        place = f"program[{name if isinstance(name, str) and name else number}]."
        texts = self._texts(table, _PROGRAM_TEXTS, place)
        self._unknown(table, {*_PROGRAM_TEXTS, "licence", "workload"}, place)
        if texts["name"] and not _NAME.fullmatch(texts["name"]):
            self._problem(f"{place}name", "Use small letters, digits, - and _.", texts["name"])
        runs = tuple(
            self._run(entry, f"{place}workload[{n}].")
            for n, entry in enumerate(self._tables(table, "workload", place))
        )
        self._unique(f"{place}workload", [run.name for run in runs])
        if len(runs) < MIN_WORKLOADS:
            self._problem(f"{place}workload", f"At least {MIN_WORKLOADS} are needed.", len(runs))
        own_licence = self._texts(table, ("licence",), place) if "licence" in table else {}
        return Program(
            **texts,
            licence=own_licence.get("licence", self._licence),
            text=self._source(texts["source"], place),
            workloads=runs,
        )

    def _run(self, table: Mapping[str, Any], place: str) -> RunSpec:
        self._unknown(table, {"name", "args", "stdin"}, place)
        stdin = table.get("stdin", "")
        if not isinstance(stdin, str):
            self._problem(f"{place}stdin", "It must be text.", stdin)
            stdin = ""
        return RunSpec(
            name=self._texts(table, ("name",), place)["name"],
            args=self._strings(table, "args", place),
            stdin=stdin,
        )

    def _source(self, path: str, place: str) -> bytes:
        if not path:
            return b""
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts:
            self._problem(f"{place}source", "It must lie inside the suite's folder.", path)
            return b""
        try:
            return (self._folder / path).read_bytes()
        except OSError as error:
            self._problem(f"{place}source", f"It cannot be read: {error.strerror}.", path)
            return b""

    def _texts(self, table: Mapping[str, Any], names: tuple[str, ...], place: str) -> dict[str, str]:
        values = {}
        for name in names:
            value = table.get(name)
            if not isinstance(value, str) or not value.strip():
                self._problem(f"{place}{name}", "It must be a text that is not empty.", value)
                value = ""
            values[name] = value
        return values

    def _strings(self, table: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
        value = table.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._problem(f"{place}{name}", "It must be a list of texts.", value)
            return ()
        return tuple(value)

    def _tables(self, table: Mapping[str, Any], name: str, place: str) -> list[dict[str, Any]]:
        value = table.get(name)
        if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
            self._problem(f"{place}{name}", f"At least one [[{name}]] table is needed.", value)
            return []
        return value

    def _unknown(self, table: Mapping[str, Any], known: set[str], place: str) -> None:
        for name in sorted(table.keys() - known):
            self._problem(f"{place}{name}", "There is no such field.", table[name])

    def _unique(self, place: str, names: list[str]) -> None:
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            self._problem(place, "The name is used twice.", name)

    def _problem(self, field: str, message: str, value: object) -> None:
        shown = "" if value is None else str(value)[:80]
        self.problems.append(Problem(field=field, message=message, value=shown))
