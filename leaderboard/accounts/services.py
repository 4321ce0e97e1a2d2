"""Writes of accounts: signing up, making and revoking tokens. The only place where either is created."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from knox.settings import knox_settings

from leaderboard.accounts.models import ApiToken
from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

USERNAME_PATTERN: Final = re.compile(rf"[a-z0-9](?:[a-z0-9._-]{{0,{limits.USERNAME_LENGTH - 2}}}[a-z0-9])?")
USERNAME_HELP: Final = (
    f"Up to {limits.USERNAME_LENGTH} lower-case letters, digits, dots, hyphens and underscores; "
    "the first and the last must be a letter or a digit."
)
RESERVED_USERNAMES: Final = frozenset(
    {"admin", "anonymous", "optarena", "reference", "root", "staff", "system"}
)


def sign_up(*, username: str, password: str) -> User:
    """Create an account.

    Raises:
        InvalidDocument: The name is unusable or taken, or the password is too weak; all problems at once.
    """
    problems = _username_problems(username) + _password_problems(username, password)
    if problems:
        raise InvalidDocument(problems)
    try:
        with transaction.atomic():
            return User.objects.create_user(username=username, password=password)
    except IntegrityError as error:
        raise InvalidDocument([_taken(username)]) from error


def create_token(*, user: AbstractBaseUser, name: str, days: int | None = None) -> tuple[ApiToken, str]:
    """Make a token for programs. The text is returned once and stored nowhere.

    Args:
        user: The owner of the token.
        name: The name that its owner gives it.
        days: Its lifetime; None for the server's default.

    Raises:
        InvalidInput: The name or the number of days is unusable, or there are too many tokens.
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
        owner = User.objects.select_for_update().get(pk=user.pk)
        if ApiToken.objects.filter(user=owner).count() >= limits.MAX_TOKENS:
            remedy = "Revoke one at /accounts/tokens/ first."
            raise InvalidInput(f"You have {limits.MAX_TOKENS} tokens already.", field="name", remedy=remedy)
        token, text = ApiToken.objects.create(user=owner, expiry=lifetime, name=name)
    return token, text


def revoke_token(*, token: ApiToken) -> None:
    """Make a token stop working at once."""
    token.delete()


def _username_problems(username: str) -> list[Problem]:
    if USERNAME_PATTERN.fullmatch(username) is None:
        message = "This user name is not valid."
        return [Problem(field="username", value=username, message=message, remedy=USERNAME_HELP)]
    if username in RESERVED_USERNAMES or User.objects.filter(username__iexact=username).exists():
        return [_taken(username)]
    return []


def _taken(username: str) -> Problem:
    message = "This user name is taken."
    return Problem(field="username", value=username, message=message, remedy="Choose another one.")


def _password_problems(username: str, password: str) -> list[Problem]:
    try:
        validate_password(password, user=User(username=username))
    except ValidationError as error:
        remedy = "Choose a longer or less common password."
        return [Problem(field="password", message=text, remedy=remedy) for text in error.messages]
    return []
