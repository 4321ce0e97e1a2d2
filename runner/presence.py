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
    """One worker's life, as others see it. Nothing that happens to the database ends the worker."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hardware_class = conf.own_hardware_class()
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
        connections[DEFAULT_DB_ALIAS] = _plain_connection()
        machine = describe()
        _log.info("runner", name=self.name, hardware_class=self.hardware_class, **machine.fingerprint)
        while True:
            self._write(lambda: self._beat(machine))
            if self._stop.wait(conf.heartbeat_seconds()):
                break
        self._write(self._leave)

    def _beat(self, machine: Machine) -> None:
        if self._runner_id is None or not services.renew_runner(runner_id=self._runner_id):
            runner = services.announce_runner(
                name=self.name, hardware_class=self.hardware_class, machine=machine
            )
            self._runner_id = runner.pk

    def _leave(self) -> None:
        if self._runner_id is not None:
            services.dismiss_runner(runner_id=self._runner_id)

    def _write(self, write: Callable[[], None]) -> None:
        try:
            write()
        except DatabaseError as error:
            _log.warning("the database does not hear that this worker is there", error=str(error))
        finally:
            connection.close()


def _plain_connection() -> BaseDatabaseWrapper:
    given = connections.settings[DEFAULT_DB_ALIAS]
    options = {name: value for name, value in given["OPTIONS"].items() if name != "pool"}
    settings = {**given, "OPTIONS": {**options, "connect_timeout": _CONNECT_SECONDS}}
    wrapper: BaseDatabaseWrapper = load_backend(given["ENGINE"]).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
    return wrapper
