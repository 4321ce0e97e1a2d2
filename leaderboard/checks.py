"""System checks of the deployment: what must be set before the server is public."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

MIN_SECRET_KEY_LENGTH: Final = 32
_REMEDY: Final = (
    "Set OPTARENA_SECRET_KEY to a random text of at least "
    f"{MIN_SECRET_KEY_LENGTH} characters and keep it the same across restarts, for example: "
    "export OPTARENA_SECRET_KEY=\"$(python3 -c 'import secrets; print(secrets.token_urlsafe(50))')\""
)

_ADDRESS_REMEDY: Final = (
    "Set OPTARENA_PUBLIC_URL to the server's address in a browser, such as https://arena.example.org."
)


def secret_key_problem() -> str | None:
    try:
        key = settings.SECRET_KEY
    except ImproperlyConfigured:
        return "OPTARENA_SECRET_KEY is not set; sessions and forms cannot be signed without it."
    if len(key) < MIN_SECRET_KEY_LENGTH:
        return f"OPTARENA_SECRET_KEY has {len(key)} characters, which is too short to be safe."
    return None


def _public_url_problem() -> str | None:
    if settings.OPTARENA_PUBLIC_URL or not settings.EMAIL_BACKEND.endswith(".smtp.EmailBackend"):
        return None
    return "OPTARENA_EMAIL_URL is a mail server, and the address for links in its messages is not set."


def _errors() -> Iterator[Error]:
    if (problem := secret_key_problem()) is not None:
        yield Error(problem, hint=_REMEDY, id="leaderboard.E001")
    if (problem := _public_url_problem()) is not None:
        yield Error(problem, hint=_ADDRESS_REMEDY, id="leaderboard.E002")


def refuse_unsafe_settings() -> None:
    """Refuse to serve without a usable key, or if messages would link to an address that nobody has named."""
    if error := next(iter(_errors()), None):
        raise ImproperlyConfigured(f"{error.msg} {error.hint}")


@register(Tags.security, deploy=True)
def check_deployment(**_: object) -> list[CheckMessage]:
    return list(_errors())
