"""Replaying an action sequence step by step and checking the result: the same code for users and runners.

A replay steps a real environment. A fault of the sequence is a result, with a reason id; only a failure of
the machinery itself is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from optarena import errors, limits
from optarena.actions import Action, ActionTable, action_name, check_actions
from optarena.env.confined import (
    confine_replay,
    confined_env,
    judge,
    plain_number,
    run_in_session,
    run_workloads,
    subject_name,
)
from optarena.env.failures import is_fault
from optarena.service.processes.memory import MemoryWatch
from optarena.service.protocol.messages import VERIFY
from optarena.specs import EnvironmentSpec, Metric, PreparedMeasure, environment_spec
from optarena.specs.results import (
    BROKEN,
    Measurement,
    MeasurementPlan,
    Phase,
    Progress,
    ReplayResult,
    StateTrace,
    StepTrace,
    WorkloadResult,
    first_difference,
)

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.env.compiler_env import Step
    from optarena.specs.benchmark import Benchmark, Workload
    from optarena.specs.environment import Measure

__all__ = ["Progress", "ReplayResult", "finish_measurement", "first_difference", "judge", "replay"]


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


def failure_of(error: errors.ServiceError, memory: MemoryWatch, step: int | None, what: str) -> Failed:
    """The failure that a compiler's error stands for."""
    if is_fault(error, memory):
        raise error
    reason = f"env:{error.error_type}"
    return Failed(reason, f"In {what}: {error}", step, cpu_seconds=error.cpu_seconds)


@contextmanager
def session_failures(memory: MemoryWatch, step: int | None, what: str) -> Iterator[None]:
    """Around a call of the session: what it answers is the sequence's, also a refusal."""
    try:
        with refusals_as_failures(what, step):
            yield
    except errors.PlatformNotSupported as error:
        # The session has started on this machine: what it says of the machine later proves nothing.
        raise Failed("env:service", f"In {what}: {error}", step) from error
    except errors.ServiceError as error:
        raise failure_of(error, memory, step, what) from error


@contextmanager
def refusals_as_failures(what: str, step: int | None = None) -> Iterator[None]:
    """If a service cannot do or check something, the sequence fails; it never passes."""
    try:
        yield
    except errors.InvalidAction as error:
        raise Failed("user:invalid-action", f"In {what}: {error}", step) from error
    except (errors.InvalidInput, NotImplementedError) as error:
        raise Failed("env:service", f"In {what}: {error}", step) from error


@contextmanager
def measurement_failures(memory: MemoryWatch) -> Iterator[None]:
    """Around a measurement in processes of its own: only wrong output and time used up are the sequence's."""
    try:
        yield
    except errors.SessionTimeout as error:
        raise failure_of(error, memory, None, "the measurement") from error
    except errors.ProgramFailed as error:
        if not error.reason:  # an error of the environment's own
            raise
        raise Failed(error.reason, f"In the measurement: {error}") from error


def trace_state(env: CompilerEnv) -> StateTrace:
    """What the trace shows of the present state."""
    spec = env.environment
    return StateTrace(
        digest=str(env.observation[spec.digest_observation]),
        cost=plain_number(env.observation[spec.cost]) if spec.cost else None,
    )


def apply_actions(
    env: CompilerEnv, actions: Sequence[Action], initial: StateTrace, memory: MemoryWatch
) -> Iterator[StepTrace]:
    """Apply actions to an environment after ``reset()``, and tell of each.

    Where a trace has no costs, the actions are cheap, and one call applies all of them. If one fails then,
    they are applied one by one to the program as it was: this says which fails, and why.
    """
    table, state = env.action_table, initial
    together, is_over = _applied_together(env, actions), False
    for index, action in enumerate(actions):
        about: str | None = None
        name = action_name(table, action)
        what = f"step {index} ({name})"
        if is_over:
            detail = f"The episode ended with step {index - 1}, and {what} follows it."
            raise Failed("user:invalid-action", detail, index)
        if together is not None:
            observation, _, _, _, info = together[index]
        else:
            with session_failures(memory, index, what):
                about = subject_name(env, action)
                observation, _, is_over, _, info = env.step(action)
            if env.error is not None:
                raise failure_of(env.error, memory, index, what)
        no_effect = bool(info["action_had_no_effect"])
        if not no_effect and together is not None:
            state = StateTrace(digest=str(observation[0]), cost=None)
        elif not no_effect:
            with session_failures(memory, index, what):
                state = trace_state(env)
        yield StepTrace(
            index=index,
            action=action,
            name=name,
            had_no_effect=no_effect,
            digest=state.digest,
            cost=state.cost,
            about=about,
        )


