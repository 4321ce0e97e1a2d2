"""Replaying an action sequence step by step and checking the result: the same code for users and runners.

A replay steps a real environment. A fault of the sequence is a result, with a reason id; only a failure of
the machinery itself is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from optarena import limits
from optarena.actions import check_actions
from optarena.env.confined import (
    confined,
    confined_env,
    judge,
    plain_number,
    run_in_session,
    run_workloads,
    subject_name,
)
from optarena.env.failures import action_name, is_fault
from optarena.errors import (
    InvalidAction,
    InvalidInput,
    PlatformNotSupported,
    ProgramFailed,
    ServiceError,
    SessionOutOfMemory,
    SessionTimeout,
)
from optarena.service.processes.memory import MemoryWatch
from optarena.service.protocol.messages import VERIFY
from optarena.specs import EnvironmentSpec, PreparedMeasure, environment_spec
from optarena.specs.results import (
    BROKEN,
    Measurement,
    MeasurementPlan,
    Progress,
    ReplayResult,
    StateTrace,
    StepTrace,
    WorkloadResult,
    first_difference,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from optarena.actions import Action, ActionTable
    from optarena.env import CompilerEnv
    from optarena.env.compiler_env import Step
    from optarena.specs import Metric
    from optarena.specs.benchmark import Benchmark, Workload

__all__ = ["Progress", "ReplayResult", "finish", "first_difference", "judge", "replay"]


class Failed(Exception):  # a replay never lets it out
    """The sequence fails a check."""

    def __init__(
        self, reason: str, detail: str, step: int | None = None, *, cpu_seconds: float | None = None
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.step = step
        self.cpu_seconds = cpu_seconds


def failure_of(error: ServiceError, memory: MemoryWatch, step: int | None, what: str) -> Failed:
    """The failure that a compiler's error stands for."""
    if is_fault(error, memory):
        raise error
    reason = f"env:{error.error_type}"
    return Failed(reason, f"In {what}: {error}", step, cpu_seconds=error.cpu_seconds)


@contextmanager
def reporting(memory: MemoryWatch, step: int | None, what: str) -> Iterator[None]:
    """Around a call of the session: what it answers is the sequence's, also a refusal."""
    try:
        with known_to_the_service(what, step):
            yield
    except PlatformNotSupported as error:
        # The session has started on this machine: what it says of the machine later proves nothing.
        raise Failed("env:service", f"In {what}: {error}", step) from error
    except ServiceError as error:
        raise failure_of(error, memory, step, what) from error


@contextmanager
def known_to_the_service(what: str, step: int | None = None) -> Iterator[None]:
    """If a service cannot do or check something, the sequence fails; it never passes."""
    try:
        yield
    except InvalidAction as error:
        raise Failed("user:invalid-action", f"In {what}: {error}", step) from error
    except (InvalidInput, NotImplementedError) as error:
        raise Failed("env:service", f"In {what}: {error}", step) from error


@contextmanager
def measuring(memory: MemoryWatch) -> Iterator[None]:
    """Around a measurement in processes of its own: only wrong output and time used up are the sequence's."""
    try:
        yield
    except SessionTimeout as error:
        raise failure_of(error, memory, None, "the measurement") from error
    except ProgramFailed as error:
        if not error.reason:  # an error of the environment's own
            raise
        raise Failed(error.reason, f"In the measurement: {error}") from error


def state_of(env: CompilerEnv) -> StateTrace:
    """What the trace shows of the present state."""
    spec = env.environment
    return StateTrace(
        digest=str(env.observation[spec.digest_observation]),
        cost=plain_number(env.observation[spec.cost]) if spec.cost else None,
    )


def stepped(
    env: CompilerEnv, actions: Sequence[Action], initial: StateTrace, memory: MemoryWatch
) -> Iterator[StepTrace]:
    """Apply actions to an environment after ``reset()``, and tell of each.

    Where a trace has no costs, the actions are cheap, and one call applies all of them. If one fails then,
    they are applied one by one to the program as it was: this says which fails, and why.
    """
    together = _together(env, actions, initial)
    if together is not None:
        yield from together
        return
    state = initial
    for index, action in enumerate(actions):
        what = f"step {index} ({action_name(env.action_table, action)})"
        with reporting(memory, index, what):
            about = subject_name(env, action)
            _, _, _, _, info = env.step(action)
        if env.error is not None:
            raise failure_of(env.error, memory, index, what)
        no_effect = bool(info["action_had_no_effect"])
        if not no_effect:
            with reporting(memory, index, what):
                state = state_of(env)
        yield _told(env, index, action, state, no_effect=no_effect, about=about)


