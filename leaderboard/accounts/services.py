"""Write accounts: signing up, tokens, profiles, credentials. Nothing else writes these rows."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import EmailValidator
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone
from knox.settings import knox_settings

from leaderboard.accounts.models import ApiToken, FormerName, Profile
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.places import Place, quote_value
from optarena.documents.texts import is_printable
from optarena.errors import InvalidDocument, InvalidInput, Problem

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
    """Return the checked fields that a JSON document has; a form's are all, and the missing ones empty."""
    place = Place(is_spelled=is_form)
    read = PROFILE.read(data, place) or {}
    if place.problems:
        raise InvalidDocument(place.problems)
    return dict.fromkeys(PROFILE.fields, "") | read if is_form else read


def lock_account(*, user: AbstractBaseUser) -> User:
    """Lock an account's row, so that it cannot be deleted before the transaction ends; it must be open."""
    found = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not found.is_active:
        raise PermissionDenied("This account has been closed.")
    return found


@transaction.atomic
def change_profile(*, user: AbstractBaseUser, values: Mapping[str, Any]) -> Profile:
    lock_account(user=user)
    profile, _ = Profile.objects.update_or_create(user_id=user.pk, defaults=dict(values))
    return profile


REVERIFY: Final = "reverify"  # `manage.py reverify`, which has replays made anew whose ends are doubted.
REPETITION: Final = "repetition"  # A repetition that contradicts what was recorded, and so ends a verdict.


USERNAME_PATTERN: Final = re.compile(rf"[a-z0-9](?:[a-z0-9._-]{{0,{limits.USERNAME_LENGTH - 2}}}[a-z0-9])?")
USERNAME_HELP: Final = (
    f"Up to {limits.USERNAME_LENGTH} lower-case letters, digits, dots, hyphens and underscores; "
    "the first and the last must be a letter or a digit."
)
DELETED_PREFIX: Final = "deleted-"
RESERVED_USERNAMES: Final = frozenset(
    {"admin", "anonymous", "optarena", "reference", "root", "staff", "system", REPETITION, REVERIFY}
)


def sign_up(*, username: str, password: str) -> User:
    problems = []
    if USERNAME_PATTERN.fullmatch(username) is None:
        message = "This user name is not valid."
        problems.append(Problem(field="username", value=username, message=message, remedy=USERNAME_HELP))
    elif (
        username in RESERVED_USERNAMES
        or username.startswith(DELETED_PREFIX)
        or is_former(username)
        or User.objects.filter(username__iexact=username).exists()
    ):
        problems.append(_name_taken(username))
    problems += password_problems(password, User(username=username))
    if problems:
        raise InvalidDocument(problems)
    try:
        with transaction.atomic():
            made = User.objects.create_user(username=username, password=password)
            # Once more: an account that was being deleted has kept this transaction waiting.
            if is_former(username):
                raise InvalidDocument([_name_taken(username)])
            return made
    except IntegrityError as error:
        raise InvalidDocument([_name_taken(username)]) from error


def is_former(username: str) -> bool:
    return FormerName.objects.filter(name_sha256=name_sha256(username)).exists()


# Names that differ only in case are one name.
def name_sha256(username: str) -> str:
    return hashlib.sha256(username.casefold().encode()).hexdigest()


def password_problems(password: str, user: User, *, field: str = "password") -> list[Problem]:
    try:
        validate_password(password, user=user)
    except ValidationError as error:
        remedy = "Choose a longer or less common password."
        return [Problem(field=field, message=text, remedy=remedy) for text in error.messages]
    return []


def _name_taken(username: str) -> Problem:
    message = "This user name is taken."
    return Problem(field="username", value=username, message=message, remedy="Choose another one.")


account_deleted: Final = Signal()  # Sent with `user`, whose name is the new one already, and `former_name`.


_RANDOM_BYTES: Final = 6


def check_password(*, user: AbstractBaseUser, password: str) -> None:
    if not user.check_password(password):
        message, remedy = "This is not your password.", "Give the password that you log in with."
        raise InvalidDocument([Problem(field="password", message=message, remedy=remedy)])


def set_password(*, user: AbstractBaseUser, password: str, revoke_tokens: bool = False) -> None:
    with transaction.atomic():
        lock_account(user=user)
        user.set_password(password)
        user.save(update_fields=["password"])
        if revoke_tokens:
            ApiToken.objects.filter(user_id=user.pk).delete()


