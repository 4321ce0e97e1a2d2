"""System checks of the deployment: what must be set before the server is public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.apps.config import AppConfig
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


def require_secret_key() -> None:
    """Refuse to serve without a usable secret key."""
    problem = secret_key_problem()
    if problem is not None:
        raise ImproperlyConfigured(f"{problem} {_REMEDY}")


def require_public_url() -> None:
    """Refuse to serve if messages would be sent with links to an address that nobody has named."""
    problem = public_url_problem()
    if problem is not None:
        raise ImproperlyConfigured(f"{problem} {_ADDRESS_REMEDY}")


def public_url_problem() -> str | None:
    if settings.OPTARENA_PUBLIC_URL or not settings.EMAIL_BACKEND.endswith(".smtp.EmailBackend"):
        return None
    return "OPTARENA_EMAIL_URL is a mail server, and the address for links in its messages is not set."


@register(Tags.security, deploy=True)
def check_deployment(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001 - the signature of a check
    **kwargs: Any,  # noqa: ANN401, ARG001 - as above
) -> list[CheckMessage]:
    found = [
        (secret_key_problem(), _REMEDY, "leaderboard.E001"),
        (public_url_problem(), _ADDRESS_REMEDY, "leaderboard.E002"),
    ]
    return [Error(problem, hint=remedy, id=name) for problem, remedy, name in found if problem is not None]
