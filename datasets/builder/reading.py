"""Reads a suite: ``suite.toml`` beside its sources, checked as a whole. Nothing is fetched or compiled here.

A suite may build on another (``base``): it then has that suite's toolchain, packages and programs, or some of
them, under its own name, perhaps for another level of the front end, or taken apart into translation units.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from datasets.builder.flags import flags_of, unsanitized_of
from datasets.builder.suite import (
    ARGUMENT_OVERHEAD_BYTES,
    COLUMNS,
    MAX_ARGUMENT_BYTES,
    MAX_ARGUMENTS_BYTES,
    MAX_HEADER_PART,
    MAX_HEADER_PATH,
    MAX_WORKLOAD_NAME,
    RESERVED_NAME,
    SCHEMA,
    SPLITS,
    SUITE_FILE,
    Header,
    Package,
    PackagePath,
    Program,
    RunSpec,
    Suite,
    ToolchainSpec,
)
from datasets.builder.tables import Table, plain_file, toml_of
from optarena.datasets.manifest import Change
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.llvm.pinned import ENGINE_VERSION
from optarena.specs.uri import VERSIONED_NAME, BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SUITES: Final = Path(__file__).resolve().parents[1] / "suites"
"""The suites of this repository."""
MIN_WORKLOADS: Final = 3
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_PACKAGE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")
_VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]{0,99}")
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,199}")
_RUN_NAME: Final = re.compile(r"(?!\.+$)[^/\\\s](?:[^/\\]*[^/\\\s])?")
_LEVEL: Final = re.compile(r"O[0-3sz]")
_URL: Final = re.compile(r"https://[A-Za-z0-9._~:/?#\[\]@!$&()*+,;=%-]+")  # as manifests may have them
_MAX_ARCHIVE_BYTES: Final = 1 << 40
_TARGET: Final = "--target="


def read_suite(folder: Path) -> Suite:
    """Reads a suite and its own sources.

    Raises:
        InvalidDocument: With every problem found in ``suite.toml``, or in that of a suite that it builds on;
            nothing of it is built then.
    """
    return _read(folder.resolve(), ())


def _read(folder: Path, above: tuple[str, ...]) -> Suite:
    """Reads a suite that the suites ``above`` build on."""
    raw = toml_of(folder / SUITE_FILE)
    above = (*above, folder.name)
    base = raw.get("base")
    if not isinstance(base, str) or not _NAME.fullmatch(base):
        return _Reader(folder, None).suite(raw)
    if base in above:
        message = f"It builds on itself: {', '.join(above)}, {base}."
        raise InvalidDocument([Problem(field="base", message=message, value=base)])
    try:
        beside = folder.parent / base
        below = _read(beside if beside.is_dir() else SUITES / base, above)
    except InvalidDocument as error:
        raise InvalidDocument(
            [replace(problem, field=f"{base}: {problem.field}") for problem in error.problems]
        ) from error
    return _Reader(folder, below).suite(raw)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the tables of one suite."""

    folder: Path
    base: Suite | None

    def suite(self, raw: Mapping[str, Any]) -> Suite:
        problems: list[Problem] = []
        top = Table(raw, "", problems)
        if top.get("schema") != SCHEMA:
            top.problem("schema", f"This version reads schema {SCHEMA}.", raw.get("schema"))
        if top.get("base") is not None and self.base is None:
            top.problem(
                "base",
                "It must be the name of another suite, beside this one or of this repository.",
                raw["base"],
            )
        title = top.text("title", most=COLUMNS["title"])
        units = top.switch("units", default=False)
        packages = (*(self.base.packages if self.base else ()), *map(_package, self._tables(top, "package")))
        licence = _licence(top)
        programs = (
            *self._selected(top),
            *(
                self._program(table, licence=licence, packages=packages, units=units)
                for table in self._tables(top, "program", needed=True)
            ),
        )
        top.unique("package", [package.name for package in packages])
        top.unique("program", [program.name for program in programs])
        suite = Suite(
            title=title,
            description=top.text("description", lines=True),
            name=_suite_name(top, self.folder.name),
            licence=licence,
            toolchain=self._toolchain(top, packages),
            programs=programs,
            packages=packages,
            released=top.day("released"),
            upstream=top.matching("upstream", _URL, "an address that begins with https://", optional=True),
            changelog=tuple(map(_change, top.tables("change", optional=True))),
            shipped=top.switch("shipped", default=True),
            units=units,
        )
        if units:
            _check_units(top, suite)
        top.finish()
        if problems:
            raise InvalidDocument(problems)
        return suite

    def _tables(self, top: Table, name: str, *, needed: bool = False) -> list[Table]:
        return top.tables(name, optional=self.base is not None or not needed)

    def _selected(self, top: Table) -> Iterable[Program]:
        """The programs of the base that this suite takes: all, or those it names, in its own order."""
        given = {program.name: program for program in self.base.programs} if self.base else {}
        if not top.has("select"):
            return given.values()
        names = top.texts("select")
        if top.get("select") == []:
            top.problem(
                "select", "At least one program is needed; without the field it is all of them.", None
            )
        for name in names:
            if name not in given:
                top.problem("select", "The base has no such program.", name)
        top.unique("select", list(names))
        return [given[name] for name in dict.fromkeys(names) if name in given]

    def _toolchain(self, top: Table, packages: tuple[Package, ...]) -> ToolchainSpec:
        if self.base is not None:
            level = top.matching("level", _LEVEL, "one of O0, O1, O2, O3, Os, Oz", optional=True)
            return _at_level(self.base.toolchain, level) if level else self.base.toolchain
        table = top.table("toolchain")
        spec = ToolchainSpec(
            clang=table.text("clang"),
            llvm=table.text("llvm"),
            target=table.text("target"),
            cpu=table.text("cpu"),
            flags=flags_of(table, toolchain=True),
            headers=table.text("headers", optional=True),
            header_folders=tuple(
                table.inside("header_folders", path) for path in table.texts("header_folders", optional=True)
            ),
        )
        if spec.headers and spec.headers not in {package.name for package in packages}:
            table.problem("headers", "There is no such [[package]].", spec.headers)
        if spec.llvm and spec.llvm != ENGINE_VERSION:
            table.problem("llvm", f"Modules are measured by LLVM {ENGINE_VERSION}.", spec.llvm)
        if (
            spec.target
            and spec.flags
            and [flag for flag in spec.flags if flag.startswith(_TARGET)] != [_TARGET + spec.target]
        ):
            table.problem("target", "The flags must name the same by one --target=.", spec.target)
        table.finish()
        return spec

    def _program(self, table: Table, *, licence: str, packages: tuple[Package, ...], units: bool) -> Program:
        from_package = table.has("package")
        source = table.text("driver", optional=units) if from_package else table.text("source")
        text, support = self._own_source(table, "driver" if from_package else "source", source)
        made = Program(
            name=_program_name(table),
            title=table.text("title", most=COLUMNS["title"]),
            description=table.text("description", lines=True),
            domain=table.text("domain", most=COLUMNS["domain"]),
            language=table.text("language", most=COLUMNS["language"]),
            licence=_licence(table) if table.has("licence") else licence,
            source=source,
            text=text,
            support=support if from_package else {},
            split=table.choice("split", SPLITS),
            tags=table.texts("tags", optional=True),
            excluded=table.text("excluded", optional=True),
            workloads=_workloads(table, needed=not units),
        )
        if from_package:
            made = self._with_package(made, table, {package.name for package in packages})
        table.finish()
        return made

    def _with_package(self, program: Program, table: Table, known: set[str]) -> Program:
        package = table.text("package")

        def inside(field: str, path: str) -> PackagePath:
            owner, colon, rest = path.partition(":")
            owner, rest = (owner, rest) if colon else (package, path)
            if owner not in known:
                table.problem(field, f"There is no [[package]] {owner!r}.", path)
            return PackagePath(owner, table.inside(field, rest))

        def all_inside(field: str) -> tuple[PackagePath, ...]:
            return tuple(inside(field, path) for path in table.texts(field, optional=field != "files"))

        if package and package not in known:
            table.problem("package", "There is no such [[package]].", package)
        files = all_inside("files")
        table.unique("files", [str(file) for file in files])
        return replace(
            program,
            package=package,
            files=files,
            include=all_inside("include"),
            flags=flags_of(table),
            headers=_headers(table, inside),
            licence_files=table.texts("licence_files", optional=True),
            upstream=table.matching("upstream", _URL, "an address that begins with https://", optional=True),
            unsanitized=unsanitized_of(table),
        )

    def _own_source(self, table: Table, field: str, path: str) -> tuple[bytes, dict[str, bytes]]:
        """A source of the suite's own, and the headers that lie beside it."""
        if not path or table.inside(field, path, "the suite's folder") != path:
            return b"", {}
        file = self.folder / path
        try:
            headers = sorted(file.parent.glob("*.h"))
            return plain_file(file), {header.name: plain_file(header) for header in headers}
        except OSError as error:
            which = file.parent / Path(error.filename or file).name
            table.problem(field, f"It cannot be read: {error.strerror}.", which.relative_to(self.folder))
            return b"", {}


