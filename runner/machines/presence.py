"""Announce a worker, renew its presence, calibrate its machine regularly, and test itself."""

from __future__ import annotations

import os
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

import psycopg
import structlog
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db import Error as DatabaseError
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from datasets import store
from optarena import limits
from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from optarena.specs import calibration_version
from runner import conf
from runner.database import database_now, storable
from runner.errors import LeaseLostError, MachineLockError, NotCalibratedError, UnsuitableWorkerError
from runner.machines import machine_use
from runner.machines.calibration import LEAST_HISTORY, Calibrated, calibrate
from runner.machines.machine import Machine, check_device, describe
from runner.models import RUNNING, Calibration, Runner, State, Verification
from runner.queue import wakeups
from runner.queue.leases import Lease, give_back
from runner.queue.transitions import in_lock_order
from runner.queue.wakeups import own_digests
from runner.selectors import calibration_history, unlike_models

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


def pause_drifted(*, runner_id: int, reason: str) -> int:
    # The pause comes first, so the worker takes no work meanwhile. Its work is queued again at no attempt's
    # cost, without the blocks that it measured.
    able = Runner.objects.filter(pk=runner_id, paused_at__isnull=True)
    if able.update(paused_at=database_now(), pause_reason=storable(reason)):
        _log.warning("this worker pauses", reason=reason)
    running = Verification.objects.filter(runner=runner_id, state__in=RUNNING)
    return sum(_given_back(row, reason) for row in running.order_by("pk"))


def _given_back(row: Verification, reason: str) -> bool:
    try:
        with transaction.atomic():
            Verification.objects.filter(pk=row.pk, lease_token=row.lease_token).update(kept_blocks=None)
            give_back(lease=Lease.of(row), reason=_DRIFTED, detail=reason)
    except LeaseLostError:  # it ended just now
        return False
    return True


def with_connection(act: Callable[[], object]) -> None:
    # A worker's main process may fork its pool's processes at any time, and these would share a pool of
    # connections. So its threads have connections outside Django's pool, and only while they work.
    connections[DEFAULT_DB_ALIAS] = _plain_connection()
    try:
        act()
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


@transaction.atomic
def announce_runner(  # noqa: PLR0913 - all by keyword
    *,
    name: str,
    hardware_class: str,
    machine: Machine,
    processes: int = 1,
    life: uuid.UUID | None = None,
    tested: SelfTest | None = None,
    drift: str = "",
    now: datetime | None = None,
) -> Runner:
    # life identifies the worker to its own processes. drift says how its machine has changed, for everybody.
    at = now or database_now()
    drift = drift or (_unlike_others(hardware_class, machine.fingerprint) if tested else "")
    gone = Q(stopped_at__isnull=False) | Q(seen_at__lte=at - conf.lease_time())
    former = gone & Q(name=name, hardware_class=hardware_class) | Q(seen_at__lte=at - conf.RUNNER_KEPT)
    # Lives that have replayed something stay.
    Runner.objects.filter(former, ~Exists(Verification.objects.filter(runner=OuterRef("pk")))).delete()
    values = {
        "name": name[: limits.WORKER_NAME_LENGTH],
        "hardware_class": hardware_class,
        "fingerprint": storable(machine.fingerprint),
        "versions": storable(machine.versions),
        "processes": processes,
        "started_at": at,
        "seen_at": at,
        "stopped_at": None,
        "digests": own_digests(),
        **(_tested(tested, drift, at) if tested else {}),
    }
    if life is None:
        return Runner.objects.create(**values)
    # A worker repeats a report whose answer it lost.
    return Runner.objects.update_or_create(life=life, defaults=values)[0]


def _unlike_others(hardware_class: str, fingerprint: Mapping[str, Any]) -> str:
    # Of two workers with different models that appear at once, one sees the other.
    if conf.device_of(hardware_class) is None:
        return ""
    with connection.cursor() as cursor:  # until the end of the transaction
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"models of {hardware_class}"])
    return unlike_models(hardware_class, fingerprint)


