"""Calibrate a worker's machine regularly, and record the results."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import psycopg
import structlog
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db import Error as DatabaseError
from django.db.backends.postgresql.base import DatabaseWrapper

from optarena import limits
from optarena.specs import calibration_version
from runner import conf
from runner.clock import database_now, storable
from runner.errors import LeaseLostError, MachineLockError, NotCalibratedError
from runner.machines import machine_use
from runner.machines.calibration import LEAST_HISTORY, Calibrated, calibrate
from runner.models import RUNNING, Calibration, Runner, State, Verification
from runner.queue.leases import Lease, give_back
from runner.selectors import calibration_history

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from runner.machines.machine import Machine

_DRIFTED: Final = "infra:runner-drifted"
_log = structlog.get_logger(__name__)


def record_calibration(
    *, name: str, hardware_class: str, machine: Machine, calibrated: Calibrated, now: datetime | None = None
) -> Calibration:
    return Calibration.objects.create(
        name=name,
        hardware_class=hardware_class,
        at=now or database_now(),
        machine=machine.identity,
        fingerprint=storable(machine.fingerprint),
        version=calibrated.version,
        vector=storable(calibrated.vector),
        conditions=storable(calibrated.conditions),
        tries=calibrated.tries,
        drift=storable(calibrated.drift),
    )


def pause_drifted(*, runner_id: int, reason: str, now: datetime | None = None) -> int:
    # The pause comes first, so the worker takes no work meanwhile. Its work is queued again at no attempt's
    # cost, without the blocks that it measured.
    at = now or database_now()
    able = Runner.objects.filter(pk=runner_id, paused_at__isnull=True)
    if able.update(paused_at=at, pause_reason=storable(reason)):
        _log.warning("this worker pauses", reason=reason)
    running = Verification.objects.filter(runner=runner_id, state__in=RUNNING)
    return sum(_given_back(row, reason, now) for row in running.order_by("pk"))


def _given_back(row: Verification, reason: str, now: datetime | None) -> bool:
    try:
        with transaction.atomic():
            Verification.objects.filter(pk=row.pk, lease_token=row.lease_token).update(kept_blocks=None)
            give_back(lease=Lease.of(row), reason=_DRIFTED, detail=reason, now=now)
    except LeaseLostError:  # it ended just now
        return False
    return True


T = TypeVar("T")


def with_connection(act: Callable[[], T]) -> T:
    # A worker's main process may fork its pool's processes at any time, and these would share a pool of
    # connections. So its threads have connections outside Django's pool, and only while they work.
    connections[DEFAULT_DB_ALIAS] = _plain_connection()
    try:
        return act()
    finally:
        connection.close()


class _PlainWrapper(DatabaseWrapper):
    # Without a pool, Django gives no choice of the connection's class: this one is the pool's.
    connection_class: type[psycopg.Connection[Any]] = psycopg.Connection

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        return self.connection_class.connect(**conn_params)


def _plain_connection() -> _PlainWrapper:
    given = connections.settings[DEFAULT_DB_ALIAS]
    options = {**given["OPTIONS"], "connect_timeout": conf.DATABASE_CONNECT_SECONDS}
    pool = options.pop("pool", {})
    wrapper = _PlainWrapper({**given, "OPTIONS": options}, DEFAULT_DB_ALIAS)
    wrapper.connection_class = pool.get("connection_class", psycopg.Connection)
    return wrapper


class Calibrator:
    def __init__(self, name: str, hardware_class: str) -> None:
        self.name = name[: limits.WORKER_NAME_LENGTH]
        self.hardware_class = hardware_class
        self.drift = ""
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def before_work(self, machine: Machine) -> str:
        # Calibrate only if that can show a drift, or that one has ended.
        if not conf.calibration_seconds():
            return self.drift
        if self.drift or (
            self._is_due() and len(self._history(machine, calibration_version())) >= LEAST_HISTORY
        ):
            self._measure(machine)
        return self.drift

    def beside_work(self, machine: Machine, runner_id: int) -> None:
        if not self._is_due() or (self._thread and self._thread.is_alive()) or _is_in_use(runner_id):
            return
        self._thread = threading.Thread(
            target=self._carry, args=(machine, runner_id), name="calibration", daemon=True
        )
        self._thread.start()

    def _is_due(self) -> bool:
        return conf.calibration_seconds() > 0 and time.monotonic() >= self._next

    def _carry(self, machine: Machine, runner_id: int) -> None:
        try:
            with_connection(partial(self._measure_and_pause, machine, runner_id))
        except DatabaseError as error:
            _log.warning("a calibration is not stored", error=str(error))
            self._next = time.monotonic() + conf.heartbeat_seconds()
        except Exception:  # noqa: BLE001 # logged; the worker goes on, and calibrates again later
            _log.exception("calibrating failed")
            self._next = time.monotonic() + conf.CALIBRATION_RETRY_SECONDS

    def _measure_and_pause(self, machine: Machine, runner_id: int) -> None:
        self._measure(machine)
        if self.drift:
            pause_drifted(runner_id=runner_id, reason=self.drift)

    def _measure(self, machine: Machine) -> None:
        try:
            found = calibrate(partial(self._history, machine))
        except NotCalibratedError as error:
            _log.warning("not calibrated", error=str(error))
            self._next = time.monotonic() + min(conf.CALIBRATION_RETRY_SECONDS, conf.calibration_seconds())
            return
        record_calibration(
            name=self.name, hardware_class=self.hardware_class, machine=machine, calibrated=found
        )
        self._next = time.monotonic() + conf.calibration_seconds()
        self.drift = found.drift
        _log.info("calibrated", tries=found.tries, drift=found.drift, seconds=found.times)

    def _history(self, machine: Machine, version: str) -> list[dict[str, float]]:
        return calibration_history(
            name=self.name, hardware_class=self.hardware_class, machine=machine.identity, version=version
        )


def _is_in_use(runner_id: int) -> bool:
    try:
        if machine_use.is_taken():
            return True
    except MachineLockError:  # the worker's next replay ends with it, and says why
        return True
    return Verification.objects.filter(runner=runner_id, state=State.MEASURING).exists()
