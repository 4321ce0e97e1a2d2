"""Reads environment variables for the other settings modules; an unusable value names its remedy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from optarena.specs.uri import VERSIONED_NAME

env: Final = environ.Env()
_CACHE_DATABASE: Final = 1
"""The broker's messages are in database 0."""
BASE_DIR: Final = Path(__file__).resolve().parents[2]
_WORDS: Final = dict.fromkeys(("true", "on", "yes", "y", "ok", "1"), True) | dict.fromkeys(
    ("false", "off", "no", "n", "0", ""), False
)
_WHOLE: Final = 100
_SECRET: Final = re.compile(r"//.*@")
"""User and password of a URL."""
_MAIL: Final = ("consolemail", "dummymail", "filemail", "smtp", "smtp+ssl", "smtp+tls")
_RATE: Final = re.compile(r"[1-9][0-9]{0,8}/(sec|second|min|minute|hour|day|[smhd])")


def flag(name: str, *, default: bool) -> bool:
    """Whether a switch is on, from the environment.

    Raises:
        ImproperlyConfigured: The variable holds a word that is neither on nor off.
    """
    value: str = env.str(name, default=str(default))
    known = _WORDS.get(value.strip().lower())
    if known is None:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to 'true' or 'false'.")
    return known


def positive(name: str, default: int, *, least: int = 1) -> int:
    """An integer of at least one, or of another least value, from the environment.

    Raises:
        ImproperlyConfigured: The variable holds something else.
    """
    raw = env.str(name, default=str(default))
    if not raw.isdecimal() or int(raw) < least:
        raise ImproperlyConfigured(f"{name} is {raw!r}; set it to a whole number of at least {least}.")
    return int(raw)


def percentage(name: str, default: int) -> int:
    """A whole number from 1 to 100 from the environment.

    Raises:
        ImproperlyConfigured: The variable holds something else.
    """
    value = positive(name, default)
    if value > _WHOLE:
        raise ImproperlyConfigured(f"{name} is {value}; set it to a whole number from 1 to {_WHOLE}.")
    return value


def rate(name: str, default: str) -> str:
    """A limit such as ``20/min`` from the environment: so many in a second, minute, hour or day.

    Raises:
        ImproperlyConfigured: The variable holds something else.
    """
    value: str = env.str(name, default=default)
    if not _RATE.fullmatch(value):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to a rate such as '20/min' or '300/hour'.")
    return value


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    """One of the allowed words from the environment.

    Raises:
        ImproperlyConfigured: The variable holds another word.
    """
    value: str = env.str(name, default=default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to one of: {', '.join(allowed)}.")
    return value


def ending(name: str, default: str, end: str) -> str:
    """A name from the environment that ends in a certain way.

    Raises:
        ImproperlyConfigured: The name does not end so, or is nothing but that ending.
    """
    value: str = env.str(name, default=default)
    if not value.endswith(end) or value == end:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to a name that ends in {end!r}.")
    return value


def dataset_pairs(name: str) -> dict[str, str]:
    """Datasets that are replaced by others, from the environment; empty by default.

    Raises:
        ImproperlyConfigured: The variable does not hold pairs of datasets' names.
    """
    value: str = env.str(name, default="")
    pairs = [one.strip().partition("=")[::2] for one in value.split(",") if one.strip()]
    if not all(VERSIONED_NAME.fullmatch(one) for pair in pairs for one in pair):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; set it to pairs of dataset names with their versions, separated by "
            "commas: 'programs-v0=kernels-v0'."
        )
    return dict(pairs)


def shared_cache() -> dict[str, Any]:
    """The cache of OPTARENA_CACHE_URL; else another database of the broker; else this process's memory."""
    if env.str("OPTARENA_CACHE_URL", default=""):
        return dict(env.cache_url("OPTARENA_CACHE_URL"))
    broker = urlsplit(env.str("OPTARENA_BROKER_URL", default=""))
    schemes = {"redis": "redis", "rediss": "rediss", "redis+socket": "unix"}
    if broker.scheme not in schemes:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    is_socket = broker.scheme == "redis+socket"
    path = broker.path if is_socket else ""
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": f"{schemes[broker.scheme]}://{broker.netloc}{path}?db={_CACHE_DATABASE}",
        "OPTIONS": {"socket_timeout": 1} | ({} if is_socket else {"socket_connect_timeout": 1}),
    }


def mail_server(name: str, default: str) -> dict[str, Any]:
    """Django's settings for a mail server, from the environment.

    Raises:
        ImproperlyConfigured: The variable holds something else.
    """
    value: str = env.str(name, default=default)
    scheme, mark, _ = value.partition("://")
    if not mark or scheme not in _MAIL:
        raise ImproperlyConfigured(
            f"{name} is {_SECRET.sub('//…@', value)!r}; set it to a URL such as "
            f"'smtp+tls://user:password@host:587', which begins with one of: {', '.join(_MAIL)}."
        )
    try:
        return dict(env.email_url_config(value))
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} cannot be read: {error}. Write special characters of user and password as %XX."
        ) from error


def server(name: str) -> str:
    """The URL of a server from the environment, without a slash at its end; empty by default.

    Raises:
        ImproperlyConfigured: The variable holds something else.
    """
    value: str = env.str(name, default="")
    if value and not value.startswith(("http://", "https://")):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; set it to a URL such as 'https://arena.example.org'."
        )
    return value.rstrip("/")


def address(name: str) -> str:
    """An address on this server from the environment, without a slash at its end; empty by default.

    Raises:
        ImproperlyConfigured: The variable holds something that does not begin with a slash.
    """
    value: str = env.str(name, default="")
    if value and not value.startswith("/"):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to an address such as '/protected/blobs'.")
    return value.rstrip("/")
