"""System checks of the deployment: what must be set before the server is public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.apps.config import AppConfig
    from django.core.checks import CheckMessage

MIN_SECRET_KEY_LENGTH: Final = 32
_REMEDY: Final = (
    "Set OPTARENA_SECRET_KEY to a random text of at least "
    f"{MIN_SECRET_KEY_LENGTH} characters and keep it the same across restarts, for example: "
    "export OPTARENA_SECRET_KEY=\"$(python3 -c 'import secrets; print(secrets.token_urlsafe(50))')\""
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


@register(Tags.security, deploy=True)
def check_secret_key(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001 - the signature of a check
    **kwargs: Any,  # noqa: ANN401, ARG001 - as above
) -> list[CheckMessage]:
    problem = secret_key_problem()
    return [] if problem is None else [Error(problem, hint=_REMEDY, id="leaderboard.E001")]
