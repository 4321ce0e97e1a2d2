"""Names of boards and replays on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from datasets.site.formats import NOTHING
from leaderboard.models import benchmark_name
from leaderboard.selectors import level_text

if TYPE_CHECKING:
    from leaderboard.models import Board
    from runner.models import Verification

register = template.Library()


@register.filter
def level(name: str | None) -> str:
    """A compiler's own level as people write it: ``-O2``, but ``LPT``."""
    return level_text(name) if name else NOTHING


@register.filter
def yardstick(board: Board) -> str:
    """The name of a board's reference, which stands for a ratio of 1."""
    return "the reference" if board.reference_metric else level_text(board.baseline_level)


@register.filter
def replayed(verification: Verification) -> str:
    """The name of a replay's benchmark."""
    return benchmark_name(verification.benchmark, verification.benchmark_uri)