def _applied_together(env: CompilerEnv, actions: Sequence[Action]) -> Sequence[Step] | None:
    # None if one call must not, or something fails: the environment is at the start of an episode again.
    spec, table = env.environment, env.action_table
    if spec.traces_costs or hasattr(table, "subject"):
        return None
    steps: Sequence[Step] = ()
    with suppress(
        errors.InvalidInput, errors.ServiceError, NotImplementedError
    ):  # they are told of one by one
        steps = env.steps(actions, observation_spaces=[spec.digest_observation])
    is_over = env.error is not None or any(terminated for _, _, terminated, _, _ in steps)
    if is_over or len(steps) < len(actions):
        env.reset()
        return None
    return steps


# An exception from it ends the processes and the replay at once, and is passed on.
OnProgress = Callable[[Progress], None]


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
    when_passed: Callable[[CompilerEnv], None] = lambda _: None,
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
        when_passed: Gets the environment after everything has passed, before its processes end.

    Raises:
        InvalidInput, InfrastructureFault, SandboxUnavailable: The arguments or the machine are at fault.
    """
    return _Replay(
        spec=environment_spec(environment) if isinstance(environment, str) else environment,
        benchmark=benchmark,
        on_progress=on_progress,
        sandbox=sandbox,
        wanted=metrics,
        time_factor=time_factor,
        memory_bytes=memory_bytes,
        plan=plan or MeasurementPlan(),
        when_passed=when_passed,
    ).carry_out(tuple(actions), action_space)


def _check_actions(table: ActionTable, actions: Sequence[Action]) -> tuple[Action, ...]:
    if len(actions) > limits.MAX_ACTIONS_PER_ITEM:
        detail = f"There are {len(actions)} actions; at most {limits.MAX_ACTIONS_PER_ITEM} are allowed."
        raise Failed("user:invalid-action", detail)
    checked: list[Action] = []
    for step, action in enumerate(actions):
        try:
            checked += check_actions(table, [action], step)
        except errors.InvalidAction as error:
            raise Failed("user:invalid-action", f"Step {step}: {error}", step) from error
    return tuple(checked)


@dataclass(kw_only=True)
class _Replay:
    spec: EnvironmentSpec
    benchmark: Benchmark
    on_progress: OnProgress
    sandbox: bool
    wanted: Collection[str] | None
    time_factor: float
    memory_bytes: int
    plan: MeasurementPlan
    when_passed: Callable[[CompilerEnv], None]
    env: CompilerEnv = field(init=False)
    memory: MemoryWatch = field(default_factory=MemoryWatch)
    initial: StateTrace | None = None
    steps: list[StepTrace] = field(default_factory=list)
    workloads: list[WorkloadResult] = field(default_factory=list)
    metrics: dict[str, int | float] = field(default_factory=dict)
    measurement: dict[str, Any] = field(default_factory=dict)
    confinement: dict[str, Any] = field(default_factory=dict)
    unit_began: float = 0.0

    def carry_out(self, actions: tuple[Action, ...], action_space: str | None) -> ReplayResult:
        started, spec = time.monotonic(), self.spec
        metrics = spec.metrics_named(self.wanted)
        limits.check_replay_limits(self.time_factor, self.memory_bytes)
        table = spec.action_table if action_space is None else spec.table(action_space)
        failure: Failed | None = None
        unit: dict[str, float] = {}
        try:
            actions = _check_actions(table, actions)
            with confined_env(
                spec,
                self.benchmark,
                action_space=action_space,
                sandbox=self.sandbox,
                time_factor=self.time_factor,
                memory_bytes=self.memory_bytes,
                memory=self.memory,
                failures=(Failed,),
            ) as self.env:
                self._go_through(actions, metrics)
        except Failed as error:
            failure = error
            unit["wall_seconds"] = time.monotonic() - self.unit_began if self.unit_began else 0.0
            if error.cpu_seconds is not None:
                unit["cpu_seconds"] = error.cpu_seconds
        return ReplayResult(
            environment=spec.slug,
            digest=spec.digest,
            benchmark=self.benchmark.uri,
            benchmark_sha256=self.benchmark.sha256,
            actions=tuple(actions),
            action_space="" if table is spec.action_table else table.name,
            ok=failure is None,
            reason=failure.reason if failure else None,
            detail=failure.detail if failure else "",
            failed_step=failure.step if failure else None,
            initial=self.initial,
            steps=tuple(self.steps),
            metrics=self.metrics,
            measurement=self.measurement,
            workloads=tuple(self.workloads),
            walltime=time.monotonic() - started,
            sandbox=self.confinement,
            failed_unit=unit,
        )

    def _tell(self, phase: Phase, done: int, total: int) -> None:
        self.on_progress(Progress(phase=phase, done=done, total=total))
        self.unit_began = time.monotonic()  # of the next one

    def _go_through(self, actions: tuple[Action, ...], metrics: tuple[Metric, ...]) -> None:
        self.env.reset(options={"observation_space": None, "reward_space": None})
        self.confinement = self.env.sandbox
        if not self.benchmark.workloads and self.spec.own_workloads is not None:
            self._record(self.spec.own_workloads(self.benchmark))
        with session_failures(self.memory, None, "the initial state"):
            self.initial = trace_state(self.env)
        self._tell("replaying", 0, len(actions))
        for done, step in enumerate(apply_actions(self.env, actions, self.initial, self.memory), start=1):
            self.steps.append(step)
            self._tell("replaying", done, len(actions))
        with session_failures(self.memory, None, "the verifier"):
            problem = self.env.parameter(VERIFY)
        if problem:
            raise Failed("semantics:verifier", f"The program is not valid: {problem}")
        workloads = self.benchmark.workloads
        self._tell("checking", 0, len(workloads))
        runs = run_workloads(self.env, workloads, sandbox=self.sandbox, within=self._running)
        for done, result in enumerate(runs, start=1):
            self.workloads.append(result)
            if result.reason:
                raise Failed(result.reason, f"Workload {result.name}: {result.detail}")
            self._tell("checking", done, len(workloads))
        measure = self.env.environment.measure
        self._observe([metric for metric in metrics if metric.exact or measure is None])
        if measure is not None and not all(metric.exact for metric in metrics):
            self._measure(measure, actions)
        self.when_passed(self.env)

    def _record(self, workloads: Iterable[Workload]) -> None:
        # What the program does as given is expected of it, where no workloads are recorded.
        run, recorded = self.spec.run_workload or run_in_session, []
        for workload in workloads:
            with self._running(workload):
                given = run(self.env, workload, self.sandbox)
            recorded.append(replace(workload, expected_stdout=given.stdout))
            if detail := judge(recorded[-1], given).detail:
                said = given.stdout.decode(errors="replace").strip()
                raise Failed(BROKEN, f"Workload {workload.name}, before any action: {detail} {said}".strip())
        if not recorded:
            raise Failed(BROKEN, "The program has no run that is small enough for its check.")
        self.benchmark = replace(self.benchmark, workloads=tuple(recorded))

    @contextmanager
    def _running(self, workload: Workload) -> Iterator[None]:
        # A failure outside the session is the machinery's, unless memory reached its limit.
        what = f"workload {workload.name}"
        try:
            with refusals_as_failures(what):
                yield
        except errors.ServiceError as error:
            if self.env.error is not error and not isinstance(error, errors.SessionOutOfMemory):
                raise
            raise failure_of(error, self.memory, None, what) from error

    def _observe(self, metrics: Sequence[Metric]) -> None:
        if metrics:
            self._tell("measuring", 0, len(metrics))
        for done, metric in enumerate(metrics, start=1):
            with session_failures(self.memory, None, f"measuring {metric.name}"):
                value = self.env.observe(metric.observation, cpu_seconds=limits.seconds(metric.cpu_seconds))
                self.metrics[metric.name] = plain_number(value)
            self._tell("measuring", done, len(metrics))

    def _measure(self, measure: Measure, actions: tuple[Action, ...]) -> None:
        take, plan = partial(measure, self.env, actions), self.plan
        if isinstance(measure, PreparedMeasure):
            with session_failures(self.memory, None, "preparing the measurement"):
                job = measure.prepare(self.env, actions)
            if plan.hand_over is not None:
                plan.hand_over(job)
                return
            take = partial(measure.measure, job)
        with measurement_failures(self.memory):
            found = take(replace(plan, between=partial(self._tell, "measuring")))
        self.metrics.update(found.metrics)
        self.measurement = _measurement_data(found)


def _measurement_data(measurement: Measurement) -> dict[str, Any]:
    return {"metrics": sorted(measurement.metrics), **measurement.details}


def finish_measurement(  # noqa: PLR0913 # all by keyword
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
        raise errors.InvalidInput(
            f"{spec.slug} has no measurement in two parts.",
            field="environment",
            value=spec.slug,
            remedy="Replay the actions: optarena.replay.replay measures, too.",
        )
    limits.check_replay_limits(time_factor, memory_bytes)
    started, memory = time.monotonic(), MemoryWatch()
    failure: Failed | None = None
    found = Measurement(metrics={}, details={})

    def between(done: int, total: int) -> None:
        on_progress(Progress(phase="measuring", done=done, total=total))

    try:
        with (
            confine_replay(
                memory=memory, time_factor=time_factor, memory_bytes=memory_bytes, failures=(Failed,)
            ),
            measurement_failures(memory),
        ):
            found = measure.measure(job, replace(plan, between=between))
    except Failed as error:
        failure = error
    seconds = time.monotonic() - started
    return replace(
        begun,
        ok=failure is None,
        reason=failure.reason if failure else None,
        detail=failure.detail if failure else "",
        metrics={**begun.metrics, **found.metrics},
        measurement={} if failure else _measurement_data(found),
        walltime=begun.walltime + seconds,
        failed_unit={"wall_seconds": seconds} if failure else {},
    )
