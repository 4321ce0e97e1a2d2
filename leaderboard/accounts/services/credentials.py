"""Changes passwords and mail addresses, and deletes accounts; each needs the password, or a reset by mail."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db import transaction

from leaderboard.accounts.models import ApiToken, FormerName, Profile
from leaderboard.accounts.services.profiles import lock_account
from leaderboard.accounts.services.signing_up import DELETED_PREFIX, name_sha256, password_problems
from leaderboard.accounts.signals import account_deleted
from optarena import limits
from optarena.documents.places import shown
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

_RANDOM_BYTES: Final = 6


def check_password(*, user: AbstractBaseUser, password: str) -> None:
    """Check that somebody knows their password.

    Raises:
        InvalidDocument: It is another one.
    """
    if not user.check_password(password):
        message, remedy = "This is not your password.", "Give the password that you log in with."
        raise InvalidDocument([Problem(field="password", message=message, remedy=remedy)])


def set_password(*, user: AbstractBaseUser, password: str, revoke_tokens: bool = False) -> None:
    """Set a password that was checked. All sessions end, and the tokens too if that is asked for.

    Raises:
        PermissionDenied: The account has been closed or deleted meanwhile.
    """
    with transaction.atomic():
        lock_account(user=user)
        user.set_password(password)
        user.save(update_fields=["password"])
        if revoke_tokens:
            ApiToken.objects.filter(user_id=user.pk).delete()


@transaction.atomic
def change_password(*, user: User, password: str, new_password: str, revoke_tokens: bool = False) -> None:
    """Change one's own password.

    Raises:
        InvalidDocument: The present password is wrong, or the new one too weak.
        PermissionDenied: The account has been closed or deleted meanwhile.
    """
    check_password(user=lock_account(user=user), password=password)
    if problems := password_problems(new_password, user, field="new_password"):
        raise InvalidDocument(problems)
    set_password(user=user, password=new_password, revoke_tokens=revoke_tokens)


@transaction.atomic
def change_email(*, user: User, password: str, email: str) -> None:
    """Change the address to which a reset of the password is sent; an empty one removes it.

    Raises:
        InvalidDocument: The password is wrong.
        InvalidInput: The address is not one.
        PermissionDenied: The account has been deleted meanwhile.
    """
    user = lock_account(user=user)
    check_password(user=user, password=password)
    email = email.strip()
    if email and not _is_address(email):
        remedy = f"Give an address such as ada@example.org, of at most {limits.EMAIL_LENGTH} characters."
        message = "This is not an e-mail address."
        raise InvalidInput(message, field="email", value=shown(email), remedy=remedy)
    user.email = email
    user.save(update_fields=["email"])


@transaction.atomic
def delete_account(*, user: AbstractBaseUser, password: str) -> User:
    """Delete one's own account: it gets a random name and can never be used again.

    Its row stays for the results, which stay. Name, mail address, profile and tokens are gone, and sessions
    end. Nobody can sign up by the former name, so nobody takes over what it stood for.

    Raises:
        InvalidDocument: The password is wrong.
        InvalidInput: It is an operator's account.
    """
    found = User.objects.select_for_update().get(pk=user.pk)
    check_password(user=found, password=password)
    if found.is_staff or found.is_superuser:
        raise InvalidInput(
            "An operator's account cannot be deleted.",
            field="account",
            value=found.username,
            remedy="Have another operator take the account's rights away first.",
        )
    former = found.username
    FormerName.objects.get_or_create(name_sha256=name_sha256(former))
    _anonymise(found)
    ApiToken.objects.filter(user=found).delete()
    Profile.objects.filter(user=found).delete()
    about_them = LogEntry.objects.filter(content_type__app_label="auth", content_type__model="user")
    about_them.filter(object_id=str(found.pk)).update(object_repr=found.username)
    account_deleted.send(sender=User, user=found, former_name=former)
    return found


def is_deleted(user: User) -> bool:
    """Whether an account was deleted by its owner."""
    return not user.is_active and user.username.startswith(DELETED_PREFIX)


def _is_address(text: str) -> bool:
    try:
        EmailValidator()(text)
    except ValidationError:
        return False
    # Django's check lets control characters through that are between quotes.
    return len(text) <= limits.EMAIL_LENGTH and text.isprintable()


def _anonymise(user: User) -> None:
    user.username = f"{DELETED_PREFIX}{secrets.token_hex(_RANDOM_BYTES)}"
    user.email = user.first_name = user.last_name = ""
    user.last_login = None
    user.is_active = False
    user.set_unusable_password()
    user.groups.clear()
    user.save()
