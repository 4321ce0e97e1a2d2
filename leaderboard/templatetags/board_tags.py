"""Template tags that ask a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from leaderboard import selectors
from optarena.specs import board_specs

if TYPE_CHECKING:
    from leaderboard.models import Submission
    from optarena.specs import BoardSpec

register = template.Library()


@register.simple_tag
def tally(submission: Submission) -> selectors.Tally:
    """How far a submission is; costs no query where the list was made by ``list_submissions``."""
    return selectors.tally(submission)


@register.simple_tag
def usual_board() -> BoardSpec | None:
    """The first board of this installation: shown in examples where a page is about none."""
    return next(iter(board_specs()), None)
