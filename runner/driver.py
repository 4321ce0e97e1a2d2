"""Carries out leased verifications: replays, writes progress, then records, fails or gives back.

The replay's child processes get neither this process's environment nor its database connection; their
answers are plain data. After any error here, the row is either ended or queued again, never lost.
"""

from __future__ import annotations

import math
import os
import socket
import time
from typing import TYPE_CHECKING, Final, TypeVar

import structlog
from django.db import Error as AnyDatabaseError
from django.db import InterfaceError, OperationalError, connection

from datasets.selectors import benchmark_for_replay
from optarena.errors import DeviceUnavailable, SandboxUnavailable
from optarena.limits import REPLAY_SECONDS
from optarena.replay import replay
from optarena.specs import environment_spec
from optarena.specs.reasons import REASONS
from runner import conf, services
from runner.errors import (
    EmulatedDeviceError,
    EnvironmentChangedError,
    LeaseLostError,
    ReplayDeadlineError,
)
from runner.heartbeat import Heart
from runner.models import Verification
from runner.services import Lease, ReplayOutcome
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from optarena.datasets import Benchmark
    from optarena.replay import Progress, ReplayResult
    from optarena.specs import DeviceSpec

T = TypeVar("T")
_INTERNAL: Final = "infra:internal"
_EMULATED: Final = "infra:emulated-device"
_log = structlog.get_logger(__name__)


def worker_name() -> str:
    """The name of this process in leases and events."""
    return f"worker {socket.gethostname()}:{os.getpid()}"


def drive(*, verification_id: UUID, worker: str) -> int:
    """Carry out this verification if it is free, and then others that wait for such a machine.

    Because it continues with others, a lost wake-up costs only time. It stops after ``conf.DRAIN_SECONDS``,
    so that a worker can be stopped, and sends a wake-up for the rest.

    Returns:
        The number of verifications that were carried out.
    """
    until = time.monotonic() + conf.DRAIN_SECONDS
    parent = os.getppid()
    lease = services.lease(verification_id=verification_id, worker=worker)
    carried = 0
    while lease is not None:
        LeasedReplay(lease).carry()
        carried += 1
        if time.monotonic() >= until or os.getppid() != parent:
            services.wake_oldest(conf.own_hardware_class())
            break
        lease = services.lease_next(worker=worker)
    return carried


def _imitated(device: DeviceSpec, reason: str, detail: str) -> str:
    """Why no outcome on an emulated device counts, good or bad: a real device might give another one."""
    ended = f" The replay ended with {reason}: {detail}" if reason else ""
    return f"{device.stand_in_variable} is set for this worker, so its device is emulated.{ended}"


