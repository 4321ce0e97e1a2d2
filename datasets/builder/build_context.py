"""The context of a build: the suite, its compilers, the packages' sources, a folder for results."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.builder.preprocessing import Preprocessor
from datasets.builder.processes import Processes
from datasets.builder.sources import Sources
from datasets.builder.toolchain import Toolchain
from optarena import paths
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from datasets.builder.suite import Suite


@dataclass(frozen=True)
class Workshop:
    """Everything that a build of one suite needs.

    Attributes:
        suite: The suite.
        folder: For archives, modules and results; may be deleted when no build runs.
        offline: Whether to fetch nothing.
    """

    suite: Suite
    folder: Path
    offline: bool = False

    @classmethod
    def of(cls, suite: Suite, folder: Path | None = None, *, offline: bool = False) -> Workshop:
        """A workshop in the given folder, else in the user's cache.

        Raises:
            InvalidInput: The folder's path, or that of temporary files, contains ``=``.
        """
        place = (folder or paths.cache() / "build").resolve()
        for field, path in (("--cache", place), ("TMPDIR", Path(tempfile.gettempdir()))):
            if "=" in str(path):
                raise InvalidInput(
                    f"{field} is {path}, which contains '='.",
                    field=field,
                    value=str(path),
                    remedy="Name another folder: compilers get it in an option of the form FOLDER=NAME.",
                )
        return cls(suite, place, offline)

    @cached_property
    def processes(self) -> Processes:
        """Starts compilers and programs."""
        return Processes()

    @cached_property
    def sources(self) -> Sources:
        """The packages' archives."""
        return Sources(self.folder, offline=self.offline, processes=self.processes)

    @cached_property
    def toolchain(self) -> Toolchain:
        """The suite's compilers, with its declarations of the C library.

        Raises:
            ToolchainMissing: clang is not installed, or its version differs.
            SourceUnavailable: The package of the declarations is not available.
        """
        spec = self.suite.toolchain
        identity = self.suite.package(spec.headers).sha256 if spec.headers else ""
        return Toolchain(spec, self._declarations, identity=identity, processes=self.processes)

    @cached_property
    def preprocessor(self) -> Preprocessor:
        """The pinned GCC's preprocessor, with the suite's declarations of the C library.

        Raises:
            ToolchainMissing: The pinned GCC or its headers are not installed.
            SourceUnavailable: The package of the declarations is not available.
        """
        return Preprocessor(self.suite.toolchain, self._declarations, self.processes)

    @cached_property
    def _declarations(self) -> Path | None:
        """Folder of the C library's declarations; None for suites that declare what they use themselves."""
        spec = self.suite.toolchain
        if not spec.headers:
            return None
        return self.sources.unpacked(self.suite.package(spec.headers), only=spec.header_folders)

    def prepare(self) -> None:
        """Fetch what every program needs, before threads share the workshop.

        Raises:
            ToolchainMissing: As ``toolchain``.
            SourceUnavailable: As ``toolchain``.
        """
        _ = self.toolchain.sanitizer_version
