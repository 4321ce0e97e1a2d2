"""A worker's main process reports that it is live, from a thread of its own, for as long as it runs.

Celery's signals start and stop the thread (``runner.workers``).
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

import structlog
from django.db import Error as DatabaseError

from runner import conf, services
from runner.calibrator import Calibrator
from runner.machine import describe
from runner.plain_connections import with_connection
from runner.selectors import unlike_models
from runner.self_test import examine_worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from runner.machine import Machine
    from runner.self_test import SelfTest

STOP_SECONDS: Final = 5.0
"""For how long a stopping worker waits for its last report."""

_log = structlog.get_logger(__name__)


class Waits:
    """The time until a paused worker tests itself again; it grows while that does not help."""

    def __init__(self) -> None:
        self._failed = 0
        self._pauses = 0
        self._passed_at: float | None = None
        self._until: float | None = None

    def over(self) -> bool:
        """Whether it is time for the next test; the first question in a pause begins the wait."""
        now = time.monotonic()
        if self._until is None:
            remembered = conf.PAUSE_REMEMBERED.total_seconds()
            again = self._passed_at is not None and now - self._passed_at < remembered
            self._pauses = self._pauses + 1 if again else 0
            doublings = min(self._failed, conf.SELF_TEST_DOUBLINGS) or min(self._pauses, conf.PAUSE_DOUBLINGS)
            self._until = now + conf.heartbeat_seconds() * 2**doublings
        return now >= self._until

    def note(self, *, passed: bool) -> None:
        """The worker has tested itself."""
        was_paused, self._until = self._until is not None, None
        self._failed = 0 if passed else self._failed + 1
        self._passed_at = time.monotonic() if passed and was_paused else None


class Presence:
    """Reports one worker's life. No error here ends the worker or the thread."""

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
        """Start to report."""
        self._thread.start()

    def stop(self) -> None:
        """Report that the worker ends; without a database, it counts as lost after a lease's time."""
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        interval = conf.heartbeat_seconds()
        while True:
            self._attempt(self._beat)
            if self._stop.wait(interval):
                break
        self._attempt(self._leave)

    def _beat(self) -> None:
        runner = None if self._runner_id is None else services.renew_runner(runner_id=self._runner_id)
        if runner is None:
            self._appear()
        elif runner.paused_at is None:
            self._calibrator.beside_work(self._described(), runner.pk)
        elif self._waits.over():
            self._test_again(runner.pk)

    def _appear(self) -> None:
        tested, drift = self._tested()
        runner = services.announce_runner(
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
        services.record_self_test(runner_id=runner_id, tested=tested, drift=drift)
        if tested.passed and not drift:
            self._begin(runner_id)

    def _begin(self, runner_id: int) -> None:
        """Look for work that was requested while no worker was live: the sweeper wakes only live ones."""
        services.wake_oldest()
        self._calibrator.beside_work(self._described(), runner_id)

    def _tested(self) -> tuple[SelfTest, str]:
        """The worker's test of itself and, if it passes, why its times are not comparable."""
        tested = examine_worker(self.hardware_class)
        if tested.passed:
            _log.info("self-test passed", seconds=tested.seconds)
        else:
            _log.error("self-test failed: this worker takes no work", checks=tested.as_dict()["checks"])
        drift = self._unlike_others() if tested.passed else ""
        if drift:
            _log.error("the machine has changed, or is unlike others: this worker takes no work", drift=drift)
        self._waits.note(passed=tested.passed and not drift)
        return tested, drift

    def _unlike_others(self) -> str:
        """Why its times are not comparable with others of its class, for everybody; empty if they are."""
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
            services.dismiss_runner(runner_id=self._runner_id)

    def _attempt(self, act: Callable[[], None]) -> None:
        try:
            with_connection(act)
        except DatabaseError as error:
            _log.warning("cannot report to the database that this worker is live", error=str(error))
        except Exception:  # noqa: BLE001 - logged; if the thread ended, a live worker would count as lost
            _log.exception("reporting that this worker is live failed")
