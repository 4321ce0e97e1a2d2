"""Health checks for supervisors and load balancers: the process, and everything it needs."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg
import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import JsonResponse
from django.views.decorators.cache import never_cache
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError, ResponseError

from leaderboard.celery import app as celery_app
from leaderboard.common.connections import giving_up_after
from leaderboard.common.unavailable import OUTAGE

if TYPE_CHECKING:
    from django.http import HttpRequest

OK: Final = "ok"
NO_CONNECTION: Final = "no connection"
_BROKER_SECONDS: Final = 2
_DATABASE_SECONDS: Final = 2
_Connection: Final = giving_up_after(_DATABASE_SECONDS)
_KEPT_SECONDS: Final = 1.0
_KEY: Final = "optarena:ready"
_log = structlog.get_logger(__name__)


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes a request
    """The process answers; nothing else is checked."""
    return JsonResponse({"status": OK})


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes a request
    """What the server needs, each ``ok`` or what is wrong with it; 503 if any is not ok.

    A process that the embedded server's supervisor has given up is named too; pages are served without it.
    """
    checks = READINESS.checks()
    ready = all(answer == OK for answer in checks.values())
    stopped = _given_up()
    status = ("degraded" if stopped else OK) if ready else "unavailable"
    body = {"status": status, "checks": checks} | ({"stopped": stopped} if stopped else {})
    return JsonResponse(body, status=200 if ready else 503)


class Readiness:
    """The latest answers of all checks, kept for a second: whoever asks often costs nothing more."""

    def __init__(self) -> None:
        self._checking = threading.Lock()
        self._answers: dict[str, str] = {"database": "not checked yet"}
        self._until = 0.0

    def checks(self) -> dict[str, str]:
        """Each check with its answer. While one caller waits for new answers, others get the last ones."""
        if time.monotonic() >= self._until and self._checking.acquire(blocking=False):
            try:
                self._answers = _answers()
                self._until = time.monotonic() + _KEPT_SECONDS
            finally:
                self._checking.release()
        return self._answers


READINESS: Final = Readiness()


def _answers() -> dict[str, str]:
    checks = {"database": _database(), "broker": _broker(), "programs": _programs(), "disk": _disk()}
    reached = checks["database"] != NO_CONNECTION
    checks["migrations"] = _migrations() if reached else "unknown"
    if any(answer != OK for answer in checks.values()):
        _log.warning("not ready", **checks)
    return checks


def _database() -> str:
    if OUTAGE.lasts():
        return NO_CONNECTION
    # A connection of its own: those of the pool may all be in use, or lead to a server that has stopped.
    parameters = connection.get_connection_params() | {"connect_timeout": _DATABASE_SECONDS}
    try:
        with _Connection.connect(**parameters) as own:
            answer = own.execute("SELECT pg_is_in_recovery(), current_setting('transaction_read_only')")
            recovering, read_only = answer.fetchone() or (False, "off")
    except psycopg.Error:
        return NO_CONNECTION
    if recovering:
        return "accepts no writes: it is a standby or still recovering"
    return "accepts no writes: it is read-only" if read_only == "on" else OK


def _migrations() -> str:
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError:
        return "unknown"
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(plan)} not applied" if plan else OK


def _broker() -> str:
    try:
        patience = {"socket_connect_timeout": _BROKER_SECONDS, "socket_timeout": _BROKER_SECONDS}
        with celery_app.connection_for_write(transport_options=patience) as broker:
            broker.ensure_connection(max_retries=1, timeout=_BROKER_SECONDS)
            client = getattr(broker.default_channel, "client", None)
            if client is not None:
                client.set(_KEY, "1", ex=60)
    except ResponseError as error:
        return f"refuses writes: {error}"
    except (BrokerError, RedisError, OSError):
        return NO_CONNECTION
    return OK


def _programs() -> str:
    folder = settings.OPTARENA_BLOB_ROOT
    if not Path(folder).is_dir():
        return "the folder OPTARENA_BLOB_ROOT does not exist"
    return OK if os.access(folder, os.R_OK | os.X_OK) else "the folder OPTARENA_BLOB_ROOT cannot be read"


def _disk() -> str:
    """Room beside the stored programs; the embedded server's database is on the same disk."""
    folder = Path(settings.OPTARENA_BLOB_ROOT)
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    free, wanted = shutil.disk_usage(folder).free // 2**20, settings.OPTARENA_DISK_FLOOR_MB
    return OK if free >= wanted else f"{free} MB free; at least {wanted} MB are needed"


def _given_up() -> list[str]:
    """The processes that the supervisor no longer starts; it writes their names into a file."""
    try:
        return Path(settings.OPTARENA_GIVEN_UP).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
