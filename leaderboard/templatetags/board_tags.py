"""Template tags that ask a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from leaderboard import selectors

if TYPE_CHECKING:
    from leaderboard.models import Submission

register = template.Library()


@register.simple_tag
def tally(submission: Submission) -> selectors.Tally:
    """How far a submission is; costs no query where the list was made by ``list_submissions``."""
    return selectors.tally(submission)
