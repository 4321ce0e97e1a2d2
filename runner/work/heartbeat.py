"""Holds a lease: renews it from a thread of its own, outlasts restarts of the database, and ends it.

The thread has its own database connection. A worker that cannot reach the database gives up by itself
when its lease may have expired, so that it never works beside its successor for long.
"""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final, Self, TypeVar

import structlog
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection

from runner import conf
from runner.errors import EmulatedDeviceError, LeaseLostError, ReplayDeadlineError, UnrepeatableError
from runner.queue import leases
from runner.queue.leases import AttemptReport, Lease
from runner.work.confirmation import INTERNAL, UNREPEATABLE, fault_reason

T = TypeVar("T")
_log = structlog.get_logger(__name__)


class LeaseRenewer:
    """Renews a lease, and calls ``write`` at each beat, in its own thread.

    ``check`` raises as soon as the lease is lost.
    """

    def __init__(self, lease: Lease, write: Callable[[], None] = lambda: None) -> None:
        self._lease = lease
        self._write = write
        self._interval = conf.heartbeat_seconds()
        self._lease_seconds = conf.lease_time().total_seconds()
        self._deadline = time.monotonic() + self._lease_seconds
        self._lost = threading.Event()
        self._stop = threading.Event()
        name = f"heart-{lease.work_id}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def check(self) -> None:
        if self._lost.is_set() or time.monotonic() >= self._deadline:
            raise LeaseLostError(f"The lease of {self._lease.work_id} is lost.")

    def call_database(self, act: Callable[[], T], *, seconds: float = math.inf) -> T:
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
                _log.warning("the database does not answer", lease=str(self._lease.work_id), error=str(error))
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
            leases.heartbeat(lease=self._lease)
            self._write()
        except LeaseLostError:
            self._lost.set()
            return 0.0
        except DatabaseError as error:
            _log.warning("heartbeat failed", lease=str(self._lease.work_id), error=str(error))
            connection.close()
            return min(self._interval, conf.DATABASE_RETRY_SECONDS)
        self._deadline = began + self._lease_seconds
        return self._interval


# Errors that end work for good; after any other one it is tried again.
_FINAL: Final[dict[type[Exception], str]] = {
    EmulatedDeviceError: "infra:emulated-device",
    ReplayDeadlineError: "env:replay-timeout",
    UnrepeatableError: UNREPEATABLE,
}


class LeasedWork(ABC):
    """One lease, from its start to its end."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.heart = LeaseRenewer(lease, self.write_phases)
        study = {} if lease.study_id is None else {"study": str(lease.study_id)}
        self.log = _log.bind(verification=str(lease.verification_id), attempt=lease.attempt, **study)

    @abstractmethod
    def work(self) -> None: ...

    def write_phases(self) -> None:  # noqa: B027 - only a replay has phases
        # At each renewal of the lease, in the renewing thread, and before its end.
        pass

    def report(self, reason: str, detail: str) -> AttemptReport | None:  # noqa: ARG002 - of an attempt, if it is one
        return None

    def carry(self) -> None:
        # Only exceptions that end the process are raised.
        with self.heart:
            try:
                self.work()
            except LeaseLostError:
                self.log.warning("lease lost, work dropped")
            except tuple(_FINAL) as error:
                reason = next(reason for kind, reason in _FINAL.items() if isinstance(error, kind))
                self.log.warning("failed", reason=reason, detail=str(error))
                self._end(leases.fail, reason, str(error), self.report(reason, str(error)))
            except Exception as error:  # it is tried again, and fails after the last retry
                reason = fault_reason(error)
                if reason == INTERNAL:
                    self.log.exception("work broke off")
                detail = f"{type(error).__name__}: {error}"
                self.give_back(reason, detail, self.report(reason, detail))

    def give_back(self, reason: str, detail: str, report: AttemptReport | None) -> None:
        self.log.warning("giving back", reason=reason, detail=detail)
        self._end(leases.give_back, reason, detail, report)

    def _end(
        self, write: Callable[..., None], reason: str, detail: str, report: AttemptReport | None
    ) -> None:
        # The last write after an error; if that fails too, the lease expires.
        try:
            self.heart.call_database(self.write_phases)
            self.heart.call_database(
                lambda: write(lease=self.lease, reason=reason, detail=detail, report=report)
            )
        except LeaseLostError:
            self.log.warning("lease lost, work dropped")
        except Exception:  # the worker goes on; the lease will expire
            self.log.exception("the work could not be given back; its lease will expire")
