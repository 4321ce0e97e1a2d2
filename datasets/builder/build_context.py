"""What a build works with: the suite, its compilers, the packages' sources, a folder to keep things in."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

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
        folder: Where archives, modules and results are kept; may be deleted whenever no build runs.
        offline: Whether to fetch nothing.
    """

    suite: Suite
    folder: Path
    offline: bool = False

    @classmethod
    def of(cls, suite: Suite, folder: Path | None = None, *, offline: bool = False) -> Workshop:
        """A workshop in the given folder, else in the user's cache.

        Raises:
            InvalidInput: The folder's path, or that of temporary files, has a ``=``.
        """
        place = (folder or paths.cache() / "build").resolve()
        for field, path in (("--cache", place), ("TMPDIR", Path(tempfile.gettempdir()))):
            if "=" in str(path):
                raise InvalidInput(
                    f"{field} is {path}, which has a '='.",
                    field=field,
                    value=str(path),
                    remedy="Name another folder: compilers are told to leave it out as FOLDER=NAME.",
                )
        return cls(suite, place, offline)

    @cached_property
    def processes(self) -> Processes:
        """What compilers and programs are started by."""
        return Processes()

    @cached_property
    def sources(self) -> Sources:
        """The packages' archives."""
        return Sources(self.folder, offline=self.offline, processes=self.processes)

    @cached_property
    def toolchain(self) -> Toolchain:
        """The suite's compilers, with its declarations of the C library.

        Raises:
            ToolchainMissing: clang is not there, or of another version.
            SourceUnavailable: The package of the declarations cannot be had.
        """
        spec = self.suite.toolchain
        if not spec.headers:
            return Toolchain(spec, processes=self.processes)
        package = self.suite.package(spec.headers)
        return Toolchain(
            spec,
            self.sources.unpacked(package, only=spec.header_folders),
            identity=package.sha256,
            processes=self.processes,
        )

    def prepare(self) -> None:
        """Fetch what every program needs; threads that share the workshop find it made.

        Raises:
            ToolchainMissing: As ``toolchain``.
            SourceUnavailable: As ``toolchain``.
        """
        _ = self.toolchain.sanitizer_version