def _together(env: CompilerEnv, actions: Sequence[Action], initial: StateTrace) -> Iterator[StepTrace] | None:
    # None if one call must not, or something fails: the environment is at the start of an episode again.
    spec, table = env.environment, env.action_table
    if spec.traces_costs or hasattr(table, "subject"):
        return None
    try:
        steps = env.steps(actions, observation_spaces=[spec.digest_observation])
    except (InvalidInput, ServiceError, NotImplementedError):  # what ``reporting`` tells of, one by one
        steps = []
    is_over = env.error is not None or any(terminated for _, _, terminated, _, _ in steps)
    if is_over or len(steps) < len(actions):
        env.reset()
        return None
    return _told_together(env, actions, steps, initial)


def _told_together(
    env: CompilerEnv, actions: Sequence[Action], steps: Sequence[Step], initial: StateTrace
) -> Iterator[StepTrace]:
    state = initial
    for index, (action, (observation, _, _, _, info)) in enumerate(zip(actions, steps, strict=True)):
        no_effect = bool(info["action_had_no_effect"])
        if not no_effect:
            state = StateTrace(digest=str(observation[0]), cost=None)
        yield _told(env, index, action, state, no_effect=no_effect)


def _told(  # noqa: PLR0913 # all but the first four by keyword
    env: CompilerEnv,
    index: int,
    action: Action,
    state: StateTrace,
    *,
    no_effect: bool,
    about: str | None = None,
) -> StepTrace:
    return StepTrace(
        index=index,
        action=action,
        name=action_name(env.action_table, action),
        had_no_effect=no_effect,
        digest=state.digest,
        cost=state.cost,
        about=about,
    )


# An exception from it ends the processes and the replay at once, and is passed on.
OnProgress = Callable[[Progress], None]


@dataclass
class _Findings:
    initial: StateTrace | None = None
    steps: list[StepTrace] = field(default_factory=list)
    workloads: list[WorkloadResult] = field(default_factory=list)
    metrics: dict[str, int | float] = field(default_factory=dict)
    measurement: dict[str, Any] = field(default_factory=dict)
    sandbox: dict[str, Any] = field(default_factory=dict)
    failure: Failed | None = None
    unit_began: float = 0.0
    unit_seconds: float = 0.0

    def fail(self, failure: Failed) -> None:
        self.failure = failure
        self.unit_seconds = time.monotonic() - self.unit_began if self.unit_began else 0.0

    def measured(self, measurement: Measurement) -> None:
        self.metrics.update(measurement.metrics)
        self.measurement.update(metrics=sorted(measurement.metrics), **measurement.details)

    def result(
        self,
        spec: EnvironmentSpec,
        benchmark: Benchmark,
        actions: Sequence[Action],
        action_space: str,
        walltime: float,
    ) -> ReplayResult:
        failure = self.failure
        unit: dict[str, float] = {}
        if failure:
            unit["wall_seconds"] = self.unit_seconds
        if failure and failure.cpu_seconds is not None:
            unit["cpu_seconds"] = failure.cpu_seconds
        return ReplayResult(
            environment=spec.slug,
            digest=spec.digest,
            benchmark=benchmark.uri,
            benchmark_sha256=benchmark.sha256,
            actions=tuple(actions),
            action_space=action_space,
            ok=failure is None,
            reason=failure.reason if failure else None,
            detail=failure.detail if failure else "",
            failed_step=failure.step if failure else None,
            initial=self.initial,
            steps=tuple(self.steps),
            metrics=self.metrics,
            measurement=self.measurement,
            workloads=tuple(self.workloads),
            walltime=walltime,
            sandbox=self.sandbox,
            failed_unit=unit,
        )


def replay(  # noqa: PLR0913 # all by keyword
    *,
    environment: str | EnvironmentSpec,
    benchmark: Benchmark,
    actions: Sequence[Action],
    action_space: str | None = None,
    sandbox: bool = True,
    on_progress: OnProgress = lambda _: None,
    metrics: Collection[str] | None = None,
    time_factor: float = 1.0,
    memory_bytes: int = limits.REPLAY_MEMORY_BYTES,
    plan: MeasurementPlan | None = None,
) -> ReplayResult:
    """Apply the actions to the benchmark in a fresh process, check the result, and measure it.

    Args:
        environment: Id, slug or spec.
        benchmark: The program, with its workloads.
        actions: Members of the action space: indices into its table, where it is discrete.
        action_space: The name of their action space, if it is not the environment's first.
        sandbox: Confine the compiler and the program; only a person's own machine may do without.
        on_progress: Called before the first and after each action, workload and metric; may end the replay.
        metrics: Names of the metrics to measure, all if None. Those that are not exact come together.
        time_factor: Extends the limits on the time of each action, workload and metric.
        memory_bytes: Memory of all sandboxed processes together, where ``memory_groups`` can limit it.
        plan: How much is measured of what is not exact, and who is told; progress is told to ``on_progress``.

    Raises:
        InvalidInput, InfrastructureFault, SandboxUnavailable: The arguments or the machine are at fault.
    """
    return _Replay(
        spec=environment_spec(environment) if isinstance(environment, str) else environment,
        benchmark=benchmark,
        tell=on_progress,
        sandbox=sandbox,
        wanted=metrics,
        time_factor=time_factor,
        memory_bytes=memory_bytes,
        plan=plan or MeasurementPlan(),
    ).carry_out(tuple(actions), action_space)


