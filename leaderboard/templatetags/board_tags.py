"""Template tags that ask a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from leaderboard.submissions import queries as submission_queries
from optarena.specs import board_specs

if TYPE_CHECKING:
    from leaderboard.models import Submission
    from optarena.specs import BoardSpec

register = template.Library()


@register.simple_tag
def tally(submission: Submission) -> submission_queries.Tally:
    """The progress of a submission; costs no query for a list of ``list_submissions``."""
    return submission_queries.tally(submission)


@register.simple_tag
def usual_board() -> BoardSpec | None:
    """The first board of this installation, for examples on pages that are not about a board."""
    return next(iter(board_specs()), None)
