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