def _check_actions(table: ActionTable, actions: Sequence[Action]) -> tuple[Action, ...]:
    if len(actions) > limits.MAX_ACTIONS_PER_ITEM:
        detail = f"There are {len(actions)} actions; at most {limits.MAX_ACTIONS_PER_ITEM} are allowed."
        raise Failed("user:invalid-action", detail)
    checked: list[Action] = []
    for step, action in enumerate(actions):
        try:
            checked += check_actions(table, [action], step)
        except InvalidAction as error:
            raise Failed("user:invalid-action", f"Step {step}: {error}", step) from error
    return tuple(checked)


@dataclass(kw_only=True)
class _Replay:
    spec: EnvironmentSpec
    benchmark: Benchmark
    tell: OnProgress
    sandbox: bool
    wanted: Collection[str] | None
    time_factor: float
    memory_bytes: int
    plan: MeasurementPlan
    metrics: tuple[Metric, ...] = field(init=False)
    env: CompilerEnv = field(init=False)
    found: _Findings = field(default_factory=_Findings)
    memory: MemoryWatch = field(default_factory=MemoryWatch)

    def __post_init__(self) -> None:
        self.metrics = self.spec.metrics_named(self.wanted)
        limits.check_replay_limits(self.time_factor, self.memory_bytes)

    def carry_out(self, actions: tuple[Action, ...], action_space: str | None) -> ReplayResult:
        started = time.monotonic()
        spec, found = self.spec, self.found
        table = spec.action_table if action_space is None else spec.table(action_space)
        named = "" if table is spec.action_table else table.name
        try:
            actions = _check_actions(table, actions)
            with self._made(action_space) as self.env:
                self.run(actions)
        except Failed as error:
            found.fail(error)
        return found.result(spec, self.benchmark, actions, named, time.monotonic() - started)

    def _made(self, action_space: str | None) -> AbstractContextManager[CompilerEnv]:
        return confined_env(
            self.spec,
            self.benchmark,
            action_space=action_space,
            sandbox=self.sandbox,
            time_factor=self.time_factor,
            memory_bytes=self.memory_bytes,
            memory=self.memory,
            failures=(Failed,),
        )

    def on_progress(self, progress: Progress) -> None:
        # Another unit of work begins.
        self.tell(progress)
        self.found.unit_began = time.monotonic()

    def run(self, actions: tuple[Action, ...]) -> None:
        self.env.reset(options={"observation_space": None, "reward_space": None})
        self.found.sandbox = self.env.sandbox
        self._record()
        self._replay(actions)
        self._verify()
        self._run_workloads()
        self._observe_metrics()
        self._measure(actions)

    def _record(self) -> None:
        # What the program does as given is expected of it, where no workloads are recorded.
        if self.benchmark.workloads or self.spec.own_workloads is None:
            return
        run, recorded = self.spec.run_workload or run_in_session, []
        for workload in self.spec.own_workloads(self.benchmark):
            with self._running(workload):
                given = run(self.env, workload, self.sandbox)
            recorded.append(replace(workload, expected_stdout=given.stdout))
            if detail := judge(recorded[-1], given).detail:
                said = given.stdout.decode(errors="replace").strip()
                raise Failed(BROKEN, f"Workload {workload.name}, before any action: {detail} {said}".strip())
        if not recorded:
            raise Failed(BROKEN, "The program has no run that is small enough for its check.")
        self.benchmark = replace(self.benchmark, workloads=tuple(recorded))

    def _replay(self, actions: tuple[Action, ...]) -> None:
        with reporting(self.memory, None, "the initial state"):
            self.found.initial = state_of(self.env)
        self.on_progress(Progress(phase="replaying", done=0, total=len(actions)))
        for done, step in enumerate(stepped(self.env, actions, self.found.initial, self.memory), start=1):
            self.found.steps.append(step)
            self.on_progress(Progress(phase="replaying", done=done, total=len(actions)))

    def _verify(self) -> None:
        with reporting(self.memory, None, "the verifier"):
            problem = self.env.parameter(VERIFY)
        if problem:
            raise Failed("semantics:verifier", f"The program is not valid: {problem}")

    def _run_workloads(self) -> None:
        workloads = self.benchmark.workloads
        self.on_progress(Progress(phase="checking", done=0, total=len(workloads)))
        runs = run_workloads(self.env, workloads, sandbox=self.sandbox, within=self._running)
        for done, result in enumerate(runs, start=1):
            self.found.workloads.append(result)
            if result.reason:
                raise Failed(result.reason, f"Workload {result.name}: {result.detail}")
            self.on_progress(Progress(phase="checking", done=done, total=len(workloads)))

    @contextmanager
    def _running(self, workload: Workload) -> Iterator[None]:
        # A failure outside the session is the machinery's, unless memory reached its limit.
        what = f"workload {workload.name}"
        try:
            with known_to_the_service(what):
                yield
        except ServiceError as error:
            if self.env.error is not error and not isinstance(error, SessionOutOfMemory):
                raise
            raise failure_of(error, self.memory, None, what) from error

    def _observe_metrics(self) -> None:
        spec = self.env.environment
        metrics = [metric for metric in self.metrics if metric.exact or spec.measure is None]
        if not metrics:
            return
        self.on_progress(Progress(phase="measuring", done=0, total=len(metrics)))
        for done, metric in enumerate(metrics, start=1):
            with reporting(self.memory, None, f"measuring {metric.name}"):
                value = self.env.observe(metric.observation, cpu_seconds=limits.seconds(metric.cpu_seconds))
                self.found.metrics[metric.name] = plain_number(value)
            self.on_progress(Progress(phase="measuring", done=done, total=len(metrics)))

    def _measure(self, actions: tuple[Action, ...]) -> None:
        measure, plan = self.env.environment.measure, self.plan
        if measure is None or all(metric.exact for metric in self.metrics):
            return
        take = partial(measure, self.env, actions)
        if isinstance(measure, PreparedMeasure):
            with reporting(self.memory, None, "preparing the measurement"):
                job = measure.prepare(self.env, actions)
            if plan.hand_over is not None:
                plan.hand_over(job)
                return
            take = partial(measure.measure, job)
        self.found.measured(_measured(take, plan, self.on_progress, self.memory))


