"""A worker's main process reports that it is live, from a thread of its own, for as long as it runs.

Celery's signals start and stop the thread (``runner.workers``). The main process may fork its pool's
processes at any time, and these would share a pool of connections. So the thread uses a connection outside
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
"""For how long a stopping worker waits for its last report."""

_CONNECT_SECONDS: Final = 5
_log = structlog.get_logger(__name__)


class Presence:
    """Reports one worker's life. No error here ends the worker or the thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hardware_class = conf.own_hardware_class()
        self._machine: Machine | None = None
        self._runner_id: int | None = None
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
        if self._runner_id is None or not services.renew_runner(runner_id=self._runner_id):
            self._appear()

    def _appear(self) -> None:
        machine = self._described()
        runner = services.announce_runner(name=self.name, hardware_class=self.hardware_class, machine=machine)
        self._runner_id = runner.pk
        # For work requested while no worker was live: the sweeper wakes only live ones.
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
            _log.warning("cannot report to the database that this worker is live", error=str(error))
        except Exception:  # noqa: BLE001 - logged; if the thread ended, a live worker would count as lost
            _log.exception("reporting that this worker is live failed")


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