class LeasedReplay:
    """One lease, from its start to its end."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.heart = Heart(lease)
        self.phase = State.LEASED
        self.deadline = time.monotonic() + REPLAY_SECONDS
        self.next_report = 0.0
        self.log = _log.bind(verification=str(lease.verification_id), attempt=lease.attempt)

    def carry(self) -> None:
        """Do the work. Only exceptions that end the process are raised."""
        with self.heart:
            try:
                self._finish(self._replay())
            except LeaseLostError:
                self.log.warning("lease lost, work dropped")
            except ReplayDeadlineError as error:
                self._give_up("env:replay-timeout", str(error))
            except SandboxUnavailable as error:
                self._give_back("infra:sandbox-unavailable", error)
            except DeviceUnavailable as error:
                self._give_back("infra:device-unavailable", error)
            except EmulatedDeviceError as error:
                self._give_up(_EMULATED, str(error))
            except EnvironmentChangedError as error:
                self._give_back("infra:environment-changed", error)
            except (
                Exception
            ) as error:  # an error of the infrastructure: tried again, and failed after the last retry
                self.log.exception("replay broke off")
                self._give_back(_INTERNAL, error)

    def _replay(self) -> ReplayResult:
        row = self._load()
        spec = environment_spec(row.environment_version.env_id)
        if spec.digest != row.environment_digest:
            raise EnvironmentChangedError(
                f"{spec.slug} is version {spec.digest[:12]} here, not {row.environment_digest[:12]}."
            )
        benchmark: Benchmark = benchmark_for_replay(row.benchmark, uri=row.benchmark_uri)
        if benchmark.sha256 != row.benchmark_sha256:
            raise EnvironmentChangedError(f"The program of {row.benchmark_uri} has changed.")
        self.log.info("replaying", benchmark=row.benchmark_uri, actions=len(row.actions))
        return replay(
            environment=spec.id,
            benchmark=benchmark,
            actions=row.actions,
            sandbox=True,
            on_progress=self.on_progress,
        )

    def _load(self) -> Verification:
        rows = Verification.objects.select_related("environment_version", "benchmark__blob")
        return rows.get(pk=self.lease.verification_id)

    def on_progress(self, progress: Progress) -> None:
        """Record the replay's progress; raises if the replay must stop.

        Raises:
            LeaseLostError: Another worker has the lease, or the work was cancelled.
            ReplayDeadlineError: The whole replay takes too long.
        """
        self.heart.check()
        if time.monotonic() >= self.deadline:
            raise ReplayDeadlineError(
                f"The replay did not end within {REPLAY_SECONDS} s; it was {progress.phase}, "
                f"{progress.done} of {progress.total}."
            )
        phase = State(progress.phase)
        entered = phase != self.phase
        if entered:
            self._insist(lambda: services.advance(lease=self.lease, to=phase))
            self.phase = phase
        if entered or time.monotonic() >= self.next_report:
            self._report(progress)

    def _report(self, progress: Progress) -> None:
        self.next_report = time.monotonic() + conf.PROGRESS_SECONDS
        try:
            services.report_progress(lease=self.lease, done=progress.done, total=progress.total)
        except AnyDatabaseError as error:
            # Progress is only shown on a page; the heartbeat finds out whether the lease still holds.
            self.log.warning("progress not written", error=str(error))
            connection.close()

    def _finish(self, result: ReplayResult) -> None:
        self.heart.check()
        if imitated := conf.imitated_device():
            raise EmulatedDeviceError(_imitated(imitated, result.reason or "", result.detail))
        outcome = ReplayOutcome(result=result.as_dict(), metrics=result.metrics, sandbox=result.sandbox)
        if not result.ok:
            self._insist(lambda: self._fail(result, outcome))
            return
        if not outcome.metrics or not all(math.isfinite(value) for value in outcome.metrics.values()):
            raise ValueError(f"The replay measured {dict(outcome.metrics)}.")
        self._insist(lambda: services.record(lease=self.lease, outcome=outcome))
        self.log.info("recorded", metrics=dict(outcome.metrics), seconds=round(result.walltime, 3))

    def _fail(self, result: ReplayResult, outcome: ReplayOutcome) -> None:
        reason = result.reason or ""
        if reason not in REASONS:
            raise ValueError(f"The replay failed for {reason!r}, which is not a reason id: {result.detail}")
        services.fail(lease=self.lease, reason=reason, detail=result.detail, outcome=outcome)
        self.log.info("failed", reason=reason, detail=result.detail)

    def _give_up(self, reason: str, detail: str) -> None:
        if reason != _EMULATED and (imitated := conf.imitated_device()):
            reason, detail = _EMULATED, _imitated(imitated, reason, detail)
        self._end(lambda: services.fail(lease=self.lease, reason=reason, detail=detail))

    def _give_back(self, reason: str, error: Exception) -> None:
        detail = f"{type(error).__name__}: {error}"
        self.log.warning("giving back", reason=reason, detail=detail)
        self._end(lambda: services.give_back(lease=self.lease, reason=reason, detail=detail))

    def _end(self, write: Callable[[], object]) -> None:
        """The last write after an error; if that fails too, the lease expires."""
        try:
            self._insist(write)
        except LeaseLostError:
            self.log.warning("lease lost, work dropped")
        except Exception:  # the worker goes on; the lease will expire
            self.log.exception("the verification could not be given back; its lease will expire")

    def _insist(self, write: Callable[[], T]) -> T:
        """Write, and retry while the database restarts, for as long as the lease lasts.

        A write whose answer was lost is repeated: it then finds its own result, or a lease that has ended.
        """
        while True:
            self.heart.check()
            try:
                return write()
            except (OperationalError, InterfaceError) as error:
                self.log.warning("database does not answer, trying again", error=str(error))
                connection.close()
                time.sleep(conf.DATABASE_RETRY_SECONDS)
