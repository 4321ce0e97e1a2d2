"""The content of a suite: its programs with their sources, packages, flags and workloads.

A program is a file of the suite's own (``source``), and files of pinned packages beside it. A whole program's
own file is its driver; a unit has none.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.datasets.manifest import Change
SUITE_FILE: Final = "suite.toml"
SCHEMA: Final = 1
SPLITS: Final = ("train", "validation", "test")
COLUMNS: Final = {
    "name": limits.BENCHMARK_NAME_LENGTH,
    "title": limits.BENCHMARK_TITLE_LENGTH,
    "domain": limits.DOMAIN_LENGTH,
    "language": limits.LANGUAGE_LENGTH,
    "licence": limits.LICENCE_LENGTH,
}
"""The number of characters that a server's database keeps of each text of a benchmark."""
ARGUMENT_OVERHEAD_BYTES: Final = 9
"""Bytes that each argument takes beside its text: the NUL at its end, and a pointer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """One run of a program as the suite describes it; running it gives the expected output."""

    name: str
    args: tuple[str, ...]
    stdin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A source package, pinned by the hash of its archive; each machine configures where it comes from.

    Attributes:
        name: Its name on the package index.
        version: Its version.
        archive: File name of the archive.
        sha256: The sha256 of the archive, in hex.
        size_bytes: Length of the archive.
    """

    name: str
    version: str
    archive: str
    sha256: str
    size_bytes: int

    @property
    def purl(self) -> str:
        """Its package URL (ECMA-427): ``pkg:pypi/lz4@4.4.4``."""
        return f"pkg:pypi/{self.name.lower().replace('_', '-')}@{self.version}"


@dataclass(frozen=True, slots=True, order=True)
class PackagePath:
    """A file or folder inside an unpacked package, below its outermost folder."""

    package: str
    path: str

    @property
    def unit_name(self) -> str:
        """Its name as a translation unit."""
        return f"{self.package}/{self.path}"

    def seen_from(self, package: str) -> str:
        """The notation of a suite in a program of ``package``: with the package's name if it differs."""
        return self.path if self.package == package else str(self)

    def __str__(self) -> str:
        return f"{self.package}:{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A header that the package's own build would generate.

    Attributes:
        path: The path that the sources include.
        text: Its text, if it is given.
        template: Else the package's template.
        values: The values of the template's names; a name without one has the value 0.
    """

    path: str
    text: str = ""
    template: PackagePath | None = None
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program of a suite.

    Attributes:
        source: Path of its own source inside the suite's folder: the program, or the driver of a package's
            files; empty for a program that is only taken apart into its translation units.
        text: That source itself.
        support: Headers beside it, by name.
        package: Name of the package of its sources; empty if there is none.
        files: The package's translation units.
        include: Folders that are searched for headers.
        flags: Further flags of the compiler.
        headers: Headers to generate.
        licence: SPDX expression of the compiled code.
        licence_files: Paths of the licence's text in the package.
        upstream: Home page of its authors.
        split: ``train``, ``validation`` or ``test``; empty where the suite has no splits.
        tags: Words to find it by.
        unsanitized: Checks of the undefined-behaviour sanitizer that its code is known to fail harmlessly.
        excluded: Why it is not built, or empty. It stays in the suite, so that nobody tries it again.
        workloads: Its runs.
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
    support: Mapping[str, bytes] = field(default_factory=dict)
    package: str = ""
    files: tuple[PackagePath, ...] = ()
    include: tuple[PackagePath, ...] = ()
    flags: tuple[str, ...] = ()
    headers: tuple[Header, ...] = ()
    licence_files: tuple[str, ...] = ()
    upstream: str = ""
    split: str = ""
    tags: tuple[str, ...] = ()
    unsanitized: tuple[str, ...] = ()
    excluded: str = ""

    @property
    def packages(self) -> frozenset[str]:
        """The names of all packages that it needs."""
        paths = [*self.files, *self.include, *(one.template for one in self.headers if one.template)]
        return frozenset({path.package for path in paths} | ({self.package} - {""}))

    @property
    def unit_paths(self) -> Mapping[PackagePath, str]:
        """The names of its translation units as benchmarks: its own, and paths below the common folder."""
        paths = {file: PurePosixPath(file.path).with_suffix("") for file in self.files}
        if not paths:
            return {}
        shared = len(PurePosixPath(os.path.commonpath([path.parent for path in paths.values()])).parts)
        return {file: "/".join((self.name, *path.parts[shared:])) for file, path in paths.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolchainSpec:
    """The compiler of a suite: versions, target and flags of its front end.

    Attributes:
        headers: Name of the package whose declarations of the C library are used; empty for suites that
            declare what they use themselves.
        header_folders: Folders of that package, in the order in which they are searched.
        compiler: ``clang`` if its bitcode is the benchmark; ``gcc`` if the source itself is, for the pinned
            GCC. Programs are then compiled by both, and must do the same.
    """

    clang: str
    llvm: str
    target: str
    cpu: str
    flags: tuple[str, ...]
    headers: str = ""
    header_folders: tuple[str, ...] = ()
    compiler: str = "clang"


@dataclass(frozen=True, slots=True)
class BaseSuite:
    """The suite that another one builds on: its name, and its folder."""

    name: str
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Everything that a dataset is built from.

    Attributes:
        released: Day since which the dataset is frozen, ISO 8601; empty for a draft.
        shipped: Whether the dataset is part of the package ``optarena``.
        units: Whether each translation unit is a benchmark by itself, which has no workloads.
        base: The suite that it builds on, if it does.
    """

    name: str
    title: str
    description: str
    licence: str
    toolchain: ToolchainSpec
    programs: tuple[Program, ...]
    packages: tuple[Package, ...] = ()
    released: str = ""
    upstream: str = ""
    changelog: tuple[Change, ...] = ()
    shipped: bool = True
    units: bool = False
    base: BaseSuite | None = None

    @property
    def used_packages(self) -> tuple[Package, ...]:
        """The packages of its programs' sources, and the one of the C library's declarations."""
        used = {self.toolchain.headers}.union(*(program.packages for program in self.built))
        return tuple(package for package in self.packages if package.name in used)

    @property
    def of_sources(self) -> bool:
        """Whether its programs are given to their compiler as sources, and not as clang's bitcode."""
        return self.toolchain.compiler != "clang"

    @property
    def has_packages(self) -> bool:
        """Whether a program that is built is made of a package's files."""
        return any(program.package for program in self.built)

    @property
    def built(self) -> tuple[Program, ...]:
        """The programs that are not excluded."""
        return tuple(program for program in self.programs if not program.excluded)

    def package(self, name: str) -> Package:
        """The package of this name."""
        return next(package for package in self.packages if package.name == name)
