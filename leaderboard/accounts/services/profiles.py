"""What people say about themselves, and its changes. A row is there from the first change on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from leaderboard.accounts.models import Profile
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.places import Place
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.base_user import AbstractBaseUser

PROFILE: Final = kinds.record(
    description="Fields that are missing stay as they are. An empty text removes what was there.",
    fields={
        "affiliation": Field(
            kinds.text(longest=limits.AFFILIATION_LENGTH, is_trimmed=True, is_optional=True),
            description="Where you work or study.",
        ),
        "url": Field(
            kinds.address(longest=limits.SUBMISSION_URL_LENGTH, is_trimmed=True, is_optional=True),
            description="Where to read more about you.",
        ),
        "about": Field(
            kinds.text(longest=limits.DESCRIPTION_LENGTH, lines=True, is_trimmed=True, is_optional=True),
            description="About you and your agents, in Markdown.",
        ),
    },
)


def read_profile(data: object, *, is_form: bool = False) -> dict[str, Any]:
    """The fields that a JSON document changes; a form shows all, and what it leaves empty is removed.

    Raises:
        InvalidDocument: With every problem.
    """
    place = Place(is_spelled=is_form)
    read = PROFILE.read(data, place) or {}
    if place.problems:
        raise InvalidDocument(place.problems)
    return dict.fromkeys(PROFILE.fields, "") | read if is_form else read


def lock_account(*, user: AbstractBaseUser) -> User:
    """The row of an account as it is now, locked, so that it cannot be deleted before the transaction ends.

    Raises:
        PermissionDenied: It has been closed or deleted since the request was authenticated.
    """
    found = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not found.is_active:
        raise PermissionDenied("This account has been closed.")
    return found


@transaction.atomic
def change_profile(*, user: AbstractBaseUser, values: Mapping[str, Any]) -> Profile:
    """Change one's own profile, as ``read_profile`` gives it.

    Raises:
        PermissionDenied: The account has been deleted meanwhile.
    """
    lock_account(user=user)
    profile, _ = Profile.objects.update_or_create(user_id=user.pk, defaults=dict(values))
    return profile
