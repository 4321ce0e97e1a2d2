"""Errors of building a dataset. All refusals of a build are reported together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optarena.errors import OptArenaError

if TYPE_CHECKING:
    from collections.abc import Sequence


class ToolchainMissing(OptArenaError):
    """The pinned compiler, or a tool for linking and running its programs, is not on this machine."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a program, or a package of its sources, cannot be part of a dataset."""

    program: str
    reason: str

    def __str__(self) -> str:
        return f"{self.program}: {self.reason}"


class DatasetRefused(OptArenaError):
    """One or more programs cannot be part of a dataset; ``refusals`` holds every reason found."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("\n".join(str(refusal) for refusal in refusals))
        self.refusals = tuple(refusals)


class SourceUnavailable(OptArenaError):
    """A package is not available, is not the one that the suite names, or cannot be unpacked safely."""
