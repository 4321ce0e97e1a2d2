"""A worker's main process says that it is there, from a thread of its own, for as long as it runs.

Celery's signals begin and end it (``runner.workers``). The main process forks its pool's processes at any
time, and one forked with a pool of connections would share them: so the thread has a connection outside of
Django's pool, and only while it writes.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import structlog
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db import Error as DatabaseError
from django.db.utils import load_backend

from runner import conf, services
from runner.machine import describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.base.base import BaseDatabaseWrapper

    from runner.machine import Machine

STOP_SECONDS: Final = 5.0
"""For how long a worker that stops waits for its last sign of life."""

_CONNECT_SECONDS: Final = 5
_log = structlog.get_logger(__name__)


class Presence:
    """One worker's life, as others see it. Nothing that happens to it ends the worker, or itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hardware_class = conf.own_hardware_class()
        self._machine: Machine | None = None
        self._runner_id: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def start(self) -> None:
        """Begin to say it."""
        self._thread.start()

    def stop(self) -> None:
        """Say that the worker ends; where the database is away, it is missed a lease's time later."""
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
        if self._runner_id is None or not services.renew_runner(runner_id=self._runner_id):
            self._appear()

    def _appear(self) -> None:
        machine = self._described()
        runner = services.announce_runner(name=self.name, hardware_class=self.hardware_class, machine=machine)
        self._runner_id = runner.pk
        # What was asked for while nobody was there: the sweeper wakes only those who are.
        services.wake_oldest(self.hardware_class)

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
            _with_connection(act)
        except DatabaseError as error:
            _log.warning("the database does not hear that this worker is there", error=str(error))
        except Exception:  # noqa: BLE001 - logged; a thread that ended would hide a worker that works
            _log.exception("this worker could not say that it is there")


def _with_connection(act: Callable[[], None]) -> None:
    connections[DEFAULT_DB_ALIAS] = _plain_connection()
    try:
        act()
    finally:
        connection.close()


def _plain_connection() -> BaseDatabaseWrapper:
    given = connections.settings[DEFAULT_DB_ALIAS]
    options = {name: value for name, value in given["OPTIONS"].items() if name != "pool"}
    settings = {**given, "OPTIONS": {**options, "connect_timeout": _CONNECT_SECONDS}}
    wrapper: BaseDatabaseWrapper = load_backend(given["ENGINE"]).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
    return wrapper