def finish(  # noqa: PLR0913 # all by keyword
    *,
    begun: ReplayResult,
    environment: str | EnvironmentSpec,
    job: Mapping[str, Any],
    plan: MeasurementPlan,
    on_progress: OnProgress = lambda _: None,
    time_factor: float = 1.0,
    memory_bytes: int = limits.REPLAY_MEMORY_BYTES,
) -> ReplayResult:
    """Make the measurement of a replay that another machine began and prepared.

    Args:
        begun: The result so far, to which ``MeasurementPlan.hand_over`` belongs.
        environment: Id, slug or spec; its measurement is in two parts.
        job: What was handed over.
        plan: As for ``replay``.
        on_progress: Told of each block; may end the measurement.
        time_factor: Extends the limits on the time of each block.
        memory_bytes: As for ``replay``.

    Raises:
        InvalidInput, InfrastructureFault: The arguments or the machine are at fault.
    """
    spec = environment_spec(environment) if isinstance(environment, str) else environment
    if not isinstance(measure := spec.measure, PreparedMeasure):
        raise InvalidInput(
            f"{spec.slug} has no measurement in two parts.",
            field="environment",
            value=spec.slug,
            remedy="Replay the actions: optarena.replay.replay measures, too.",
        )
    limits.check_replay_limits(time_factor, memory_bytes)
    started, memory, found = time.monotonic(), MemoryWatch(), _Findings()
    try:
        with confined(memory=memory, time_factor=time_factor, memory_bytes=memory_bytes, failures=(Failed,)):
            found.measured(_measured(partial(measure.measure, job), plan, on_progress, memory))
    except Failed as error:
        found.failure = error
    return _finished(begun, found, time.monotonic() - started)


def _finished(begun: ReplayResult, found: _Findings, seconds: float) -> ReplayResult:
    failure = found.failure
    return replace(
        begun,
        ok=failure is None,
        reason=failure.reason if failure else None,
        detail=failure.detail if failure else "",
        metrics={**begun.metrics, **found.metrics},
        measurement=found.measurement,
        walltime=begun.walltime + seconds,
        failed_unit={"wall_seconds": seconds} if failure else {},
    )


def _measured(
    measure: Callable[[MeasurementPlan], Measurement],
    plan: MeasurementPlan,
    tell: OnProgress,
    memory: MemoryWatch,
) -> Measurement:
    def between(done: int, total: int) -> None:
        tell(Progress(phase="measuring", done=done, total=total))

    with measuring(memory):
        return measure(replace(plan, between=between))
