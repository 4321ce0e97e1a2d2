"""How much this server has."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Sum

from datasets.models import Benchmark
from leaderboard.models import Standing


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


def site_counts() -> SiteCounts:
    """Of all datasets and boards; entries keep sums of their own, so their items are not counted."""
    found = Standing.objects.aggregate(entries=Count("pk"), verified=Sum("verified", default=0))
    return SiteCounts(programs=Benchmark.objects.count(), **found)