def renew_runner(*, runner_id: int, now: datetime | None = None) -> Runner | None:
    # None if the database does not know it, as a restored one may not: the worker has to register again.
    at = now or database_now()
    Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=None)
    return Runner.objects.filter(pk=runner_id).first()


@transaction.atomic
def record_self_test(*, runner_id: int, tested: SelfTest, drift: str = "") -> None:
    # If the test failed, the failures before it were the worker's: they cost the work no attempt.
    if not tested.passed:
        _restore_attempts(runner_id)
    for row in Runner.objects.filter(pk=runner_id).only("hardware_class", "fingerprint"):
        drift = drift or _unlike_others(row.hardware_class, row.fingerprint)
    values = _tested(tested, drift, database_now())
    if values["paused_at"] is not None:
        values["paused_at"] = Coalesce("paused_at", values["paused_at"])
    Runner.objects.filter(pk=runner_id).update(faults=[], **values)


def _tested(tested: SelfTest, drift: str, now: datetime) -> dict[str, Any]:
    return {
        "self_test": storable({**tested.as_dict(), "at": now.isoformat()}),
        "paused_at": None if tested.passed and not drift else now,
        "pause_reason": storable(tested.problem or drift),
    }


def _restore_attempts(runner_id: int) -> None:
    for faults in Runner.objects.filter(pk=runner_id).values_list("faults", flat=True):
        # What another worker has leased since is that one's: a role of its own may not change it.
        failed = Verification.objects.filter(
            pk__in=faults, state=State.QUEUED, attempt__gt=0, runner=runner_id
        )
        rows = [row.pk for row in in_lock_order(failed)]
        Verification.objects.filter(pk__in=rows).update(attempt=F("attempt") - 1)


def dismiss_runner(*, runner_id: int, now: datetime | None = None) -> None:
    at = now or database_now()
    Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=at)


_COMMAND: Final = (sys.executable, "-s", "-P", "-m", "optarena.self_test")
_LAST_WORDS: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    checks: Sequence[dict[str, Any]]
    seconds: float

    @property
    def passed(self) -> bool:
        return bool(self.checks) and all(check["ok"] for check in self.checks)

    @property
    def problem(self) -> str:
        # For everybody: without the paths and the messages of the machine.
        failed = ", ".join(check["name"] for check in self.checks if not check["ok"])
        return f"The worker's self-test failed: {failed}." if failed else ""

    def as_dict(self) -> dict[str, Any]:
        return {"passed": self.passed, "seconds": self.seconds, "checks": list(self.checks)}


def examine_worker(hardware: str) -> SelfTest:
    began = time.monotonic()
    checks = _device(hardware)
    if all(check["ok"] for check in checks):
        checks += _asked(hardware)
    return SelfTest(checks=checks, seconds=round(time.monotonic() - began, 3))


def _device(hardware: str) -> list[dict[str, Any]]:
    if conf.device_of(hardware) is None:
        return []
    try:
        check_device(hardware)
    except UnsuitableWorkerError as error:
        return [_check("device", str(error))]
    return [_check("device")]


def _asked(hardware: str) -> list[dict[str, Any]]:
    device = conf.device_of(hardware)
    order = {
        "parent": os.getpid(),
        "readable": [str(store.folder())],
        "device": device.name if device else "",
    }
    try:
        answer: list[dict[str, Any]] = folders.ask(
            _COMMAND, order, seconds=conf.SELF_TEST_SECONDS, inherited=(PLUGINS_VARIABLE, memory.VARIABLE)
        )
    except TimeoutError as error:
        return [_check("time", str(error))]
    except OSError as error:
        return [_check("process", str(error))]
    return answer


def _check(name: str, problem: str = "") -> dict[str, Any]:
    return {"name": name, "ok": not problem, "detail": problem[-_LAST_WORDS:], "seconds": 0.0}


