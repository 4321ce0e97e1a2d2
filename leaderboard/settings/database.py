"""PostgreSQL through a psycopg pool: a new connection for each request would be six times slower."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from leaderboard.common.connections import giving_up_after
from leaderboard.settings.environment import database, positive

_DAY = 86_400


def _database() -> dict[str, Any]:
    config = database("OPTARENA_DATABASE_URL", "postgres:///optarena")
    # The folder of a Unix socket is percent-encoded in the place of the URL's host.
    config["HOST"] = unquote(str(config["HOST"]))
    config["CONN_MAX_AGE"] = 0
    config["CONN_HEALTH_CHECKS"] = True
    pool: dict[str, Any] = {
        "min_size": 1,
        "max_size": positive("OPTARENA_DATABASE_POOL_SIZE", 8),
        "timeout": positive("OPTARENA_DATABASE_WAIT_SECONDS", 20),
        # The pool doubles its waits while the database is away; giving up early resets them.
        "reconnect_timeout": 2,
    }
    # The URL's own parameters stay, such as sslmode.
    options: dict[str, Any] = {**config.get("OPTIONS", {}), "pool": pool}
    if patience := positive("OPTARENA_DATABASE_ANSWER_SECONDS", 0, least=0, most=_DAY):
        pool["connection_class"] = giving_up_after(patience)
        options.setdefault("connect_timeout", patience)
        # What its client has given up must not go on: it would keep one of the server's connections.
        limit = f"-c statement_timeout={1000 * (patience + 1)}"
        options["options"] = f"{limit} {options.get('options', '')}".rstrip()
    return {**config, "OPTIONS": options}


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
