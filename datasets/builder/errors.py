"""What can go wrong while a dataset is built. All refusals of a build are reported together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optarena.errors import OptArenaError

if TYPE_CHECKING:
    from collections.abc import Sequence


class ToolchainMissing(OptArenaError):
    """The pinned compiler, or what is needed to link and run its programs, is not on this machine."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a program, or a package that programs are made of, cannot be part of a dataset."""

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
    """A package cannot be had, is not the one that the suite names, or cannot be unpacked safely."""