def _headers(table: Table, inside: Callable[[str, str], PackagePath]) -> tuple[Header, ...]:
    headers: list[Header] = []
    for one in table.tables("header", optional=True):
        taken = [other.path for other in headers if other.path]
        template = one.text("template", optional=True)
        header = Header(
            path=one.inside("path", one.text("path")),
            text=one.plain("text"),
            template=inside("header", template) if template else None,
            values=one.mapping("values"),
        )
        path = PurePosixPath(header.path)
        longest = max((len(part.encode()) for part in path.parts), default=0)
        if len(header.path.encode()) > MAX_HEADER_PATH or longest > MAX_HEADER_PART:
            limits = f"{MAX_HEADER_PATH} bytes, each part of it {MAX_HEADER_PART}"
            one.problem("path", f"It may have at most {limits}.", header.path)
        if header.path and (str(path) != header.path or not path.name):
            one.problem("path", "It must be the path of a file, without '.' and '//'.", header.path)
        elif any(path.is_relative_to(other) or PurePosixPath(other).is_relative_to(path) for other in taken):
            one.problem("path", "Another header has this path, or one of the two lies below the other.", path)
        for field in ("text", "values"):
            if one.has(field) and one.has("template") == (field == "text"):
                one.problem(field, "A header has a text, or a template with values.", None)
        headers.append(header)
        one.finish()
    return tuple(headers)


