"""Health checks, and metrics for Prometheus, read from the database when they are asked for.

Any web process answers for the whole installation. Metrics name accounts by number and machines by class
only; even so, they are served to holders of a token.
"""

from __future__ import annotations

import hmac
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg
import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from kombu.exceptions import OperationalError as BrokerError
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from redis.exceptions import RedisError, ResponseError

from leaderboard.celery import app as celery_app
from leaderboard.common.connections import connection_class
from leaderboard.common.problems import OUTAGE
from runner.database import database_now
from runner.queue import figures
from runner.selectors import QueueDepth, last_calibration, live_runners, queue_depths

if TYPE_CHECKING:
    Samples = Iterable[tuple[Sequence[str], float]]

OK: Final = "ok"
NO_CONNECTION: Final = "no connection"
_BROKER_SECONDS: Final = 2
_DATABASE_SECONDS: Final = 2
_Connection: Final = connection_class(_DATABASE_SECONDS)
_KEPT_SECONDS: Final = 1.0
_KEY: Final = "optarena:ready"
_log = structlog.get_logger(__name__)


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes a request
    return JsonResponse({"status": OK})


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view takes a request
    """Say what is missing. What the embedded server's supervisor has given up is named, and pages go on."""
    checks = READINESS.checks()
    ready = all(answer == OK for answer in checks.values())
    stopped: list[str] = []
    with suppress(OSError):  # the supervisor writes the names of these processes into a file
        stopped = Path(settings.OPTARENA_GIVEN_UP).read_text(encoding="utf-8").splitlines()
    status = ("degraded" if stopped else OK) if ready else "unavailable"
    body = {"status": status, "checks": checks} | ({"stopped": stopped} if stopped else {})
    return JsonResponse(body, status=200 if ready else 503)


class Readiness:
    """Answers that are kept for a second: whoever asks often costs nothing more."""

    def __init__(self) -> None:
        self._checking = threading.Lock()
        self._answers: dict[str, str] = {"database": "not checked yet"}
        self._until = 0.0

    def checks(self) -> dict[str, str]:
        """Return new answers, or the last ones while another caller waits for new ones."""
        if time.monotonic() >= self._until and self._checking.acquire(blocking=False):
            try:
                self._answers = _answers()
                self._until = time.monotonic() + _KEPT_SECONDS
            finally:
                self._checking.release()
        return self._answers


READINESS: Final = Readiness()


def _answers() -> dict[str, str]:
    folder = settings.OPTARENA_BLOB_ROOT
    programs = OK
    if not Path(folder).is_dir():
        programs = "the folder OPTARENA_BLOB_ROOT does not exist"
    elif not os.access(folder, os.R_OK | os.X_OK):
        programs = "the folder OPTARENA_BLOB_ROOT cannot be read"
    checks = {"database": _database(), "broker": _broker(), "programs": programs, "disk": _disk()}
    checks["migrations"] = "unknown"
    if checks["database"] != NO_CONNECTION:
        with suppress(DatabaseError):
            executor = MigrationExecutor(connection)
            plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
            checks["migrations"] = f"{len(plan)} not applied" if plan else OK
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


# The embedded server's database is on the same disk as the stored programs.
def _disk() -> str:
    folder = Path(settings.OPTARENA_BLOB_ROOT)
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    free, wanted = shutil.disk_usage(folder).free // 2**20, settings.OPTARENA_DISK_FLOOR_MB
    return OK if free >= wanted else f"{free} MB free; at least {wanted} MB are needed"


_SCHEME: Final = "Bearer "
_BY_CLASS: Final = ("hardware_class",)


def _family(
    name: str,
    text: str,
    labels: Sequence[str],
    samples: Samples,
    kind: type[GaugeMetricFamily | CounterMetricFamily] = GaugeMetricFamily,
) -> Metric:
    family = kind(f"optarena_{name}", text, labels=labels)
    for values, number in samples:
        family.add_metric(values, number)
    return family


class _Installation(Collector):
    def collect(self) -> Iterator[Metric]:
        depths, now = queue_depths(), database_now()
        yield from _queue(depths, now)
        yield _runners(depths)
        yield from _calibrations(now)
        text = "Verifications that ended, by state and reason."
        yield _family("verifications", text, ("state", "reason"), figures.ends(), CounterMetricFamily)
        text = "Leases that were taken in the last hour from a worker that did not renew them."
        yield GaugeMetricFamily("optarena_lost_leases_last_hour", text, value=figures.lost_leases())
        yield from _phases()