@transaction.atomic
def change_password(*, user: User, password: str, new_password: str, revoke_tokens: bool = False) -> None:
    check_password(user=lock_account(user=user), password=password)
    if problems := password_problems(new_password, user, field="new_password"):
        raise InvalidDocument(problems)
    set_password(user=user, password=new_password, revoke_tokens=revoke_tokens)


@transaction.atomic
def change_email(*, user: User, password: str, email: str) -> None:
    user = lock_account(user=user)
    check_password(user=user, password=password)
    email = email.strip()
    if email and not _is_address(email):
        remedy = f"Give an address such as ada@example.org, of at most {limits.EMAIL_LENGTH} characters."
        message = "This is not an e-mail address."
        raise InvalidInput(message, field="email", value=quote_value(email), remedy=remedy)
    user.email = email
    user.save(update_fields=["email"])


@transaction.atomic
def delete_account(*, user: AbstractBaseUser, password: str) -> User:
    """Keep the row for its results, under a random name. Nobody can sign up by the former name."""
    found = User.objects.select_for_update().get(pk=user.pk)
    check_password(user=found, password=password)
    if found.is_staff or found.is_superuser:
        message = "An operator's account cannot be deleted."
        remedy = "Have another operator take the account's rights away first."
        raise InvalidInput(message, field="account", value=found.username, remedy=remedy)
    former = found.username
    FormerName.objects.get_or_create(name_sha256=name_sha256(former))
    found.username = f"{DELETED_PREFIX}{secrets.token_hex(_RANDOM_BYTES)}"
    found.email = found.first_name = found.last_name = ""
    found.last_login = None
    found.is_active = False
    found.set_unusable_password()
    found.groups.clear()
    found.save()
    ApiToken.objects.filter(user=found).delete()
    Profile.objects.filter(user=found).delete()
    about_them = LogEntry.objects.filter(content_type__app_label="auth", content_type__model="user")
    about_them.filter(object_id=str(found.pk)).update(object_repr=found.username)
    account_deleted.send(sender=User, user=found, former_name=former)
    return found


def is_deleted(user: User) -> bool:
    return not user.is_active and user.username.startswith(DELETED_PREFIX)


def _is_address(text: str) -> bool:
    try:
        EmailValidator()(text)
    except ValidationError:
        return False
    # Django's check lets control characters through that are between quotes.
    return len(text) <= limits.EMAIL_LENGTH and text.isprintable()


def create_token(*, user: AbstractBaseUser, name: str, days: int | None = None) -> tuple[ApiToken, str]:
    """Return the token with its text, which is stored nowhere.

    ``user`` is as authenticated: a token that is made with a former password must end with it.
    """
    name = name.strip()
    if not 1 <= len(name) <= limits.TOKEN_NAME_LENGTH or not is_printable(name):
        remedy = f"Give 1 to {limits.TOKEN_NAME_LENGTH} printable characters."
        raise InvalidInput("A token needs a name.", field="name", value=name, remedy=remedy)
    if days is not None and not 1 <= days <= limits.MAX_TOKEN_DAYS:
        remedy = f"Give 1 to {limits.MAX_TOKEN_DAYS} days."
        raise InvalidInput(
            "The lifetime of the token is not allowed.", field="days", value=days, remedy=remedy
        )
    lifetime: timedelta = knox_settings.TOKEN_TTL if days is None else timedelta(days=days)
    with transaction.atomic():
        owner = lock_account(user=user)
        if owner.password != user.password:
            raise PermissionDenied(
                "The password of this account has changed meanwhile. Send the request again."
            )
        own = ApiToken.objects.filter(user=owner)
        own.filter(expiry__lt=timezone.now()).delete()  # they are of no use, and would count
        if own.count() >= limits.MAX_TOKENS:
            remedy = "Revoke one at /accounts/tokens/ first."
            raise InvalidInput(f"You have {limits.MAX_TOKENS} tokens already.", field="name", remedy=remedy)
        token, text = ApiToken.objects.create(user=owner, expiry=lifetime, name=name)
    return token, text


def revoke_token(*, token: ApiToken) -> None:
    token.delete()
