"""The content of a suite: its programs with their sources, packages, flags and workloads, read from its file.

A program is a file of the suite's own (``source``), and files of pinned packages beside it. A whole program's
own file is its driver; a unit has none. All problems of a description are reported together.

Flags name no outputs, machine or files: outputs, plug-ins, other files' flags and another processor's code
would make a dataset depend on things that no lock file has. Of ``-f…`` only the flags listed here are
allowed: each compiler has hundreds, and new ones with every version, many of which write files, reveal the
compiler's path, or turn off a check of the build.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from optarena import limits
from optarena.datasets.manifest import Change, read_plain
from optarena.documents import kinds
from optarena.documents.kinds import Kind, Table
from optarena.documents.loading import document_error, toml_document
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput
from optarena.llvm.pinned import ENGINE_VERSION
from optarena.specs.benchmark import RESERVED_NAMES, VERSIONED_NAME, BenchmarkUri, files_problem

SUITE_FILE: Final = "suite.toml"
SCHEMA: Final = 1
SPLITS: Final = ("train", "validation", "test")
# The number of characters that a server's database keeps of each text of a benchmark.
COLUMNS: Final = {
    "name": limits.BENCHMARK_NAME_LENGTH,
    "title": limits.BENCHMARK_TITLE_LENGTH,
    "domain": limits.DOMAIN_LENGTH,
    "language": limits.LANGUAGE_LENGTH,
    "licence": limits.LICENCE_LENGTH,
}
# Bytes that each argument takes beside its text: the NUL at its end, and a pointer.
ARGUMENT_OVERHEAD_BYTES: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    name: str
    args: tuple[str, ...]
    stdin: str
    files: Mapping[str, bytes] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    # Pinned by the hash of its archive; each machine configures where it comes from.
    name: str
    version: str
    archive: str
    sha256: str
    size_bytes: int

    @property
    def purl(self) -> str:
        # ECMA-427: `pkg:pypi/lz4@4.4.4`.
        return f"pkg:pypi/{self.name.lower().replace('_', '-')}@{self.version}"


@dataclass(frozen=True, slots=True, order=True)
class PackagePath:
    # Below the package's outermost folder.
    package: str
    path: str

    @property
    def unit_name(self) -> str:
        return f"{self.package}/{self.path}"

    def seen_from(self, package: str) -> str:
        # Return the path as a suite writes it in a program of `package`.
        return self.path if self.package == package else str(self)

    def __str__(self) -> str:
        return f"{self.package}:{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    # A header that the package's own build would generate.
    path: str  # As the sources include it.
    text: str = ""
    template: PackagePath | None = None
    # Of the template's names; a name without one has the value 0.
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    name: str
    title: str
    description: str
    domain: str
    language: str
    licence: str  # Of the compiled code.
    source: str  # Inside the suite's folder: the program, or the driver of a package's files.
    text: bytes
    workloads: tuple[RunSpec, ...]
    support: Mapping[str, bytes] = field(default_factory=dict)  # Headers beside it, by name.
    package: str = ""  # Of its sources.
    files: tuple[PackagePath, ...] = ()  # The package's translation units.
    include: tuple[PackagePath, ...] = ()
    flags: tuple[str, ...] = ()
    headers: tuple[Header, ...] = ()  # Headers to generate.
    licence_files: tuple[str, ...] = ()  # In the package.
    upstream: str = ""
    split: str = ""
    tags: tuple[str, ...] = ()
    # Checks of the undefined-behaviour sanitizer that its code is known to fail harmlessly.
    unsanitized: tuple[str, ...] = ()
    excluded: str = ""  # Why it is not built. It stays in the suite, so that nobody tries it again.

    @property
    def packages(self) -> frozenset[str]:
        paths = [*self.files, *self.include, *(one.template for one in self.headers if one.template)]
        return frozenset({path.package for path in paths} | ({self.package} - {""}))

    @property
    def unit_paths(self) -> Mapping[PackagePath, str]:
        # The names of its translation units as benchmarks: its own, and paths below the common folder.
        paths = {file: PurePosixPath(file.path).with_suffix("") for file in self.files}
        if not paths:
            return {}
        shared = len(PurePosixPath(os.path.commonpath([path.parent for path in paths.values()])).parts)
        return {file: "/".join((self.name, *path.parts[shared:])) for file, path in paths.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolchainSpec:
    clang: str
    llvm: str
    target: str
    cpu: str
    flags: tuple[str, ...]
    # Package of the C library's declarations; empty for suites that declare what they use themselves.
    headers: str = ""
    header_folders: tuple[str, ...] = ()  # In the order in which they are searched.
    # `gcc` if the source itself is the benchmark; programs are then compiled by both, and must do the same.
    compiler: str = "clang"


@dataclass(frozen=True, slots=True)
class BaseSuite:
    name: str
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    name: str
    title: str
    description: str
    licence: str
    toolchain: ToolchainSpec
    programs: tuple[Program, ...]
    packages: tuple[Package, ...] = ()
    released: str = ""  # Day since which the dataset is frozen, ISO 8601; empty for a draft.
    upstream: str = ""
    changelog: tuple[Change, ...] = ()
    shipped: bool = True  # As a part of the package `optarena`.
    units: bool = False  # Each translation unit is a benchmark by itself, which has no workloads.
    base: BaseSuite | None = None

    @property
    def used_packages(self) -> tuple[Package, ...]:
        used = {self.toolchain.headers}.union(*(program.packages for program in self.built))
        return tuple(package for package in self.packages if package.name in used)

    @property
    def of_sources(self) -> bool:
        # Programs are given to their compiler as sources, and not as clang's bitcode.
        return self.toolchain.compiler != "clang"

    @property
    def has_packages(self) -> bool:
        return any(program.package for program in self.built)

    @property
    def built(self) -> tuple[Program, ...]:
        return tuple(program for program in self.programs if not program.excluded)

    def package(self, name: str) -> Package:
        return next(package for package in self.packages if package.name == name)


_MAX_FILE_BYTES: Final = 64 * 1024**2
_NAMES: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")

TEXT: Final = kinds.text()
LINES: Final = kinds.text(lines=True)
TEXTS: Final = kinds.list_of(TEXT)
DATA: Final = kinds.data(is_optional=True, has_nul=False)
ARGUMENTS: Final = kinds.list_of(DATA)
VALUES: Final = kinds.map_of(DATA)
DAY: Final = kinds.DAY
SWITCH: Final = kinds.FLAG
ARCHIVE_BYTES: Final = kinds.number(low=1, high=1 << 40, is_whole=True)
SPLIT: Final = kinds.choice(*SPLITS)
UPSTREAM: Final = kinds.address(schemes=("https",), is_plain=True)  # as manifests may have them
SUITE_NAME: Final = kinds.matching(_NAMES, form="the name of another suite")
PROGRAM_NAME: Final = kinds.matching(
    pattern=_NAMES, form="lower-case letters, digits, - and _", longest=COLUMNS["name"]
)
RUN_NAME: Final = kinds.matching(
    pattern=re.compile(r"(?!\.+$)[^/\\\s](?:[^/\\]*[^/\\\s])?"),
    form="a name without / and \\, and no space at its ends",
    longest=limits.WORKLOAD_NAME_LENGTH,
)
PACKAGE_NAME: Final = kinds.matching(
    pattern=re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9._-]{{0,{limits.PACKAGE_NAME_LENGTH - 2}}}[A-Za-z0-9])?"),
    form="letters, digits, ., - and _",
)
PACKAGE_VERSION: Final = kinds.matching(
    pattern=re.compile(rf"[A-Za-z0-9][A-Za-z0-9.!+_-]{{0,{limits.PACKAGE_VERSION_LENGTH - 1}}}"),
    form="a version, such as 1.2.3",
)
ARCHIVE_NAME: Final = kinds.matching(
    pattern=re.compile(rf"[A-Za-z0-9_+-][A-Za-z0-9_.+-]{{0,{limits.ARCHIVE_NAME_LENGTH - 1}}}"),
    form="the archive's file name",
)
HASH: Final = kinds.matching(re.compile(r"[0-9a-f]{64}"), form="64 hexadecimal digits")
COMPILER: Final = kinds.choice("clang", "gcc")
LEVEL: Final = kinds.choice("O0", "O1", "O2", "O3", "Os", "Oz")


def column(name: str) -> Kind[str]:
    # A text that fits into a column of the server's database.
    return kinds.text(longest=COLUMNS[name])


def toml_of(file: Path) -> dict[str, Any]:
    try:
        content = plain_file(file)
    except OSError as error:
        raise document_error(
            file.name, f"The file cannot be read: {error}.", "Name the folder of a suite."
        ) from error
    return toml_document(content, field=file.name)


def plain_file(file: Path) -> bytes:
    return read_plain(file, _MAX_FILE_BYTES)


def inside(table: Table, field: str, path: str, what: str = "the package") -> str:
    # Return an empty path, and add a problem of the field, if it leads out.
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts:
        table.problem(field, f"The path must be inside {what}.", path, "Give a relative path without '..'.")
        return ""
    return path


def some_tables(table: Table, name: str, *, needed: bool) -> list[Table]:
    value = table.get(name)
    if table.has(name) and value and isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return table.tables(name, by_name=not table.place.path)
    if needed or table.has(name):
        table.problem(name, f"At least one [[{name}]] table is needed.", value, "Add one.")
    return []


# With and without "no-"; all of them concern the language, or the generated code.
_SWITCHES: Final = (
    r"builtin(?:-\w+)?|freestanding|hosted|asm|gnu-keywords|gnu89-inline|ms-extensions|ms-compatibility|blocks|"
    r"dollars-in-identifiers|signed-char|unsigned-char|signed-bitfields|short-enums|short-wchar|fixed-point|"
    r"lax-vector-conversions|common|keep-static-consts|"
    r"wrapv|wrapv-pointer|trapv|strict-(?:aliasing|overflow|return|enums|float-cast-overflow)|"
    r"delete-null-pointer-checks|finite-loops|"
    r"fast-math|math-errno|finite-math-only|signed-zeros|(?:associative|reciprocal|trapping|rounding)-math|"
    r"honor-nans|honor-infinities|unsafe-math-optimizations|approx-func|protect-parens|cx-limited-range|"
    r"cx-fortran-rules|"
    r"inline|inline-functions|inline-hint-functions|omit-frame-pointer|optimize-sibling-calls|unroll-loops|"
    r"vectorize|slp-vectorize|tree-vectorize|tree-slp-vectorize|openmp-simd|jump-tables|merge-all-constants|"
    r"merge-constants|zero-initialized-in-bss|function-sections|data-sections|exceptions|non-call-exceptions|"
    r"unwind-tables|asynchronous-unwind-tables|stack-protector(?:-all|-strong)?|stack-clash-protection|"
    r"stack-check|pic|PIC|pie|PIE|plt|semantic-interposition|ident"
)
_VALUED: Final = (
    r"fp-contract|fp-model|excess-precision|complex-arithmetic|strict-flex-arrays|lax-vector-conversions|"
    r"trivial-auto-var-init|zero-call-used-regs|tls-model|cf-protection|align-functions|align-loops|"
    r"bracket-depth"
)
# Of -m, all except flags that name files or another target, or record how code was compiled.
_LANGUAGE: Final = re.compile(
    r"-[DU]\w.*"
    r"|-std=[\w+:]+"
    r"|-W(?![alp],)[\w=+-]*"
    rf"|-f(?:no-)?(?:{_SWITCHES})"
    rf"|-f(?:{_VALUED})=[\w-]+"
    r"|-m(?!arch|cpu|tune|llvm|mlir|link|record|16$|32$|64$|x32$)[\w.-]+(?:=[\w.,+-]+)?",
    re.DOTALL,
)
_TOOLCHAIN: Final = re.compile(r"--target=[\w.-]+|-O[0-3sz]|-g0|-w|-nostdlibinc")
_FRONT_END: Final = frozenset({"-disable-llvm-passes", "-disable-O0-optnone"})
_ALLOWED: Final = (
    "-D…, -U…, -std=…, -W…, -f… and -m… of the language and its code, and -include NAME, naming no output, "
    "file or processor"
)
# The checks of the undefined-behaviour sanitizer that gcc and clang have, without names of groups.
CHECKS: Final = (
    *("alignment", "bool", "bounds", "builtin", "enum", "float-cast-overflow", "float-divide-by-zero"),
    *("integer-divide-by-zero", "nonnull-attribute", "null", "object-size", "pointer-overflow", "return"),
    *("returns-nonnull-attribute", "shift", "shift-base", "shift-exponent", "signed-integer-overflow"),
    *("unreachable", "vla-bound", "vptr"),
)


def flags_of(table: Table, *, toolchain: bool = False) -> tuple[str, ...]:
    flags = table.need("flags", TEXTS) if toolchain else table.find("flags", TEXTS) or ()
    for flag in refused_flags(flags, toolchain=toolchain):
        table.problem("flags", "This flag is not allowed in a suite.", flag, f"Give only {_ALLOWED}.")
    return flags


def unsanitized_of(table: Table) -> tuple[str, ...]:
    checks = table.find("unsanitized", TEXTS) or ()
    for check in checks:
        if check not in CHECKS:
            message = f"The field must name checks of {', '.join(CHECKS)}."
            table.problem("unsanitized", message, check, "Name one of these checks.")
    return checks


def refused_flags(flags: Sequence[str], *, toolchain: bool = False) -> Iterator[str]:
    # The flags of a toolchain may name target and level, too.
    rest = iter(flags)
    for flag in rest:
        if flag == "-include":
            name = next(rest, "")
            path = PurePosixPath(name)  # looked for only in the include folders
            is_inside = path.name and not path.is_absolute() and ".." not in path.parts
            if not is_inside or name[0] in "-@":
                yield f"{flag} {name}".strip()
        elif flag == "-Xclang" and toolchain:
            given = next(rest, "")
            if given not in _FRONT_END:
                yield f"{flag} {given}".strip()
        elif not (_LANGUAGE.fullmatch(flag) or (toolchain and _TOOLCHAIN.fullmatch(flag))):
            yield flag


MIN_WORKLOADS: Final = 3


def headers_of(table: Table, path_in: Callable[[str, str], PackagePath]) -> tuple[Header, ...]:
    # `path_in` reads a path in a package.
    headers: list[Header] = []
    for one in some_tables(table, "header", needed=False):
        taken = [other.path for other in headers if other.path]
        template = one.find("template", TEXT)
        header = Header(
            path=inside(one, "path", one.need("path", TEXT)),
            text=one.find("text", DATA) or "",
            template=path_in("header", template) if template else None,
            values=one.find("values", VALUES) or {},
        )
        path = PurePosixPath(header.path)
        longest = max((len(part.encode()) for part in path.parts), default=0)
        if len(header.path.encode()) > limits.HEADER_PATH_BYTES or longest > limits.HEADER_PART_BYTES:
            sizes = f"{limits.HEADER_PATH_BYTES} bytes, each part of it {limits.HEADER_PART_BYTES}"
            one.problem("path", f"The path may have at most {sizes}.", header.path, "Shorten it.")
        if header.path and (str(path) != header.path or not path.name):
            message = "The value must be the path of a file, without '.' and '//'."
            one.problem("path", message, header.path, "Write it as the sources include it.")
        elif any(path.is_relative_to(other) or PurePosixPath(other).is_relative_to(path) for other in taken):
            message = "Another header has this path, or one is inside the other."
            one.problem("path", message, header.path, "Give it another path.")
        for name in ("text", "values"):
            if one.has(name) and one.has("template") == (name == "text"):
                message = "A header has a text, or a template with values."
                one.problem(name, message, None, "Keep one of the two.")
        headers.append(header)
        one.finish()
    return tuple(headers)


def package_of(table: Table) -> Package:
    package = Package(
        name=table.need("name", PACKAGE_NAME),
        version=table.need("version", PACKAGE_VERSION),
        archive=table.need("archive", ARCHIVE_NAME),
        sha256=table.need("sha256", HASH),
        size_bytes=int(table.need("size_bytes", ARCHIVE_BYTES)),
    )
    table.finish()
    return package


def change_of(table: Table) -> Change:
    change = Change(
        version=table.need("version", TEXT), date=table.need("date", DAY), text=table.need("text", LINES)
    )
    table.finish()
    return change


def workloads_of(table: Table, *, needed: bool) -> tuple[RunSpec, ...]:
    tables = some_tables(table, "workload", needed=needed)
    runs = []
    for one in tables:
        name, stdin = one.need("name", RUN_NAME), one.find("stdin", DATA) or ""
        runs.append(RunSpec(name=name, args=_args(one), stdin=stdin, files=_run_files(one)))
        one.finish()
    table.unique("workload", [run.name for run in runs])
    if needed and len(runs) < MIN_WORKLOADS:
        table.problem(
            "workload", f"At least {MIN_WORKLOADS} workloads are needed.", len(runs), "Add more workloads."
        )
    return tuple(runs)


def _run_files(table: Table) -> dict[str, bytes]:
    # Text, as the rest of a suite is.
    if not table.has("files"):
        return {}
    given = table.table("files")
    files = {name: given.need(name, DATA).encode() for name in given.names(TEXT)}
    if problem := files_problem(files):
        table.problem("files", f"The files must be {problem}.", list(files), "Correct them.")
    return files


def _args(table: Table) -> tuple[str, ...]:
    args = table.need("args", ARGUMENTS)
    sizes = [len(arg.encode()) for arg in args]
    for arg, size in zip(args, sizes, strict=True):
        if size > limits.ARGUMENT_BYTES:
            message = f"An argument has {size} bytes; it may have at most {limits.ARGUMENT_BYTES}."
            table.problem("args", message, arg, "Shorten it.")
    total = sum(size + ARGUMENT_OVERHEAD_BYTES for size in sizes)
    if total > limits.ARGUMENTS_BYTES:
        table.problem(
            "args",
            f"The arguments take {total} bytes, {ARGUMENT_OVERHEAD_BYTES} for each beside its text; "
            f"at most {limits.ARGUMENTS_BYTES} bytes are allowed.",
            f"{len(args)} arguments",
            "Give fewer or shorter ones.",
        )
    return args


SUITES: Final = Path(__file__).resolve().parents[1] / "suites"  # The suites of this repository.
_TARGET: Final = "--target="
_OTHER_PACKAGE: Final = "Add it, or name another."
_OTHER_NAME: Final = "Rename the program, or remove the file."


def read_suite(folder: Path) -> Suite:
    # Raises `InvalidDocument` with every problem found in `suite.toml`, or in that of a suite that it builds
    # on.
    return _read(folder.resolve(), ())


def _read(folder: Path, above: tuple[str, ...]) -> Suite:
    raw = toml_of(folder / SUITE_FILE)
    above = (*above, folder.name)
    base = raw.get("base")
    if not isinstance(base, str) or SUITE_NAME.read(base, Place()) is None:
        return _Reader(folder, None, None).suite(raw)
    if base in above:
        message = f"The suite builds on itself: {', '.join(above)}, {base}."
        raise document_error("base", message, "Name a suite that does not build on this one.", base)
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
        own = some_tables(top, "program", needed=self.base is None)
        read = (self._program(table, licence=licence, packages=packages, units=units) for table in own)
        programs = (*self._selected(top), *read)
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

    def _check_head(self, top: Table) -> None:
        schema, base = top.get("schema"), top.get("base")
        if schema != SCHEMA:
            message = f"This version reads schema {SCHEMA}."
            top.problem("schema", message, schema, f"Write schema = {SCHEMA}.")
        if base is not None and self.base is None:
            message = "The value must be the name of a suite beside this one or of this repository."
            top.problem("base", message, base, "Name a suite, such as kernels-v0.")

    def _selected(self, top: Table) -> Iterable[Program]:
        # All programs of the base, or those that this suite names, in its own order.
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
            spec = self.base.toolchain
            if level:
                flags = [f"-{level}" if flag.startswith("-O") else flag for flag in spec.flags]
                # Otherwise clang would tell every pass to leave the functions as they are.
                flags += ["-Xclang", "-disable-O0-optnone"] if level == "O0" else []
                spec = replace(spec, flags=tuple(flags))
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
        name = table.need("name", PROGRAM_NAME)
        if name in RESERVED_NAMES:
            table.problem("name", "Servers use this name for another address.", name, "Choose another one.")
        made = Program(
            name=name,
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
        # Return the source with the headers beside it.
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


def _source(table: Table, *, from_package: bool, units: bool) -> str:
    # A driver may be missing where only units are built.
    if not from_package:
        return table.need("source", TEXT)
    return table.find("driver", TEXT) or "" if units else table.need("driver", TEXT)


def _suite_name(top: Table, folder: str) -> str:
    name = top.need("name", TEXT)
    if name and not VERSIONED_NAME.fullmatch(name):
        message = "A suite's name ends in its version, as in kernels-v0."
        top.problem("name", message, name, f"Add a version: {name[:60]}-v0.")
    elif name and name != folder:
        top.problem("name", f"The name must be that of its folder, {folder}.", name, "Rename one of the two.")
    return name


def _check_units(top: Table, suite: Suite) -> None:
    # Names of units come from paths in packages: they may collide, or not fit into a URI.
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
            for stored, text in (("name", name), ("title", f"{program.title}: {last}")):
                if len(text) > COLUMNS[stored]:
                    message = f"A translation unit's {stored} would have {len(text)} characters"
                    message += f"; at most {COLUMNS[stored]} can be stored."
                    top.problem("program", message, text, "Shorten the program's name or title.")


def _licence(table: Table) -> str:
    text = table.need("licence", column("licence"))
    try:
        return canonicalize_license_expression(text) if text else ""
    except InvalidLicenseExpression:
        message = "The value must be an SPDX licence expression, such as MIT OR Apache-2.0."
        table.problem("licence", message, text, "See the list at https://spdx.org/licenses/.")
        return text