def _at_level(spec: ToolchainSpec, level: str) -> ToolchainSpec:
    flags = tuple(f"-{level}" if flag.startswith("-O") else flag for flag in spec.flags)
    return replace(spec, flags=flags)


def _package(table: Table) -> Package:
    package = Package(
        name=table.matching("name", _PACKAGE, "letters, digits, ., - and _"),
        version=table.matching("version", _VERSION, "a version, such as 1.2.3"),
        archive=table.matching("archive", _FILE_NAME, "the archive's file name"),
        sha256=table.matching("sha256", _SHA256, "64 hexadecimal digits"),
        size_bytes=table.number("size_bytes", most=_MAX_ARCHIVE_BYTES),
    )
    table.finish()
    return package


def _change(table: Table) -> Change:
    change = Change(
        version=table.text("version"),
        date=table.day("date", optional=False),
        text=table.text("text", lines=True),
    )
    table.finish()
    return change


def _workloads(table: Table, *, needed: bool) -> tuple[RunSpec, ...]:
    tables = table.tables("workload", optional=not needed)
    runs = []
    for one in tables:
        what = "a name without / and \\, and no space at its ends"
        name = one.matching("name", _RUN_NAME, what, most=MAX_WORKLOAD_NAME)
        runs.append(RunSpec(name=name, args=_args(one), stdin=one.plain("stdin")))
        one.finish()
    table.unique("workload", [run.name for run in runs])
    if needed and len(runs) < MIN_WORKLOADS:
        table.problem("workload", f"At least {MIN_WORKLOADS} are needed.", len(runs))
    return tuple(runs)


def _args(table: Table) -> tuple[str, ...]:
    """The arguments of a run; a system starts no program with more than it takes."""
    args = table.texts("args", plain=True)
    sizes = [len(arg.encode()) for arg in args]
    for arg, size in zip(args, sizes, strict=True):
        if size > MAX_ARGUMENT_BYTES:
            message = f"An argument has {size} bytes; it may have at most {MAX_ARGUMENT_BYTES}."
            table.problem("args", message, arg)
    total = sum(size + ARGUMENT_OVERHEAD_BYTES for size in sizes)
    if total > MAX_ARGUMENTS_BYTES:
        table.problem(
            "args",
            f"Together they take {total} bytes, {ARGUMENT_OVERHEAD_BYTES} of each beside its text; "
            f"at most {MAX_ARGUMENTS_BYTES} may be taken.",
            f"{len(args)} arguments",
        )
    return args


def _program_name(table: Table) -> str:
    name = table.matching("name", _NAME, "small letters, digits, - and _", most=COLUMNS["name"])
    if name == RESERVED_NAME:
        table.problem("name", "Servers have something else at this name; choose another one.", name)
    return name


def _suite_name(top: Table, folder: str) -> str:
    name = top.text("name")
    if name and not VERSIONED_NAME.fullmatch(name):
        top.problem("name", "A suite's name ends in its version, as in kernels-v0.", name)
    elif name and name != folder:
        top.problem("name", f"It must be the name of its folder, {folder}.", name)
    return name


def _check_units(top: Table, suite: Suite) -> None:
    """Names of units are made of paths in packages: they may collide, or be no part of a URI."""
    names = [name for program in suite.built for name in program.unit_paths.values()]
    for name, count in sorted(Counter(names).items()):
        try:
            valid = BenchmarkUri.parse(f"benchmark://{suite.name}/{name}").path == name
        except InvalidInput:
            valid = False
        if suite.name and not valid:
            top.problem("program", "A translation unit's name would be no part of a URI.", name)
        if count > 1:
            top.problem("program", f"{count} translation units would have the same name.", name)
    for program in suite.built:
        for name in program.unit_paths.values():
            last = name.rpartition("/")[2]
            if last == RESERVED_NAME:
                top.problem("program", "Servers have something else at a translation unit's name.", name)
            # The dataset calls it by its program's title and its own name.
            for field, text in (("name", name), ("title", f"{program.title}: {last}")):
                if len(text) > COLUMNS[field]:
                    message = f"A translation unit's {field} would have {len(text)} characters"
                    top.problem("program", f"{message}; at most {COLUMNS[field]} can be stored.", text)


def _licence(table: Table) -> str:
    text = table.text("licence", most=COLUMNS["licence"])
    try:
        return canonicalize_license_expression(text) if text else ""
    except InvalidLicenseExpression:
        table.problem("licence", "It must be an SPDX licence expression, such as MIT OR Apache-2.0.", text)
        return text
