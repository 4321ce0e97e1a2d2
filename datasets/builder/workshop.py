"""What a build works with: the suite, its compilers, the packages' sources, a folder to keep things in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from datasets.builder.sources import Sources
from datasets.builder.toolchain import Toolchain
from optarena import paths

if TYPE_CHECKING:
    from pathlib import Path

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
        """A workshop in the given folder, else in the user's cache."""
        return cls(suite, folder or paths.cache() / "build", offline)

    @cached_property
    def sources(self) -> Sources:
        """The packages' archives."""
        return Sources(self.folder, offline=self.offline)

    @cached_property
    def toolchain(self) -> Toolchain:
        """The suite's compilers, with its declarations of the C library.

        Raises:
            ToolchainMissing: clang is not there, or of another version.
            SourceUnavailable: The package of the declarations cannot be had.
        """
        spec = self.suite.toolchain
        if not spec.headers:
            return Toolchain(spec)
        package = self.suite.package(spec.headers)
        return Toolchain(
            spec, self.sources.unpacked(package, only=spec.header_folders), identity=f"{package.sha256}"
        )

    def prepare(self) -> None:
        """Fetch what every program needs; threads that share the workshop find it made.

        Raises:
            ToolchainMissing: As ``toolchain``.
            SourceUnavailable: As ``toolchain``.
        """
        _ = self.toolchain.sanitizer
