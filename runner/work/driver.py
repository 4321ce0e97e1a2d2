"""Drive a worker: lease a verification or a study, replay it, and report the phases and the end."""

from __future__ import annotations

import math
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, Self
from uuid import UUID

from django.db import Error as AnyDatabaseError
from django.db import connection

from datasets.selectors import benchmark_for_replay
from optarena.actions import Action, check_actions
from optarena.limits import CONFIRMATION_TIME_FACTOR, STUDY_SECONDS
from optarena.replay import Failed, Progress, finish_measurement, replay
from optarena.service.client.zygote import renew
from optarena.specs import EnvironmentSpec
from optarena.specs.benchmark import Benchmark
from optarena.specs.results import REASONS, MeasurementPlan, ReplayResult
from optarena.studies import Minimiser, text_difference
from optarena.study_states import SequenceTrials, texts_around
from runner import conf
from runner.errors import (
    EmulatedDeviceError,
    EnvironmentChangedError,
    MachineLockError,
    ReplayDeadlineError,
    UnrepeatableError,
)
from runner.machines import machine_use
from runner.machines.machine_use import LoadReading
from runner.models import PHASES, AttemptDecision, State, Study, Verification
from runner.queue import leases, wakeups
from runner.queue import studies as study_queue
from runner.queue.leases import AttemptReport, Lease
from runner.queue.transitions import ReplayOutcome
from runner.queue.work import PlayedState, replay_seconds
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

_KEPT: Final = 64