def _queue(depths: Sequence[QueueDepth], now: datetime) -> Iterator[Metric]:
    queued = [((one.hardware_class,), one.queued) for one in depths]
    running = [((one.hardware_class,), one.running) for one in depths]
    waiting = [(one.hardware_class, one.oldest_queued_at) for one in depths]
    ages = [((name,), (now - oldest).total_seconds()) for name, oldest in waiting if oldest is not None]
    yield _family("queued", "Verifications that wait.", _BY_CLASS, queued)
    yield _family("running", "Verifications that a worker replays.", _BY_CLASS, running)
    yield _family("oldest_queued_seconds", "Age of the oldest one that waits.", _BY_CLASS, ages)
    lines, labels = figures.longest_lines(), ("hardware_class", "payer")
    counts = [((one.hardware_class, one.payer), one.number) for one in lines]
    line_ages = [((one.hardware_class, one.payer), (now - one.oldest_at).total_seconds()) for one in lines]
    text = "Verifications that wait for a payer, for the longest lines."
    yield _family("payer_queued", text, labels, counts)
    yield _family("payer_oldest_queued_seconds", "Age of the oldest one of such a line.", labels, line_ages)


def _runners(depths: Sequence[QueueDepth]) -> Metric:
    counts = Counter(
        (hardware_class, "no" if paused_at is None else "yes")
        for hardware_class, paused_at in live_runners().values_list("hardware_class", "paused_at")
    )
    for line in depths:  # a class with work and without a worker has none, which is worth an alarm
        counts[line.hardware_class, "no"] += 0
    return _family(
        "runners", "Live workers, paused or not.", ("hardware_class", "paused"), sorted(counts.items())
    )


def _calibrations(now: datetime) -> Iterator[Metric]:
    live = live_runners().annotate(at=last_calibration("at"), drift=last_calibration("drift"))
    oldest: dict[str, float] = {}
    changed: Counter[str] = Counter()
    for name, at, drift in live.values_list("hardware_class", "at", "drift"):
        if at is not None:
            oldest[name] = max(oldest.get(name, 0.0), (now - at).total_seconds())
            changed[name] += bool(drift)
    ages = [((name,), age) for name, age in sorted(oldest.items())]
    drifted = [((name,), changed[name]) for name in sorted(oldest)]
    text = "Age of the last calibration of the live worker whose is oldest."
    yield _family("calibration_oldest_seconds", text, _BY_CLASS, ages)
    text = "Live workers whose last calibration shows that their machine has changed."
    yield _family("drifted_runners", text, _BY_CLASS, drifted)


def _phases() -> Iterator[Metric]:
    phases = figures.phase_times()
    counts = [((one.phase,), one.number) for one in phases]
    seconds = [((one.phase,), one.total) for one in phases]
    quantiles = [
        ((one.phase, name), value)
        for one in phases
        for name, value in (("0.5", one.median), ("0.95", one.slow))
    ]
    yield _family("phase_last_hour", "Phases that ended in the last hour.", ("phase",), counts)
    yield _family("phase_last_hour_seconds", "All their seconds.", ("phase",), seconds)
    text = "Seconds of a phase, over the last hour."
    yield _family("phase_last_hour_quantile_seconds", text, ("phase", "quantile"), quantiles)


_registry: Final = CollectorRegistry(auto_describe=False)
_registry.register(_Installation())


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Serve the figures. Without a token on the server the page does not exist."""
    token: str = settings.OPTARENA_METRICS_TOKEN
    if not token:
        raise Http404("This server serves no metrics; its operator can set OPTARENA_METRICS_TOKEN.")
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"{_SCHEME}{token}".encode()):
        refused = HttpResponse("Send the header 'Authorization: Bearer <token>'.\n", status=401)
        refused["Content-Type"] = "text/plain; charset=utf-8"
        refused["WWW-Authenticate"] = _SCHEME.strip()
        return refused
    return HttpResponse(generate_latest(_registry), content_type=CONTENT_TYPE_LATEST)
