"""Read environment variables for the settings; unusable values name their remedy."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

try:
    from optarena import specs
except ValueError as error:  # a plug-in cannot be imported, and so not even `InvalidInput` can
    raise ImproperlyConfigured(str(error)) from error
from optarena.specs.benchmark import VERSIONED_NAME

BASE_DIR: Final = Path(__file__).resolve().parents[2]
# A century. Much longer times begin or end at no date, since a year has at most four digits.
MOST_DAYS: Final = 36_500
_MOST: Final = 10**9
_NUMBER: Final = re.compile(r"[0-9]{1,10}")
_CACHE_DATABASE: Final = 1  # The broker's messages are in database 0.
_WORDS: Final = dict.fromkeys(("true", "on", "yes", "y", "ok", "1"), True) | dict.fromkeys(
    ("false", "off", "no", "n", "0", ""), False
)
# User and password of a URL, whose scheme may have been forgotten.
_SECRET: Final = re.compile(r"^([^:/@]*://)?.*@")
_ORIGIN: Final = "https://arena.example.org"
_POSTGRES: Final = ("postgres", "postgresql", "psql", "pgsql")
_MAIL: Final = ("consolemail", "dummymail", "filemail", "smtp", "smtp+ssl", "smtp+tls")
_RATE: Final = re.compile(r"[1-9][0-9]{0,8}/(sec|second|min|minute|hour|day|[smhd])")


def text(name: str, default: str = "") -> str:
    # As it is: `Env.str` takes `$text` for another variable's name.
    return os.environ.get(name, default)


def names(name: str, default: str = "") -> list[str]:
    return [one.strip() for one in text(name, default).split(",") if one.strip()]


def folder(name: str, default: Path) -> str:
    return str(Path(text(name, str(default))).absolute())


def flag(name: str, *, default: bool) -> bool:
    value = text(name, str(default))
    known = _WORDS.get(value.strip().lower())
    if known is None:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to 'true' or 'false'.")
    return known


def positive(name: str, default: int, *, least: int = 1, most: int = _MOST) -> int:
    raw = text(name, str(default))
    if not _NUMBER.fullmatch(raw) or not least <= int(raw) <= most:
        raise ImproperlyConfigured(f"{name} is {raw!r}; set it to a whole number from {least} to {most}.")
    return int(raw)


def rate(name: str, default: str) -> str:
    value = text(name, default)
    if not _RATE.fullmatch(value):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to a rate such as '20/min' or '300/hour'.")
    return value


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to one of: {', '.join(allowed)}.")
    return value


def ending(name: str, default: str, end: str) -> str:
    value = text(name, default)
    if not value.endswith(end) or value == end:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to a name that ends in {end!r}.")
    return value


def dataset_pairs(name: str) -> dict[str, str]:
    value = text(name)
    pairs = [one.strip().partition("=")[::2] for one in value.split(",") if one.strip()]
    if not all(VERSIONED_NAME.fullmatch(one) for pair in pairs for one in pair):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; set it to pairs of dataset names with their versions, separated by "
            "commas: 'programs-v0=kernels-v0'."
        )
    return dict(pairs)


def board_sizes(name: str) -> dict[str, int]:
    value, boards = text(name), {one.slug for one in specs.board_specs()}
    pairs = [one.strip().partition("=")[::2] for one in value.split(",") if one.strip()]
    if not all(board in boards and size.isdecimal() and int(size) > 0 for board, size in pairs):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; set it to boards with numbers of programs, separated by commas: "
            f"'{min(boards)}=5'. Boards are {', '.join(sorted(boards))}."
        )
    return {board: int(size) for board, size in pairs}


def database(name: str, default: str) -> dict[str, Any]:
    example = "postgres://user:password@host:5432/optarena"
    return _read_url(name, text(name, default), Env.db_url_config, _POSTGRES, example)


def broker() -> str:
    return text("OPTARENA_BROKER_URL") or "redis://localhost:6379/0"


def shared_cache() -> dict[str, Any]:
    # The cache of OPTARENA_CACHE_URL, or another database of the broker.
    if cache := text("OPTARENA_CACHE_URL"):
        example = "redis://localhost:6379/1"
        return _read_url("OPTARENA_CACHE_URL", cache, Env.cache_url_config, Env.CACHE_SCHEMES, example)
    schemes = {"redis": "redis", "rediss": "rediss", "redis+socket": "unix"}
    try:
        url = urlsplit(broker())
    except ValueError:  # as of a bracket that does not end
        url = urlsplit("")
    if url.scheme not in schemes:
        raise ImproperlyConfigured(
            f"OPTARENA_BROKER_URL is {_without_secret(broker())!r}; set it to a URL such as "
            "'redis://localhost:6379/0', or name a cache for all web processes in OPTARENA_CACHE_URL."
        )
    is_socket = url.scheme == "redis+socket"
    path = url.path if is_socket else ""
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": f"{schemes[url.scheme]}://{url.netloc}{path}?db={_CACHE_DATABASE}",
        "OPTIONS": {"socket_timeout": 1} | ({} if is_socket else {"socket_connect_timeout": 1}),
    }


def mail_server(name: str, default: str) -> dict[str, Any]:
    example = "smtp+tls://user:password@host:587"
    return _read_url(name, text(name, default), Env.email_url_config, _MAIL, example)


def server(name: str) -> str:
    value = text(name)
    return _origin(name, value) if value else ""


def origins(name: str) -> list[str]:
    return [_origin(name, one) for one in names(name)]


def public_origin(name: str, known: Iterable[str]) -> str:
    # Of the known origins, the first one of a single host.
    value = server(name)
    if not value:
        return next((one for one in known if "*" not in one), "")
    try:
        parts = urlsplit(value)
        is_origin = bool(parts.hostname) and value == f"{parts.scheme}://{parts.netloc}" and "@" not in value
    except ValueError:  # as of a bracket that does not end
        is_origin = False
    if not is_origin:
        raise ImproperlyConfigured(
            f"{name} is {_without_secret(text(name))!r}; set it to a scheme, a host and perhaps a port, such "
            f"as {_ORIGIN!r}."
        )
    return value


def address(name: str) -> str:
    value = text(name)
    if value and not value.startswith("/"):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to an address such as '/protected/blobs'.")
    return value.rstrip("/")


def _origin(name: str, value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to a URL such as {_ORIGIN!r}.")
    return value.rstrip("/")


def _read_url(
    name: str, value: str, read: Callable[[str], Mapping[str, Any]], schemes: Iterable[str], example: str
) -> dict[str, Any]:
    # The error shows neither user nor password.
    scheme, mark, _ = value.partition("://")
    if mark and scheme in schemes:
        with suppress(ValueError):  # its text may be a part of the password
            return dict(read(value))
    raise ImproperlyConfigured(
        f"{name} is {_without_secret(value)!r}; set it to a URL such as {example!r}, with special characters "
        f"of user and password as %XX. It begins with one of: {', '.join(schemes)}."
    )


def _without_secret(url: str) -> str:
    return _SECRET.sub(r"\1…@", url)
