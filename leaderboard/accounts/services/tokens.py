"""Makes and revokes tokens of programs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from knox.settings import knox_settings

from leaderboard.accounts.models import ApiToken
from leaderboard.accounts.services.profiles import lock_account
from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser


def create_token(*, user: AbstractBaseUser, name: str, days: int | None = None) -> tuple[ApiToken, str]:
    """Make a token for programs. The text is returned once and stored nowhere. Expired ones are deleted.

    Args:
        user: The owner of the token, as somebody who knew the password was authenticated.
        name: The name that its owner gives it.
        days: Its lifetime; None for the server's default.

    Raises:
        InvalidInput: The name or the number of days is unusable, or there are too many tokens.
        PermissionDenied: The account has been closed since, or got another password, which ends older tokens
            and must end those, too, that are made with the former one.
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
    """Make a token stop working at once."""
    token.delete()
