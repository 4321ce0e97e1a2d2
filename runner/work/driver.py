"""Drive a worker: lease a verification, replay it, and report the phases and the end."""

from __future__ import annotations

import math
import os
import socket
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

from django.db import Error as AnyDatabaseError
from django.db import connection

from optarena.limits import CONFIRMATION_TIME_FACTOR
from optarena.replay import finish_measurement, replay
from optarena.service.client.zygote import renew
from optarena.specs.results import REASONS, MeasurementPlan
from runner import conf
from runner.errors import EmulatedDeviceError, MachineLockError, ReplayDeadlineError
from runner.machines import machine_use
from runner.machines.machine_use import LoadReading
from runner.models import PHASES, AttemptDecision, State, Verification
from runner.queue import leases, wakeups
from runner.queue.leases import AttemptReport
from runner.queue.transitions import ReplayOutcome
from runner.queue.work import replay_seconds
from runner.selectors import attempts_of
from runner.work.confirmation import (
    Trial,
    decide,
    is_handed_over,
    needs_idle_machine,
    open_suspicions,
    readable,
    spec_of,
)
from runner.work.heartbeat import LeasedWork
from runner.work.studies import LeasedStudy, Programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from uuid import UUID

    from optarena.replay import Progress, ReplayResult
    from optarena.specs import DeviceSpec, EnvironmentSpec
    from runner.queue.leases import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    # failed_unit has the seconds of the action, workload or metric that failed. outcome is None if it was
    # stopped.
    reason: str = ""
    detail: str = ""
    failed_step: int | None = None
    failed_unit: Mapping[str, float] = field(default_factory=dict)
    outcome: ReplayOutcome | None = None

    @classmethod
    def of(cls, result: ReplayResult) -> Self:
        if not result.ok and result.reason not in REASONS:
            raise ValueError(
                f"The replay failed for {result.reason!r}, which is not a reason id: {result.detail}"
            )
        return cls(
            reason="" if result.ok else result.reason or "",
            detail=result.detail,
            failed_step=result.failed_step,
            failed_unit=result.failed_unit,
            outcome=ReplayOutcome(result=result.as_dict(), metrics=result.metrics, sandbox=result.sandbox),
        )


def _describe_failure(suspicions: Sequence[Trial], end: Ending) -> str:
    before = f"It failed with {suspicions[-1].reason} before. " if suspicions else ""
    return f"{before}This time: {end.reason}: {end.detail}"


def _suspicions_of(verification_id: uuid.UUID) -> list[Trial]:
    return open_suspicions(
        Trial(
            reason=stored.reason,
            failed_step=stored.failed_step,
            time_factor=stored.evidence.get("time_factor", 1.0),
            idle=stored.evidence.get("idle", False),
        )
        for stored in attempts_of(verification_id)
    )


@dataclass(kw_only=True)
class Attempt:
    # Beside others with the usual limits, or alone on an idle machine with longer ones. began is set anew
    # when the wait for the machine ends.
    alone: bool
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    began: LoadReading = field(default_factory=LoadReading.take)
    ended: LoadReading | None = None
    busy_before: float | None = None

    @property
    def time_factor(self) -> float:
        return float(CONFIRMATION_TIME_FACTOR) if self.alone else 1.0

    @property
    def seconds(self) -> float:
        return (self.ended.at if self.ended else time.monotonic()) - self.began.at

    @contextmanager
    def on_this_machine(self, *, check: Callable[[], None]) -> Iterator[None]:
        use: Callable[..., AbstractContextManager[float | None]]
        use = machine_use.alone if self.alone else machine_use.beside_others
        with use(check=check) as self.busy_before:
            self.began = LoadReading.take()
            try:
                yield
            finally:
                self.ended = LoadReading.take()

    def trial(self, reason: str, failed_step: int | None) -> Trial:
        return Trial(
            reason=reason, failed_step=failed_step, time_factor=self.time_factor, idle=self._was_idle()
        )

    def report(self, end: Ending) -> AttemptReport:
        about = {"failed_unit": dict(end.failed_unit)} if end.failed_unit else {}
        return AttemptReport(
            id=self.id,
            reason=end.reason,
            detail=end.detail,
            failed_step=end.failed_step,
            seconds=self.seconds,
            evidence=self._evidence() | about | {"sandbox": dict(end.outcome.sandbox if end.outcome else {})},
        )

    def _busy_during(self) -> float | None:
        return None if self.ended is None else self.ended.busy_since(self.began)

    def _was_idle(self) -> bool:
        busy = self._busy_during()
        return self.alone and busy is not None and busy <= conf.idle_pressure()

    def _evidence(self) -> dict[str, Any]:
        return {
            "alone": self.alone,
            "idle": self._was_idle(),
            "time_factor": self.time_factor,
            "seconds": round(self.seconds, 3),
            "busy_percent_before": _rounded(self.busy_before),
            "busy_percent_during": _rounded(self._busy_during()),
            "load_before": round(self.began.load, 2),
            "load_after": None if self.ended is None else round(self.ended.load, 2),
        }


