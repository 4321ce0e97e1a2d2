"""Replaying an action sequence step by step and checking what came out: the same code for users and runners.

It drives the environment's own path. What is wrong with the sequence is a result, with its reason id; only
a failure of the machinery itself is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from signal import SIGKILL
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.env import CompilerEnv
from optarena.errors import (
    InvalidAction,
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    TransportError,
)
from optarena.llvm.execution import Execution, run_program
from optarena.replay_result import (
    Difference,
    Progress,
    ReplayResult,
    StateTrace,
    StepTrace,
    WorkloadResult,
    first_difference,
)
from optarena.specs import EnvironmentSpec, environment_spec

if TYPE_CHECKING:
    from optarena.datasets.benchmark import Benchmark, Workload

__all__ = [
    "Difference",
    "Progress",
    "ReplayResult",
    "StateTrace",
    "StepTrace",
    "WorkloadResult",
    "first_difference",
    "replay",
]

VERIFY_PARAMETER: Final = "verify"
"""A session parameter: the reply is empty, or says what is invalid about the present state."""

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
    sandbox: dict[str, Any] = field(default_factory=dict)
    failure: _Failed | None = None

    def result(
        self, spec: EnvironmentSpec, benchmark: Benchmark, actions: Sequence[int], walltime: float
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
            workloads=tuple(self.workloads),
            walltime=walltime,
            sandbox=self.sandbox,
        )


def replay(
    *,
    environment: str | EnvironmentSpec,
    benchmark: Benchmark,
    actions: Sequence[int],
    sandbox: bool = True,
    on_progress: OnProgress = lambda _: None,
) -> ReplayResult:
    """Apply the actions to the benchmark in a fresh process, check the result, and measure it.

    The order: actions valid, replay action by action, module valid, output unchanged on every workload,
    metrics. The first check that fails ends the replay.

    Args:
        environment: Id, slug or spec.
        benchmark: The program, with its workloads.
        actions: Indices into the environment's action table.
        sandbox: Confine the compiler and the program; only a person's own machine may do without.
        on_progress: Called before the first and after each action, workload and metric. What it raises
            ends the replay at once and is passed on; the processes are ended before.

    Raises:
        SandboxUnavailable: The sandbox was asked for and this kernel does not have it.
        ServiceError: The service could not be started, or was killed from outside.
        InvalidInput: The benchmark's program is damaged or cannot be read by the compiler.
    """
    started = time.monotonic()
    spec = environment_spec(environment) if isinstance(environment, str) else environment
    found = _Findings()
    try:
        checked = _check_actions(spec, actions)
        with CompilerEnv(spec, benchmark=benchmark, sandbox=sandbox) as env:
            _Replay(env, benchmark, found, on_progress, sandbox=sandbox).run(checked)
    except _Failed as error:
        found.failure = error
    return found.result(spec, benchmark, actions, time.monotonic() - started)


def _check_actions(spec: EnvironmentSpec, actions: Sequence[int]) -> tuple[int, ...]:
    if len(actions) > limits.MAX_ACTIONS_PER_ITEM:
        detail = f"{len(actions)} actions are more than the {limits.MAX_ACTIONS_PER_ITEM} allowed."
        raise _Failed("user:invalid-action", detail)
    for step, action in enumerate(actions):
        try:
            spec.check_actions([action])
        except InvalidAction as error:
            raise _Failed("user:invalid-action", f"Step {step}: {error}", step) from error
    return spec.check_actions(actions)


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

    def run(self, actions: tuple[int, ...]) -> None:
        """All phases in order."""
        self.env.reset(options={"observation_space": None, "reward_space": None})
        self.found.sandbox = self.env.sandbox
        self._replay(actions)
        self._verify()
        self._run_workloads()
        self._measure()

    def _replay(self, actions: tuple[int, ...]) -> None:
        total = len(actions)
        with self._reporting(None, "the initial state"):
            self.found.initial = self._trace()
        state = self.found.initial
        self.on_progress(Progress(phase="replaying", done=0, total=total))
        names = self.env.environment.action_table.names
        for index, action in enumerate(actions):
            _, _, _, _, info = self.env.step(action)
            if self.env.error is not None:
                raise _failure(self.env.error, index, f"step {index} ({names[action]})")
            no_effect = bool(info["action_had_no_effect"])
            if not no_effect:
                with self._reporting(index, f"step {index} ({names[action]})"):
                    state = self._trace()
            self.found.steps.append(
                StepTrace(
                    index=index,
                    action=action,
                    name=names[action],
                    had_no_effect=no_effect,
                    ir_digest=state.ir_digest,
                    ir_instructions=state.ir_instructions,
                )
            )
            self.on_progress(Progress(phase="replaying", done=index + 1, total=total))

    def _trace(self) -> StateTrace:
        return StateTrace(
            ir_digest=self.env.observation["IrSha1"],
            ir_instructions=self.env.observation["IrInstructionCount"],
        )

    def _verify(self) -> None:
        with self._reporting(None, "the verifier"):
            problem = self.env.parameter(VERIFY_PARAMETER)
        if problem:
            raise _Failed("semantics:verifier", f"The module is not valid: {problem}")

    def _run_workloads(self) -> None:
        workloads = self.benchmark.workloads
        self.on_progress(Progress(phase="checking", done=0, total=len(workloads)))
        if not workloads:
            return
        with self._reporting(None, "writing the bitcode"):
            program: bytes = self.env.observation["Bitcode"]
        for done, workload in enumerate(workloads, start=1):
            execution = run_program(program, args=workload.args, stdin=workload.stdin, sandbox=self.sandbox)
            result = judge(workload, execution)
            self.found.workloads.append(result)
            if result.reason:
                raise _Failed(result.reason, f"Workload {workload.name}: {result.detail}")
            self.on_progress(Progress(phase="checking", done=done, total=len(workloads)))

    def _measure(self) -> None:
        metrics = self.env.environment.metrics
        self.on_progress(Progress(phase="measuring", done=0, total=len(metrics)))
        for done, metric in enumerate(metrics, start=1):
            with self._reporting(None, f"measuring {metric.name}"):
                self.found.metrics[metric.name] = self.env.observation[metric.observation]
            self.on_progress(Progress(phase="measuring", done=done, total=len(metrics)))

    @contextmanager
    def _reporting(self, step: int | None, what: str) -> Iterator[None]:
        try:
            yield
        except ServiceError as error:
            raise _failure(error, step, what) from error


def _failure(error: ServiceError, step: int | None, what: str) -> _Failed:
    """The failure that a compiler's error is.

    Raises:
        ServiceError: The error says nothing about the sequence: the service was lost or killed from outside.
    """
    if isinstance(error, (ServiceClosed, TransportError)):
        raise error
    if isinstance(error, SessionCrashed) and error.signal == SIGKILL:
        raise error
    return _Failed(f"env:{error.error_type}", f"In {what}: {error}", step)


def judge(workload: Workload, execution: Execution) -> WorkloadResult:
    """Whether a run of the optimised program did what the original does."""
    reason, detail = _verdict(workload, execution)
    return WorkloadResult(
        name=workload.name, ok=reason is None, reason=reason, seconds=execution.seconds, detail=detail
    )


def _verdict(workload: Workload, execution: Execution) -> tuple[str | None, str]:
    if execution.jit_error is not None:
        return "semantics:crash", f"The program cannot be run any more: {execution.jit_error}"
    if execution.timed_out:
        return "semantics:timeout", f"It did not end within {execution.seconds:.0f} s."
    if execution.signal is not None:
        return "semantics:crash", f"It was killed by signal {execution.signal}. {execution.stderr}".strip()
    if execution.output_truncated or execution.stdout != workload.expected_stdout:
        return "semantics:output-differs", _output_difference(workload.expected_stdout, execution.stdout)
    if execution.exit_code != workload.exit_code:
        return (
            "semantics:exit-code",
            f"It ended with exit code {execution.exit_code} instead of {workload.exit_code}.",
        )
    return None, ""


def _output_difference(expected: bytes, actual: bytes) -> str:
    pairs = enumerate(zip(expected, actual, strict=False))
    position = next((index for index, (one, other) in pairs if one != other), min(len(expected), len(actual)))
    window = slice(max(0, position - 20), position + 20)
    return (
        f"It printed {actual[window]!r} instead of {expected[window]!r} at byte {position} "
        f"({len(actual)} bytes instead of {len(expected)})."
    )
