"""Reads a suite: ``suite.toml`` beside its sources, checked as a whole. Nothing is fetched or compiled here.

A suite may build on another (``base``): it then has that suite's toolchain, packages and programs, or some of
them, under its own name, perhaps for another level of the front end, or taken apart into translation units.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from datasets.builder.flags import flags_of, unsanitized_of
from datasets.builder.parts import change_of, headers_of, package_of, workloads_of
from datasets.builder.suite import (
    COLUMNS,
    SCHEMA,
    SUITE_FILE,
    BaseSuite,
    Package,
    PackagePath,
    Program,
    Suite,
    ToolchainSpec,
)
from datasets.builder.tables import (
    COMPILER,
    DAY,
    LEVEL,
    LINES,
    PROGRAM_NAME,
    SPLIT,
    SUITE_NAME,
    SWITCH,
    TEXT,
    TEXTS,
    UPSTREAM,
    VALUES,
    column,
    inside,
    plain_file,
    some_tables,
    toml_of,
)
from optarena.documents.kinds import Table
from optarena.documents.loading import refused
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput
from optarena.llvm.pinned import ENGINE_VERSION
from optarena.specs.benchmark import RESERVED_NAMES, VERSIONED_NAME, BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SUITES: Final = Path(__file__).resolve().parents[1] / "suites"
"""The suites of this repository."""
_TARGET: Final = "--target="
_OTHER_PACKAGE: Final = "Add it, or name another."
_OTHER_NAME: Final = "Rename the program, or remove the file."


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
    if not isinstance(base, str) or SUITE_NAME.read(base, Place()) is None:
        return _Reader(folder, None, None).suite(raw)
    if base in above:
        message = f"The suite builds on itself: {', '.join(above)}, {base}."
        raise refused("base", message, "Name a suite that does not build on this one.", base)
    try:
        beside = folder.parent / base
        place = beside if beside.is_dir() else SUITES / base
        below = _read(place, above)
    except InvalidDocument as error:
        raise InvalidDocument(
            [replace(problem, field=f"{base}: {problem.field}") for problem in error.problems]
        ) from error
    return _Reader(folder, below, BaseSuite(base, place)).suite(raw)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the tables of one suite."""

    folder: Path
    base: Suite | None
    known_as: BaseSuite | None

    def suite(self, raw: Mapping[str, Any]) -> Suite:
        top = Table(raw, Place())
        problems = top.place.problems
        self._check_head(top)
        title = top.need("title", column("title"))
        units = top.find("units", SWITCH) or False
        packages = (
            *(self.base.packages if self.base else ()),
            *map(package_of, some_tables(top, "package", needed=False)),
        )
        licence = _licence(top)
        programs = self._programs(top, licence=licence, packages=packages, units=units)
        top.unique("package", [package.name for package in packages])
        top.unique("program", [program.name for program in programs])
        suite = Suite(
            title=title,
            description=top.need("description", LINES),
            name=_suite_name(top, self.folder.name),
            licence=licence,
            toolchain=self._toolchain(top, packages),
            programs=programs,
            packages=packages,
            released=top.find("released", DAY) or "",
            upstream=top.find("upstream", UPSTREAM) or "",
            changelog=tuple(map(change_of, some_tables(top, "change", needed=False))),
            shipped=top.find("shipped", SWITCH) is not False,
            units=units,
            base=self.known_as,
        )
        if units:
            _check_units(top, suite)
        top.finish()
        if problems:
            raise InvalidDocument(problems)
        return suite

    def _programs(
        self, top: Table, *, licence: str, packages: tuple[Package, ...], units: bool
    ) -> tuple[Program, ...]:
        own = some_tables(top, "program", needed=self.base is None)
        read = (self._program(table, licence=licence, packages=packages, units=units) for table in own)
        return (*self._selected(top), *read)

    def _check_head(self, top: Table) -> None:
        schema, base = top.get("schema"), top.get("base")
        if schema != SCHEMA:
            message = f"This version reads schema {SCHEMA}."
            top.problem("schema", message, schema, f"Write schema = {SCHEMA}.")
        if base is not None and self.base is None:
            message = "The value must be the name of a suite beside this one or of this repository."
            top.problem("base", message, base, "Name a suite, such as kernels-v0.")

    def _selected(self, top: Table) -> Iterable[Program]:
        """The programs of the base that this suite takes: all, or those it names, in its own order."""
        given = {program.name: program for program in self.base.programs} if self.base else {}
        for name, reason in (top.find("excluded", VALUES) or {}).items():
            if name in given:
                given[name] = replace(given[name], excluded=reason)
            else:
                remedy = f"The base has: {', '.join(given)}."
                top.problem("excluded", "The base does not have this program.", name, remedy)
        if not top.has("select"):
            return given.values()
        names = top.need("select", TEXTS)
        if top.get("select") == []:
            message = "At least one program is needed; without the field, all programs are taken."
            top.problem("select", message, None, "Name a program of the base, or remove the field.")
        for name in names:
            if name not in given:
                remedy = f"The base has: {', '.join(given)}."
                top.problem("select", "The base does not have this program.", name, remedy)
        top.unique("select", list(names))
        return [given[name] for name in dict.fromkeys(names) if name in given]

    def _toolchain(self, top: Table, packages: tuple[Package, ...]) -> ToolchainSpec:
        if self.base is not None:
            level, compiler = top.find("level", LEVEL), top.find("compiler", COMPILER)
            spec = _at_level(self.base.toolchain, level) if level else self.base.toolchain
            return replace(spec, compiler=compiler) if compiler else spec
        table = top.table("toolchain")
        spec = ToolchainSpec(
            clang=table.need("clang", TEXT),
            llvm=table.need("llvm", TEXT),
            target=table.need("target", TEXT),
            cpu=table.need("cpu", TEXT),
            flags=flags_of(table, toolchain=True),
            headers=table.find("headers", TEXT) or "",
            header_folders=tuple(
                inside(table, "header_folders", path) for path in table.find("header_folders", TEXTS) or ()
            ),
            compiler=table.find("compiler", COMPILER) or "clang",
        )
        if spec.headers and spec.headers not in {package.name for package in packages}:
            table.problem(
                "headers", "There is no such [[package]].", spec.headers, "Add it, or name another."
            )
        if spec.llvm and spec.llvm != ENGINE_VERSION:
            message = f"Modules are measured by LLVM {ENGINE_VERSION}."
            table.problem("llvm", message, spec.llvm, f"Write llvm = '{ENGINE_VERSION}'.")
        if (
            spec.target
            and spec.flags
            and [flag for flag in spec.flags if flag.startswith(_TARGET)] != [_TARGET + spec.target]
        ):
            message = "The flags must name the same target in one --target=."
            table.problem("target", message, spec.target, f"Write {_TARGET}{spec.target} once in the flags.")
        table.finish()
        return spec

    def _program(self, table: Table, *, licence: str, packages: tuple[Package, ...], units: bool) -> Program:
        from_package = table.has("package")
        source = _source(table, from_package=from_package, units=units)
        text, support = self._own_source(table, "driver" if from_package else "source", source)
        made = Program(
            name=_program_name(table),
            title=table.need("title", column("title")),
            description=table.need("description", LINES),
            domain=table.need("domain", column("domain")),
            language=table.need("language", column("language")),
            licence=_licence(table) if table.has("licence") else licence,
            source=source,
            text=text,
            support=support if from_package else {},
            split=table.find("split", SPLIT) or "",
            tags=table.find("tags", TEXTS) or (),
            excluded=table.find("excluded", TEXT) or "",
            workloads=workloads_of(table, needed=not units),
        )
        if from_package:
            made = self._with_package(made, table, {package.name for package in packages})
        table.finish()
        return made

    def _with_package(self, program: Program, table: Table, known: set[str]) -> Program:
        package = table.need("package", TEXT)

        def path_in(field: str, path: str) -> PackagePath:
            owner, colon, rest = path.partition(":")
            owner, rest = (owner, rest) if colon else (package, path)
            if owner not in known:
                table.problem(field, f"There is no [[package]] {owner!r}.", path, _OTHER_PACKAGE)
            return PackagePath(owner, inside(table, field, rest))

        def all_inside(field: str) -> tuple[PackagePath, ...]:
            paths = table.need(field, TEXTS) if field == "files" else table.find(field, TEXTS)
            return tuple(path_in(field, path) for path in paths or ())

        if package and package not in known:
            table.problem("package", "There is no such [[package]].", package, _OTHER_PACKAGE)
        files = all_inside("files")
        table.unique("files", [str(file) for file in files])
        return replace(
            program,
            package=package,
            files=files,
            include=all_inside("include"),
            flags=flags_of(table),
            headers=headers_of(table, path_in),
            licence_files=table.find("licence_files", TEXTS) or (),
            upstream=table.find("upstream", UPSTREAM) or "",
            unsanitized=unsanitized_of(table),
        )

    def _own_source(self, table: Table, field: str, path: str) -> tuple[bytes, dict[str, bytes]]:
        """A source of the suite's own, and the headers that lie beside it."""
        if not path or inside(table, field, path, "the suite's folder") != path:
            return b"", {}
        file = self.folder / path
        try:
            headers = sorted(file.parent.glob("*.h"))
            return plain_file(file), {header.name: plain_file(header) for header in headers}
        except OSError as error:
            which = file.parent / Path(error.filename or file).name
            message = f"The file cannot be read: {error.strerror}."
            table.problem(field, message, str(which.relative_to(self.folder)), "Add the file.")
            return b"", {}