def _rounded(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 1)


class Phases:
    """The phases of a replay, each with its time.

    Those of the first second wait for the first renewal of the lease, or for its end: most replays of small
    programs end by then, and are not held up by a write for each phase. The renewing thread reads what the
    replay's thread writes.
    """

    def __init__(self) -> None:
        self._present = (State.LEASED, 0)
        self._written = State.LEASED
        self._entered: dict[State, float] = {}
        self._quiet_until = time.monotonic() + conf.PROGRESS_SECONDS

    def enter(self, phase: State, total: int) -> bool:
        # False if an earlier attempt was further: a state never goes back. total is 0 if it is not known yet.
        present, _ = self._present
        if PHASES.index(phase) < PHASES.index(present):
            return False
        if phase != present:
            self._entered[phase] = time.monotonic()
            self._present = (phase, total)
        return True

    @property
    def due(self) -> bool:
        return self._written != self._present[0] and time.monotonic() >= self._quiet_until

    def write(self, lease: Lease) -> None:
        phase, total = self._present
        if self._written != phase:
            leases.advance(lease=lease, to=phase, total=total, ages=self.ages())
            self._written = phase

    def ages(self) -> Mapping[State, timedelta]:
        now = time.monotonic()
        return {phase: timedelta(seconds=now - entered) for phase, entered in self._entered.copy().items()}


_programs: Final = Programs()


def worker_name() -> str:
    return f"worker {socket.gethostname()}:{os.getpid()}"


def drive(*, worker: str, life: UUID | None = None, is_stopping: Callable[[], bool] = lambda: False) -> int:
    """Do the work that waits, and return how much: studies come where no verification waits.

    Because it continues with others, a lost wake-up costs only time. After conf.DRAIN_SECONDS, or when the
    worker was asked to stop, it sends a wake-up for the rest.
    """

    def next_work() -> LeasedWork | None:
        lease = leases.lease_next(worker=worker, life=life) if _may_begin(is_stopping) else None
        if lease is None:
            return None
        return LeasedStudy(lease, _programs) if lease.study_id else LeasedReplay(lease, _programs)

    until = time.monotonic() + conf.DRAIN_SECONDS
    parent = os.getppid()
    work = next_work()
    carried = 0
    while work is not None:
        work.carry()
        carried += 1
        if time.monotonic() >= until or os.getppid() != parent or is_stopping():
            wakeups.wake_oldest()
            break
        work = next_work()
    return carried


def _may_begin(is_stopping: Callable[[], bool]) -> bool:
    # Work that is leased while a replay has this machine for itself could be done elsewhere. Where that takes
    # long, the answer is no, and the sweeper wakes the workers again.
    until = time.monotonic() + conf.DRAIN_SECONDS
    while _is_taken():
        if time.monotonic() >= until or is_stopping():
            return False
        time.sleep(conf.MACHINE_RETRY_SECONDS)
    return not is_stopping()


def _is_taken() -> bool:
    try:
        return machine_use.is_taken()
    except MachineLockError:  # the next lease ends with it, and says why
        return False


