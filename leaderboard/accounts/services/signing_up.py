"""Makes accounts: which names and passwords they may have."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from leaderboard.accounts.models import FormerName
from leaderboard.actors import REPETITION, REVERIFY
from optarena import limits
from optarena.errors import InvalidDocument, Problem

USERNAME_PATTERN: Final = re.compile(rf"[a-z0-9](?:[a-z0-9._-]{{0,{limits.USERNAME_LENGTH - 2}}}[a-z0-9])?")
USERNAME_HELP: Final = (
    f"Up to {limits.USERNAME_LENGTH} lower-case letters, digits, dots, hyphens and underscores; "
    "the first and the last must be a letter or a digit."
)
DELETED_PREFIX: Final = "deleted-"
"""How the names of deleted accounts begin."""
RESERVED_USERNAMES: Final = frozenset(
    {"admin", "anonymous", "optarena", "reference", "root", "staff", "system", REPETITION, REVERIFY}
)


def sign_up(*, username: str, password: str) -> User:
    """Create an account.

    Raises:
        InvalidDocument: The name is unusable or taken, or the password is too weak; all problems at once.
    """
    problems = _username_problems(username) + password_problems(password, User(username=username))
    if problems:
        raise InvalidDocument(problems)
    try:
        with transaction.atomic():
            made = User.objects.create_user(username=username, password=password)
            # Once more: an account that was being deleted has kept this transaction waiting.
            if is_former(username):
                raise InvalidDocument([_taken(username)])
            return made
    except IntegrityError as error:
        raise InvalidDocument([_taken(username)]) from error


def is_former(username: str) -> bool:
    """Whether an account of this name was deleted."""
    return FormerName.objects.filter(name_sha256=name_sha256(username)).exists()


def name_sha256(username: str) -> str:
    """The hash of a name, whatever its case."""
    return hashlib.sha256(username.casefold().encode()).hexdigest()


def password_problems(password: str, user: User, *, field: str = "password") -> list[Problem]:
    """What is wrong with a new password of somebody."""
    try:
        validate_password(password, user=user)
    except ValidationError as error:
        remedy = "Choose a longer or less common password."
        return [Problem(field=field, message=text, remedy=remedy) for text in error.messages]
    return []


def _username_problems(username: str) -> list[Problem]:
    if USERNAME_PATTERN.fullmatch(username) is None:
        message = "This user name is not valid."
        return [Problem(field="username", value=username, message=message, remedy=USERNAME_HELP)]
    if username in RESERVED_USERNAMES or username.startswith(DELETED_PREFIX) or is_former(username):
        return [_taken(username)]
    if User.objects.filter(username__iexact=username).exists():
        return [_taken(username)]
    return []


def _taken(username: str) -> Problem:
    message = "This user name is taken."
    return Problem(field="username", value=username, message=message, remedy="Choose another one.")