def _at_level(spec: ToolchainSpec, level: str) -> ToolchainSpec:
    flags = tuple(f"-{level}" if flag.startswith("-O") else flag for flag in spec.flags)
    return replace(spec, flags=flags)


def _source(table: Table, *, from_package: bool, units: bool) -> str:
    """The path of a program's own source; a driver may be missing where only units are built."""
    if not from_package:
        return table.need("source", TEXT)
    return table.find("driver", TEXT) or "" if units else table.need("driver", TEXT)


def _program_name(table: Table) -> str:
    name = table.need("name", PROGRAM_NAME)
    if name in RESERVED_NAMES:
        table.problem("name", "Servers use this name for another address.", name, "Choose another one.")
    return name


def _suite_name(top: Table, folder: str) -> str:
    name = top.need("name", TEXT)
    if name and not VERSIONED_NAME.fullmatch(name):
        message = "A suite's name ends in its version, as in kernels-v0."
        top.problem("name", message, name, f"Add a version: {name[:60]}-v0.")
    elif name and name != folder:
        top.problem("name", f"The name must be that of its folder, {folder}.", name, "Rename one of the two.")
    return name


def _check_units(top: Table, suite: Suite) -> None:
    """Checks the units' names, which come from paths in packages: they may collide, or not fit into a URI."""
    names = [name for program in suite.built for name in program.unit_paths.values()]
    for name, count in sorted(Counter(names).items()):
        try:
            valid = BenchmarkUri.parse(f"benchmark://{suite.name}/{name}").path == name
        except InvalidInput:
            valid = False
        if suite.name and not valid:
            message = "A translation unit's name cannot be part of a URI."
            top.problem("program", message, name, _OTHER_NAME)
        if count > 1:
            message = f"{count} translation units would have the same name."
            top.problem("program", message, name, _OTHER_NAME)
    for program in suite.built:
        for name in program.unit_paths.values():
            last = name.rpartition("/")[2]
            if last in RESERVED_NAMES:
                message = "Servers use a translation unit's name for another address."
                top.problem("program", message, name, _OTHER_NAME)
            # Its title in the dataset is its program's title with its own name.
            for field, text in (("name", name), ("title", f"{program.title}: {last}")):
                if len(text) > COLUMNS[field]:
                    message = f"A translation unit's {field} would have {len(text)} characters"
                    message += f"; at most {COLUMNS[field]} can be stored."
                    top.problem("program", message, text, "Shorten the program's name or title.")


def _licence(table: Table) -> str:
    text = table.need("licence", column("licence"))
    try:
        return canonicalize_license_expression(text) if text else ""
    except InvalidLicenseExpression:
        message = "The value must be an SPDX licence expression, such as MIT OR Apache-2.0."
        table.problem("licence", message, text, "See the list at https://spdx.org/licenses/.")
        return text
