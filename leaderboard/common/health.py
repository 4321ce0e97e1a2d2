"""Health checks for supervisors and load balancers: the process, and everything it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import JsonResponse
from django.views.decorators.cache import never_cache
from kombu.exceptions import OperationalError as BrokerError

from leaderboard.celery import app as celery_app

if TYPE_CHECKING:
    from django.http import HttpRequest

_BROKER_SECONDS: Final = 2
_log = structlog.get_logger(__name__)


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes a request
    """The process answers; nothing else is checked."""
    return JsonResponse({"status": "ok"})


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes a request
    """Database, migrations and broker, each ``ok`` or what is wrong with it; 503 if any is not ok."""
    checks = {"database": _database(), "broker": _broker()}
    checks["migrations"] = _migrations() if checks["database"] == "ok" else "unknown"
    ready = all(answer == "ok" for answer in checks.values())
    if not ready:
        _log.warning("not ready", **checks)
    status = "ok" if ready else "unavailable"
    return JsonResponse({"status": status, "checks": checks}, status=200 if ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "no connection"
    return "ok"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(plan)} not applied" if plan else "ok"


def _broker() -> str:
    try:
        with celery_app.connection_for_write(connect_timeout=_BROKER_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, timeout=_BROKER_SECONDS)
    except (BrokerError, OSError):
        return "no connection"
    return "ok"