class Waits:
    """The wait of a paused worker before its next test, which grows while tests do not help."""

    def __init__(self) -> None:
        self._failed = 0
        self._pauses = 0
        self._passed_at: float | None = None
        self._until: float | None = None

    def over(self) -> bool:
        # The first question in a pause begins the wait.
        now = time.monotonic()
        if self._until is None:
            remembered = conf.PAUSE_REMEMBERED.total_seconds()
            again = self._passed_at is not None and now - self._passed_at < remembered
            self._pauses = self._pauses + 1 if again else 0
            doublings = min(self._failed, conf.SELF_TEST_DOUBLINGS) or min(self._pauses, conf.PAUSE_DOUBLINGS)
            self._until = now + conf.heartbeat_seconds() * 2**doublings
        return now >= self._until

    def record_test(self, *, passed: bool) -> None:
        was_paused, self._until = self._until is not None, None
        self._failed = 0 if passed else self._failed + 1
        self._passed_at = time.monotonic() if passed and was_paused else None


class Presence:
    """Reports a worker. No error here ends the worker or the thread."""

    def __init__(self, name: str, processes: int = 1, life: UUID | None = None) -> None:
        self.name = name
        self.processes = processes
        self.life = life
        self.hardware_class = conf.own_hardware_class()
        self._machine: Machine | None = None
        self._runner_id: int | None = None
        self._waits = Waits()
        self._calibrator = Calibrator(name, self.hardware_class)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(conf.STOP_SECONDS)

    def _run(self) -> None:
        interval = conf.heartbeat_seconds()
        while True:
            self._attempt(self._beat)
            if self._stop.wait(interval):
                break
        self._attempt(self._leave)

    def _beat(self) -> None:
        runner = None if self._runner_id is None else renew_runner(runner_id=self._runner_id)
        if runner is None:
            self._appear()
        elif runner.paused_at is None:
            self._calibrator.beside_work(self._described(), runner.pk)
        elif self._waits.over():
            self._test_again(runner.pk)

    def _appear(self) -> None:
        tested, drift = self._tested()
        runner = announce_runner(
            name=self.name,
            hardware_class=self.hardware_class,
            machine=self._described(),
            processes=self.processes,
            life=self.life,
            tested=tested,
            drift=drift,
        )
        self._runner_id = runner.pk
        if runner.paused_at is None:
            self._begin(runner.pk)

    def _test_again(self, runner_id: int) -> None:
        tested, drift = self._tested()
        record_self_test(runner_id=runner_id, tested=tested, drift=drift)
        if tested.passed and not drift:
            self._begin(runner_id)

    def _begin(self, runner_id: int) -> None:
        # Work may have been requested while no worker was live: the sweeper wakes only live ones.
        if not wakeups.wake_oldest():  # a later beat calibrates beside the work
            self._calibrator.beside_work(self._described(), runner_id)

    def _tested(self) -> tuple[SelfTest, str]:
        # Why its times are not comparable matters only if it passes.
        tested = examine_worker(self.hardware_class)
        if tested.passed:
            _log.info("self-test passed", seconds=tested.seconds)
        else:
            _log.error("self-test failed: this worker takes no work", checks=tested.as_dict()["checks"])
        drift = self._unlike_others() if tested.passed else ""
        if drift:
            _log.error("the machine has changed, or is unlike others: this worker takes no work", drift=drift)
        self._waits.record_test(passed=tested.passed and not drift)
        return tested, drift

    def _unlike_others(self) -> str:
        described = self._described()
        other_model = unlike_models(self.hardware_class, described.fingerprint)
        return other_model or self._calibrator.before_work(described)

    def _described(self) -> Machine:
        if self._machine is None:
            self._machine = describe()
            _log.info(
                "runner", name=self.name, hardware_class=self.hardware_class, **self._machine.fingerprint
            )
        return self._machine

    def _leave(self) -> None:
        if self._runner_id is not None:
            dismiss_runner(runner_id=self._runner_id)

    def _attempt(self, act: Callable[[], None]) -> None:
        try:
            with_connection(act)
        except DatabaseError as error:
            _log.warning("cannot report to the database that this worker is live", error=str(error))
        except Exception:  # noqa: BLE001 - logged; if the thread ended, a live worker would count as lost
            _log.exception("reporting that this worker is live failed")