class Programs:
    """Keeps programs, so that baselines and workloads are not read again.

    Hashes identify a program, so that what is remembered is what was demanded, whatever became of its
    dataset.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Benchmark] = {}

    def of(self, row: Verification | PlayedState) -> Benchmark:
        identity = (row.benchmark_uri, row.benchmark_sha256, row.workloads_sha256)
        found = self._known.pop(identity, None) or _read(row)
        self._known[identity] = found  # the last one is the last to be forgotten
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return found


def _read(row: Verification | PlayedState) -> Benchmark:
    found: Benchmark = benchmark_for_replay(row.benchmark, uri=row.benchmark_uri)
    if found.sha256 != row.benchmark_sha256:
        raise EnvironmentChangedError(f"The program of {row.benchmark_uri} has changed.")
    if row.workloads_sha256 != found.workloads_sha256:
        raise EnvironmentChangedError(f"The workloads of {row.benchmark_uri} have changed.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    study: Study
    row: Verification | PlayedState
    spec: EnvironmentSpec
    benchmark: Benchmark
    actions: Sequence[Action]

    @property
    def verification(self) -> Verification:
        if isinstance(self.row, PlayedState):
            raise UnrepeatableError("This question is about a replay, and has none.")
        return self.row


class LeasedStudy(LeasedWork):
    def __init__(self, lease: Lease, programs: Programs | None = None) -> None:
        super().__init__(lease)
        self.programs = programs or Programs()
        self.began = self.deadline = self.next_glance = math.inf

    def work(self) -> None:
        with machine_use.beside_others(check=self.heart.check):
            study = self.heart.call_database(self._load, seconds=conf.READ_SECONDS)
            row = study.verification or PlayedState.stored(study)
            spec = spec_of(row)
            actions = check_actions(spec.ranked_table(row.action_space), row.actions[: study.steps])
            benchmark = self.heart.call_database(lambda: self.programs.of(row), seconds=conf.READ_SECONDS)
            # From now on its time counts; that it waited for the machine is not its fault.
            self.began = time.monotonic()
            self.deadline = self.began + STUDY_SECONDS
            self.next_glance = self.began + conf.STUDY_GLANCE_SECONDS
            self.log.info("studying", kind=study.kind, benchmark=row.benchmark_uri, actions=len(actions))
            question = _Question(study=study, row=row, spec=spec, benchmark=benchmark, actions=actions)
            try:
                result = self._answer(question)
            except Failed as error:
                self._end(leases.fail, error.reason, error.detail, None)
                return
            if result is not None:
                self.heart.call_database(lambda: study_queue.end_study(lease=self.lease, result=result))

    def _load(self) -> Study:
        rows = Study.objects.select_related("verification__environment_version")
        return rows.select_related("verification__benchmark__blob").get(pk=self.lease.work_id)

    def _answer(self, question: _Question) -> dict[str, Any] | None:
        # None if others go on first.
        match question.study.kind:
            case Study.Kind.DIFFERENCE:
                return self._compare(question)
            case Study.Kind.LOOK_AHEAD:
                return self._look_ahead(question)
            case Study.Kind.OUTPUTS:
                return self._check_outputs(question)
        return self._minimise(question)

    def _compare(self, question: _Question) -> dict[str, Any]:
        texts = texts_around(
            question.spec,
            question.benchmark,
            question.actions,
            action_space=question.row.action_space,
            check=self.check,
            memory_bytes=conf.replay_memory_bytes(),
        )
        spec = question.spec
        return text_difference(*texts, numbers=spec.state_numbers, parts=spec.state_parts).as_dict()

    def _check_outputs(self, question: _Question) -> dict[str, Any]:
        # What is not exact is measured as for a board, if this machine can.
        spec = question.spec
        noisy = [metric.name for metric in spec.metrics if not metric.exact]
        metrics = noisy if spec.measures_at_once else ()
        return self._replay(question, question.actions, metrics=metrics).as_dict()

    def _look_ahead(self, question: _Question) -> dict[str, Any] | None:
        # A large program's last actions are not tried where the time is used up.
        known = study_queue.found_so_far(question.study)
        before, first = (known.seconds, len(known.tried)) if known else (0.0, 0)
        next_report = self.began
        with self._trials(question) as trials:
            candidates = question.row.candidates if isinstance(question.row, PlayedState) else None
            tried = known.tried if known else ()
            for state in trials.look_ahead(question.actions, tried, candidates):
                found = replace(state, seconds=before + state.seconds)
                if len(found.tried) == found.total or found.seconds >= STUDY_SECONDS:
                    return found.as_dict()
                # Some are tried in any case: otherwise it would never end beside much other work.
                if len(found.tried) > first and self._must_give_way():
                    self._interrupt(found.as_dict())
                    return None
                if time.monotonic() >= next_report:
                    report = partial(study_queue.report_findings, progress=found.as_dict())
                    self.heart.call_database(partial(report, lease=self.lease))
                    next_report = time.monotonic() + conf.PROGRESS_SECONDS
                self.deadline = time.monotonic() + STUDY_SECONDS
        return None  # pragma: no cover - the last state has tried all

    def _minimise(self, question: _Question) -> dict[str, Any] | None:
        actions, stored = question.actions, dict(question.verification.result or {})
        digest = _final_digest(stored)
        if question.study.progress:
            minimiser = Minimiser.from_json(question.study.progress)
        else:
            steps = ReplayResult.from_json(stored).steps
            minimiser = Minimiser.of(len(actions), idle=[one.index for one in steps if one.had_no_effect])
        with self._trials(question) as trials:
            while (found := minimiser.done) is None:
                self.deadline = time.monotonic() + STUDY_SECONDS
                tried = [actions[position] for position in minimiser.candidate()]
                minimiser.answer(suffices=trials.digest(tried) == digest)
                if self._must_give_way():
                    self._interrupt(minimiser.as_dict())
                    return None
        self._confirm(question, [actions[position] for position in found.kept], digest)
        self.log.info("minimised", kept=len(found.kept), trials=found.trials)
        return found.as_dict()

    def _trials(self, question: _Question) -> AbstractContextManager[SequenceTrials]:
        return SequenceTrials.within(
            question.spec,
            question.benchmark,
            action_space=question.row.action_space,
            check=self.check,
            memory_bytes=conf.replay_memory_bytes(),
        )

    def _interrupt(self, progress: dict[str, Any]) -> None:
        interrupt = partial(study_queue.interrupt_study, progress=progress)
        self.heart.call_database(partial(interrupt, lease=self.lease))

    def _must_give_way(self) -> bool:
        # A verification that waits goes first, and other studies after a while.
        now = time.monotonic()
        if now >= self.began + conf.STUDY_SLICE_SECONDS:
            return True
        if now < self.next_glance:
            return False
        self.next_glance = now + conf.STUDY_GLANCE_SECONDS
        return self.heart.call_database(study_queue.verification_waits)

    def _confirm(self, question: _Question, actions: Sequence[Action], digest: str) -> None:
        row, spec = question.verification, question.spec
        wanted = spec.metric_names if row.wanted_metrics is None else row.wanted_metrics
        exact = [name for name in wanted if spec.metric(name).exact]
        result = self._replay(question, actions, metrics=exact)
        states = (result.initial, *result.steps)
        last = states[-1].digest if states[-1] else ""
        if not result.ok:
            raise UnrepeatableError(f"The shorter sequence fails with {result.reason}: {result.detail}")
        if last != digest or any(result.metrics[name] != (row.metrics or {}).get(name) for name in exact):
            raise UnrepeatableError("The shorter sequence does not end as the whole one did.")

    def _replay(
        self, question: _Question, actions: Sequence[Action], *, metrics: Sequence[str]
    ) -> ReplayResult:
        self.deadline = time.monotonic() + STUDY_SECONDS
        return replay(
            environment=question.spec,
            benchmark=question.benchmark,
            actions=actions,
            action_space=question.row.action_space or None,
            metrics=metrics,
            sandbox=True,
            on_progress=lambda _: self.check(),
            memory_bytes=conf.replay_memory_bytes(),
        )

    def check(self) -> None:
        self.heart.check()
        if time.monotonic() >= self.deadline:
            raise ReplayDeadlineError(f"This part of the study did not end within {STUDY_SECONDS} s.")


def _final_digest(stored: dict[str, object]) -> str:
    # The steps may have been pruned.
    pruned = stored.pop("pruned", None)
    if isinstance(pruned, dict) and pruned.get("digest"):
        return str(pruned["digest"])
    result = ReplayResult.from_json(stored)
    last = result.steps[-1] if result.steps else result.initial
    if last is None:
        raise UnrepeatableError("The digest of the final state was not kept.")
    return last.digest


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
            # No outcome on an emulated device counts, good or bad: a real device might give another one.
            ended = f" The replay ended with {end.reason}: {end.detail}" if end.reason else ""
            raise EmulatedDeviceError(
                f"{imitated.stand_in_variable} is set for this worker, so its device is emulated.{ended}"
            )
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
                before = f"It failed with {suspicions[-1].reason} before. " if suspicions else ""
                self.give_back(ruling.reason, f"{before}This time: {end.reason}: {end.detail}", report)
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
