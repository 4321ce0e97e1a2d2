"""Changes what an owner says about an entry: description, link, effort. Every change is kept and public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from leaderboard.accounts.services import lock_account
from leaderboard.models import Submission, SubmissionEdit
from leaderboard.services.documents import ABOUT, about_from_query
from leaderboard.services.submissions import Conflict
from optarena import limits
from optarena.documents import kinds
from optarena.documents.places import Place
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping

    from django.contrib.auth.models import User

EDIT: Final = kinds.record(
    description=(
        "Fields that are missing stay as they are. An empty text removes what was there. `effort` is "
        "replaced as a whole."
    ),
    fields={name: ABOUT.fields[name] for name in ("description", "url", "effort")},
)
_NO_EFFORT: Final[dict[str, Any]] = {
    "compilations": None,
    "walltime_seconds": None,
    "trained_on_test_set": False,
}


def read_edit(data: object) -> dict[str, Any]:
    """The columns that a JSON document changes, with their new values.

    Raises:
        InvalidDocument: With every problem.
    """
    place = Place()
    read = EDIT.read(data, place) or {}
    if place.problems:
        raise InvalidDocument(place.problems)
    if "effort" in read:
        read |= _NO_EFFORT | read.pop("effort")
    return read


def read_form(texts: Mapping[str, str]) -> dict[str, Any]:
    """The same for a form, which shows all columns: what it leaves empty is removed.

    Raises:
        InvalidDocument: With every problem.
    """
    place = Place(is_spelled=True)
    read = EDIT.read(about_from_query(texts), place) or {}
    if place.problems:
        raise InvalidDocument(place.problems)
    effort: dict[str, Any] = read.pop("effort", {})
    return {"description": "", "url": ""} | _NO_EFFORT | effort | read


@transaction.atomic
def edit(*, submission_id: uuid.UUID, actor: User, values: Mapping[str, Any]) -> Submission:
    """Change columns of one's own submission, as ``read_edit`` gives them. Equal values are not a change.

    Raises:
        PermissionDenied: The user does not own it, or has deleted the account meanwhile.
        Conflict: It has been changed too often.
    """
    lock_account(user=actor)
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission_id)
    if submission.owner_id != actor.pk:
        raise PermissionDenied("Only its owner can edit a submission.")
    changes = {
        name: [getattr(submission, name), value]
        for name, value in values.items()
        if not _are_equal(value, getattr(submission, name))
    }
    if not changes:
        return submission
    if SubmissionEdit.objects.filter(submission=submission).count() >= limits.MAX_EDITS:
        raise Conflict(
            f"This submission has been edited {limits.MAX_EDITS} times, which is the most that is allowed.",
            field="submission",
            value=str(submission_id),
            remedy="Submit again if there is more to say.",
        )
    for name, (_, value) in changes.items():
        setattr(submission, name, value)
    submission.save(update_fields=list(changes))
    SubmissionEdit.objects.create(submission=submission, at=timezone.now(), changes=changes)
    return submission


def _are_equal(one: object, other: object) -> bool:
    """Whether two values are the same to readers: browsers send other ends of lines."""
    if isinstance(one, str) and isinstance(other, str):
        return one.splitlines() == other.splitlines()
    return one == other
