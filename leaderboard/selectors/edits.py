"""The public history of what an owner says about an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from leaderboard.models import SubmissionEdit

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from leaderboard.models import Submission

_TITLES: Final = {
    "description": "Description",
    "url": "Link",
    "compilations": "Compilations",
    "walltime_seconds": "Search time in seconds",
    "trained_on_test_set": "Trained on test set",
}
_NOTHING: Final = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedColumn:
    """One column that an edit changed; ``before`` and ``after`` as people read them."""

    title: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRow:
    """One edit."""

    at: datetime
    changes: tuple[EditedColumn, ...]


def list_edits(submission: Submission) -> QuerySet[SubmissionEdit]:
    """The edits of a submission, newest first; there are ``limits.MAX_EDITS`` at most."""
    return SubmissionEdit.objects.filter(submission=submission).order_by("-at", "-pk")


def edit_rows(submission: Submission) -> list[EditRow]:
    """The same for people."""
    return [
        EditRow(
            at=edit.at,
            changes=tuple(
                EditedColumn(title=_TITLES.get(name, name), before=_text(before), after=_text(after))
                for name, (before, after) in edit.changes.items()
            ),
        )
        for edit in list_edits(submission)
    ]


def _text(value: object) -> str:
    if value is None or value == "":
        return _NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)
