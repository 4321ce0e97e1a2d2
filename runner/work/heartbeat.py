"""Renews a lease from a thread of its own, reports its loss, and outlasts restarts of the database.

The thread has its own database connection. A worker that cannot reach the database gives up by itself
when its lease may have expired, so that it never works beside its successor for long.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Self, TypeVar

import structlog
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection

from runner import conf
from runner.errors import LeaseLostError
from runner.queue.leases import Lease, heartbeat
from runner.queue.studies import StudyLease, renew_study

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

T = TypeVar("T")
_log = structlog.get_logger(__name__)


class Heart:
    # check raises as soon as the lease is lost. write is called at each beat, in the thread of the heart.
    def __init__(self, lease: Lease | StudyLease, write: Callable[[], None] = lambda: None) -> None:
        self._lease = lease
        self._write = write
        self._interval = conf.heartbeat_seconds()
        self._lease_seconds = conf.lease_time().total_seconds()
        self._deadline = time.monotonic() + self._lease_seconds
        self._lost = threading.Event()
        self._stop = threading.Event()
        self._work = lease.verification_id if isinstance(lease, Lease) else lease.study_id
        name = f"heart-{self._work}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def check(self) -> None:
        if self._lost.is_set() or time.monotonic() >= self._deadline:
            raise LeaseLostError(f"The lease of {self._work} is lost.")

    def insist(self, act: Callable[[], T], *, seconds: float = math.inf) -> T:
        # Again and again while the database restarts. A write whose answer was lost is repeated: it then
        # finds its own result, or a lease that has ended.
        until = time.monotonic() + seconds
        while True:
            self.check()
            try:
                return act()
            except (OperationalError, InterfaceError) as error:
                if time.monotonic() >= until:
                    raise
                _log.warning("the database does not answer", lease=str(self._work), error=str(error))
                connection.close()
                time.sleep(conf.DATABASE_RETRY_SECONDS)

    def _run(self) -> None:
        try:
            # The first beat comes early: the lease may have waited for this thread. It does not come at once,
            # since most replays of small programs end before, and so need no connection for it.
            pause = min(self._interval, conf.PROGRESS_SECONDS)
            while not self._lost.is_set() and not self._stop.wait(pause):
                pause = self._beat()
        finally:
            connection.close()

    def _beat(self) -> float:
        # Returns the seconds until the next beat.
        began = time.monotonic()
        try:
            self._renew()
            self._write()
        except LeaseLostError:
            self._lost.set()
            return 0.0
        except DatabaseError as error:
            _log.warning("heartbeat failed", lease=str(self._work), error=str(error))
            connection.close()
            return min(self._interval, conf.DATABASE_RETRY_SECONDS)
        self._deadline = began + self._lease_seconds
        return self._interval

    def _renew(self) -> None:
        if isinstance(self._lease, Lease):
            heartbeat(lease=self._lease)
        else:
            renew_study(lease=self._lease)
