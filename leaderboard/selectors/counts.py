"""How much this server has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.models import Benchmark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leaderboard.selectors.leaders import BoardSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCounts:
    """Numbers for the start page.

    Attributes:
        programs: Programs of all dataset versions.
        entries: Entries of all boards, without those that were withdrawn.
        verified: Their results that were verified.
    """

    programs: int
    entries: int
    verified: int


def site_counts(boards: Sequence[BoardSummary]) -> SiteCounts:
    """Of all datasets, and of these boards of ``list_boards``."""
    return SiteCounts(
        programs=Benchmark.objects.count(),
        entries=sum(one.entries for one in boards),
        verified=sum(one.verified for one in boards),
    )
