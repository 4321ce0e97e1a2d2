"""Replaying an action sequence step by step and checking the result: the same code for users and runners.

A replay steps a real environment. A fault of the sequence is a result, with a reason id; only a failure of
the machinery itself is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from signal import SIGKILL
from typing import TYPE_CHECKING, Any

from optarena import limits
from optarena.actions import check_actions
from optarena.env import CompilerEnv
from optarena.env.failures import action_name
from optarena.env.workloads import judge, run_workloads
from optarena.errors import (
    InvalidAction,
    InvalidInput,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionTimeout,
    TransportError,
)
from optarena.service.protocol.parameters import VERIFY
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.results import (
    Difference,
    Progress,
    ReplayResult,
    StateTrace,
    StepTrace,
    WorkloadResult,
    first_difference,
)

if TYPE_CHECKING:
    from optarena.actions import Action, ActionTable
    from optarena.specs.benchmark import Benchmark, Workload

__all__ = [
    "Difference",
    "Progress",
    "ReplayResult",
    "StateTrace",
    "StepTrace",
    "WorkloadResult",
    "first_difference",
    "judge",
    "replay",
]

OnProgress = Callable[[Progress], None]


class _Failed(Exception):  # never leaves this module
    """The sequence fails a check."""

    def __init__(self, reason: str, detail: str, step: int | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.step = step


@dataclass
class _Findings:
    """What a replay has found so far."""

    initial: StateTrace | None = None
    steps: list[StepTrace] = field(default_factory=list)
    workloads: list[WorkloadResult] = field(default_factory=list)
    metrics: dict[str, int | float] = field(default_factory=dict)
    measurement: dict[str, Any] = field(default_factory=dict)
    sandbox: dict[str, Any] = field(default_factory=dict)
    failure: _Failed | None = None

    def result(
        self, spec: EnvironmentSpec, benchmark: Benchmark, actions: Sequence[Action], walltime: float
    ) -> ReplayResult:
        """The findings as the result of a replay."""
        failure = self.failure
        return ReplayResult(
            environment=spec.slug,
            digest=spec.digest,
            benchmark=benchmark.uri,
            benchmark_sha256=benchmark.sha256,
            actions=tuple(actions),
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
        )


def replay(  # noqa: PLR0913 # all by keyword
    *,
    environment: str | EnvironmentSpec,
    benchmark: Benchmark,
    actions: Sequence[Action],
    action_space: str | None = None,
    sandbox: bool = True,
    on_progress: OnProgress = lambda _: None,
) -> ReplayResult:
    """Apply the actions to the benchmark in a fresh process, check the result, and measure it.

    The order: actions valid, replay action by action, program valid, output unchanged on every workload,
    metrics. The first check that fails ends the replay.

    Args:
        environment: Id, slug or spec.
        benchmark: The program, with its workloads.
        actions: Members of the environment's action space: indices into its table, where it is discrete.
        action_space: The name of one of the environment's further action spaces, if the actions belong to
            that.
        sandbox: Confine the compiler and the program; only a person's own machine may do without.
        on_progress: Called before the first and after each action, workload and metric. An exception from it
            ends the processes and the replay at once, and is passed on.

    Raises:
        SandboxUnavailable: The sandbox was requested, and this kernel does not support it.
        ServiceError: The service could not be started, or was killed from outside.
        InvalidInput: The benchmark's program is damaged or cannot be read by the compiler.
    """
    started = time.monotonic()
    spec = environment_spec(environment) if isinstance(environment, str) else environment
    found, canonical = _Findings(), tuple(actions)
    try:
        table = spec.action_table if action_space is None else spec.table(action_space)
        canonical = checked = _check_actions(table, actions)
        with CompilerEnv(spec, benchmark=benchmark, action_space=action_space, sandbox=sandbox) as env:
            _Replay(env, benchmark, found, on_progress, sandbox=sandbox).run(checked)
    except _Failed as error:
        found.failure = error
    return found.result(spec, benchmark, canonical, time.monotonic() - started)


def _check_actions(table: ActionTable, actions: Sequence[Action]) -> tuple[Action, ...]:
    if len(actions) > limits.MAX_ACTIONS_PER_ITEM:
        detail = f"There are {len(actions)} actions; at most {limits.MAX_ACTIONS_PER_ITEM} are allowed."
        raise _Failed("user:invalid-action", detail)
    checked: list[Action] = []
    for step, action in enumerate(actions):
        try:
            checked += check_actions(table, [action], step)
        except InvalidAction as error:
            raise _Failed("user:invalid-action", f"Step {step}: {error}", step) from error
    return tuple(checked)


class _Replay:
    """One replay in progress, in an environment of its own."""

    def __init__(
        self,
        env: CompilerEnv,
        benchmark: Benchmark,
        found: _Findings,
        on_progress: OnProgress,
        *,
        sandbox: bool,
    ) -> None:
        self.env = env
        self.benchmark = benchmark
        self.found = found
        self.on_progress = on_progress
        self.sandbox = sandbox

    def run(self, actions: tuple[Action, ...]) -> None:
        """All phases in order."""
        self.env.reset(options={"observation_space": None, "reward_space": None})
        self.found.sandbox = self.env.sandbox
        self._replay(actions)
        self._verify()
        self._run_workloads()
        self._observe_metrics()
        self._measure(actions)

    def _replay(self, actions: tuple[Action, ...]) -> None:
        total = len(actions)
        with self._reporting(None, "the initial state"):
            self.found.initial = self._trace()
        state = self.found.initial
        self.on_progress(Progress(phase="replaying", done=0, total=total))
        table = self.env.action_table
        for index, action in enumerate(actions):
            _, _, _, _, info = self.env.step(action)
            if self.env.error is not None:
                raise _failure(self.env.error, index, f"step {index} ({action_name(table, action)})")
            no_effect = bool(info["action_had_no_effect"])
            if not no_effect:
                with self._reporting(index, f"step {index} ({action_name(table, action)})"):
                    state = self._trace()
            self.found.steps.append(
                StepTrace(
                    index=index,
                    action=action,
                    name=action_name(table, action),
                    had_no_effect=no_effect,
                    digest=state.digest,
                    cost=state.cost,
                )
            )
            self.on_progress(Progress(phase="replaying", done=index + 1, total=total))

    def _trace(self) -> StateTrace:
        spec = self.env.environment
        return StateTrace(
            digest=str(self.env.observation[spec.digest_observation]),
            cost=_number(self.env.observation[spec.cost]) if spec.cost else None,
        )

    def _verify(self) -> None:
        with self._reporting(None, "the verifier"), _known_to_the_service("the verifier"):
            problem = self.env.parameter(VERIFY)
        if problem:
            raise _Failed("semantics:verifier", f"The program is not valid: {problem}")

    def _run_workloads(self) -> None:
        workloads = self.benchmark.workloads
        self.on_progress(Progress(phase="checking", done=0, total=len(workloads)))
        runs = run_workloads(self.env, workloads, sandbox=self.sandbox, within=self._running)
        for done, result in enumerate(runs, start=1):
            self.found.workloads.append(result)
            if result.reason:
                raise _Failed(result.reason, f"Workload {result.name}: {result.detail}")
            self.on_progress(Progress(phase="checking", done=done, total=len(workloads)))

    @contextmanager
    def _running(self, workload: Workload) -> Iterator[None]:
        """Around a run: a failure of anything but the session belongs to the machinery, and is raised."""
        what = f"workload {workload.name}"
        try:
            with _known_to_the_service(what):
                yield
        except ServiceError as error:
            if self.env.error is not error:
                raise
            raise _failure(error, None, what) from error

    def _observe_metrics(self) -> None:
        spec = self.env.environment
        metrics = [metric for metric in spec.metrics if metric.exact or spec.measure is None]
        if not metrics:
            return
        self.on_progress(Progress(phase="measuring", done=0, total=len(metrics)))
        for done, metric in enumerate(metrics, start=1):
            with self._reporting(None, f"measuring {metric.name}"):
                self.found.metrics[metric.name] = _number(self.env.observation[metric.observation])
            self.on_progress(Progress(phase="measuring", done=done, total=len(metrics)))

    def _measure(self, actions: tuple[Action, ...]) -> None:
        measure = self.env.environment.measure
        if measure is None:
            return

        def between(done: int, total: int) -> None:
            self.on_progress(Progress(phase="measuring", done=done, total=total))

        try:
            measured = measure(self.benchmark, actions, between)
        except SessionTimeout as error:
            # The only failure that the actions may cause: the code that measures is the environment's.
            raise _failure(error, None, "the measurement") from error
        self.found.metrics.update(measured.metrics)
        self.found.measurement.update(metrics=sorted(measured.metrics), **measured.details)

    @contextmanager
    def _reporting(self, step: int | None, what: str) -> Iterator[None]:
        try:
            yield
        except ServiceError as error:
            raise _failure(error, step, what) from error


@contextmanager
def _known_to_the_service(what: str) -> Iterator[None]:
    """If a service cannot check something, the check fails; it never passes."""
    try:
        yield
    except (InvalidInput, NotImplementedError) as error:
        raise _Failed("env:service", f"In {what}: {error}") from error


def _failure(error: ServiceError, step: int | None, what: str) -> _Failed:
    """The failure that a compiler's error stands for.

    Raises:
        ServiceError: The error says nothing about the sequence: the service was lost or killed from outside.
    """
    if isinstance(error, (ServiceClosed, TransportError)):
        raise error
    if isinstance(error, SessionCrashed) and error.signal == SIGKILL:
        raise error
    return _Failed(f"env:{error.error_type}", f"In {what}: {error}", step)


def _number(value: object) -> int | float:
    """A measured value as plain Python, which JSON and the database know.

    Raises:
        InvalidInput: It is not a single number: the environment names an observation of another type.
    """
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool) or not isinstance(plain, (int, float)):
        message = f"A cost or metric must be a number, not {type(value).__name__}."
        remedy = "Correct the observations that the environment's metrics name."
        raise InvalidInput(message, field="metrics", value=str(value)[:100], remedy=remedy)
    return plain