def _imitated(device: DeviceSpec, reason: str, detail: str) -> str:
    # No outcome on an emulated device counts, good or bad: a real device might give another one.
    ended = f" The replay ended with {reason}: {detail}" if reason else ""
    return f"{device.stand_in_variable} is set for this worker, so its device is emulated.{ended}"


class LeasedReplay(LeasedWork):
    """A lease's attempt, and its repetition if it seems to have failed."""

    def __init__(self, lease: Lease, programs: Programs | None = None) -> None:
        super().__init__(lease)
        self.programs = programs or Programs()
        self.phases = Phases()
        self.attempt = Attempt(alone=False)
        self.job: Mapping[str, Any] | None = None
        self.is_prepared = False
        self.seconds = self.deadline = math.inf
        self.next_report = time.monotonic() + conf.PROGRESS_SECONDS

    def work(self) -> None:
        # The first lease need not ask what earlier ones suspected.
        ask = partial(_suspicions_of, self.lease.verification_id)
        suspicions = [] if self.lease.is_first else self.heart.call_database(ask)
        while (suspicion := self._attempt(suspicions)) is not None:
            suspicions.append(suspicion)
            renew()  # the next attempt begins with new zygotes, and finds nothing that this one compiled

    def _attempt(self, suspicions: Sequence[Trial]) -> Trial | None:
        # The failure, if the work is to be repeated now.
        self.attempt = attempt = Attempt(alone=needs_idle_machine(suspicions))
        with attempt.on_this_machine(check=self.heart.check):
            end = self._replay_in_time()
        self.heart.check()
        if imitated := conf.imitated_device():
            raise EmulatedDeviceError(_imitated(imitated, end.reason, end.detail))
        trial = attempt.trial(end.reason, end.failed_step)
        ruling = decide(suspicions, trial)
        self.log.info("attempt ended", reason=end.reason, decision=ruling.decision.value)
        report = attempt.report(end)
        match ruling.decision:
            case AttemptDecision.RECORD:
                self._record(end)
            case AttemptDecision.CONFIRM:
                return trial if self._suspect(report) else None
            case AttemptDecision.FAIL:
                self._fail(end, report)
            case AttemptDecision.GIVE_BACK:
                self.give_back(ruling.reason, _describe_failure(suspicions, end), report)
        return None

    def _suspect(self, report: AttemptReport) -> bool:
        # Whether it is repeated now, or prepared anew elsewhere.
        self.heart.call_database(self.write_phases)
        write = leases.prepare_anew if self.is_prepared else leases.record_suspicion
        self.heart.call_database(lambda: write(lease=self.lease, report=report))
        return not self.is_prepared

    def _replay_in_time(self) -> Ending:
        self.seconds = self.deadline = math.inf
        self.job = None
        try:
            return Ending.of(self._replay())
        except ReplayDeadlineError as error:
            return Ending(reason="env:replay-timeout", detail=str(error))

    def _replay(self) -> ReplayResult:
        row = self.heart.call_database(self._load, seconds=conf.READ_SECONDS)
        spec = spec_of(row)
        self.is_prepared = row.prepared is not None
        if row.prepared is not None:
            return self._finish(row, spec, row.prepared)
        benchmark = self.heart.call_database(lambda: self.programs.of(row), seconds=conf.READ_SECONDS)
        self._begin(row, spec)
        self.log.info("replaying", benchmark=row.benchmark_uri, actions=len(row.actions))
        return replay(
            environment=spec.id,
            benchmark=benchmark,
            actions=row.actions,
            action_space=row.action_space or None,
            metrics=row.wanted_metrics,
            sandbox=True,
            on_progress=self.on_progress,
            time_factor=self.attempt.time_factor,
            memory_bytes=conf.replay_memory_bytes(),
            plan=self._plan(row, hands_over=is_handed_over(row, spec)),
        )

    def _finish(self, row: Verification, spec: EnvironmentSpec, prepared: Mapping[str, Any]) -> ReplayResult:
        # A machine without the device has replayed and checked it.
        begun, job = readable(prepared, spec)
        self._begin(row, spec)
        self.log.info("measuring", benchmark=row.benchmark_uri)
        return finish_measurement(
            begun=begun,
            environment=spec,
            job=job,
            plan=self._plan(row),
            on_progress=self.on_progress,
            time_factor=self.attempt.time_factor,
            memory_bytes=conf.replay_memory_bytes(),
        )

    def _plan(self, row: Verification, *, hands_over: bool = False) -> MeasurementPlan:
        # What an interrupted measurement of the same work has is not measured again.
        blocks: list[Mapping[str, Any]] = list(row.kept_blocks or ())

        def keep(block: Mapping[str, Any]) -> None:
            blocks.append(block)
            self.heart.call_database(lambda: leases.keep_blocks(lease=self.lease, blocks=blocks))

        def take(job: Mapping[str, Any]) -> None:
            self.job = job

        hand_over = take if hands_over else None
        number = row.blocks or conf.first_blocks()
        return MeasurementPlan(blocks=number, kept=tuple(blocks), keep=keep, hand_over=hand_over)

    def _begin(self, row: Verification, spec: EnvironmentSpec) -> None:
        # From now on the time of the whole replay counts.
        seconds = replay_seconds(
            size_bytes=row.benchmark.size_bytes,
            actions=len(row.actions),
            run_seconds=row.benchmark.run_seconds,
            measured=spec.measure is not None,
        )
        self.seconds = seconds * self.attempt.time_factor
        self.deadline = time.monotonic() + self.seconds

    def _load(self) -> Verification:
        rows = Verification.objects.select_related("environment_version", "benchmark__blob")
        return rows.get(pk=self.lease.verification_id)

    def on_progress(self, progress: Progress) -> None:
        # Raises if the replay must stop.
        self.heart.check()
        if time.monotonic() >= self.deadline:
            raise ReplayDeadlineError(
                f"The replay did not end within {self.seconds:g} s; it was {progress.phase}, "
                f"{progress.done} of {progress.total}."
            )
        if not self.phases.enter(State(progress.phase), progress.total):
            return  # a repetition has not come as far as the attempt before it
        if self.phases.due:
            self.heart.call_database(self.write_phases)
            self.next_report = time.monotonic() + conf.PROGRESS_SECONDS
        elif time.monotonic() >= self.next_report:
            self._report(progress)

    def write_phases(self) -> None:
        self.phases.write(self.lease)

    def report(self, reason: str, detail: str) -> AttemptReport:
        return self.attempt.report(Ending(reason=reason, detail=detail))

    def _report(self, progress: Progress) -> None:
        self.next_report = time.monotonic() + conf.PROGRESS_SECONDS
        try:
            leases.report_progress(lease=self.lease, done=progress.done, total=progress.total)
        except AnyDatabaseError as error:
            # Progress is only shown on a page; the heartbeat finds out whether the lease still holds.
            self.log.warning("progress not written", error=str(error))
            connection.close()

    def _record(self, end: Ending) -> None:
        # Ages are told to each try: the database may have been away for a while.
        outcome = end.outcome
        if outcome is not None and self.job is not None:
            prepared = {"result": outcome.result, "job": self.job}
            self.heart.call_database(
                lambda: leases.hand_over(lease=self.lease, prepared=prepared, ages=self.phases.ages())
            )
            self.log.info("handed over", seconds=round(self.attempt.seconds, 3))
            return
        if outcome is None or not outcome.metrics or not all(map(math.isfinite, outcome.metrics.values())):
            raise ValueError(f"The replay measured {dict(outcome.metrics) if outcome else None}.")
        self.heart.call_database(
            lambda: leases.record(lease=self.lease, outcome=outcome, ages=self.phases.ages())
        )
        self.log.info("recorded", metrics=dict(outcome.metrics), seconds=round(self.attempt.seconds, 3))

    def _fail(self, end: Ending, report: AttemptReport) -> None:
        self.heart.call_database(self.write_phases)
        self.heart.call_database(
            lambda: leases.fail(
                lease=self.lease, reason=end.reason, detail=end.detail, outcome=end.outcome, report=report
            )
        )
        self.log.info("failed", reason=end.reason, detail=end.detail)
