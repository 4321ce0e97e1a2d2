"""Validating one state: a replay in a process of its own, its reward, and its program run again.

A program that fails a workload is run again as it was given: if that fails too, even once, the state is not
to blame, and the reason says so (``benchmark:flaky``, ``benchmark:broken``).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets import datasets
from optarena.specs.benchmark import Benchmark
from optarena.env import CompilerEnv
from optarena.env.workloads import run_workloads
from optarena.errors import InfrastructureFault, InvalidInput, ServiceError
from optarena.replay import Progress, replay
from optarena.specs.results import ReplayResult
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.reasons import BROKEN, MISMATCH
from optarena.specs.rewards import UNOPTIMISED, RewardSpec
from optarena.validation.result import Comparison, ValidationProblem, ValidationResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from optarena.specs.benchmark import Workload
    from optarena.specs.results import WorkloadResult
    from optarena.state import EnvState

TOLERANCE: Final = 1e-9
"""Relative and absolute: a sum of rewards differs from the exact total by rounding only."""
REPEATS: Final = 2
"""How many times each workload is run by default."""
_SUSPECT_RUNS: Final = 3
"""How many times the unoptimised program is run on a failed workload."""
_NOTHING: Final = {"observation_space": None, "reward_space": None}


def validate_state(  # noqa: PLR0913 # all but the state by keyword
    state: EnvState,
    *,
    environment: str | EnvironmentSpec,
    reward_space: str | None = None,
    benchmark: Benchmark | None = None,
    sandbox: bool = True,
    reward_sandbox: bool | None = None,
    repeats: int = REPEATS,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> ValidationResult:
    """Replay a state and compare its reward and claims.

    Args:
        state: What to validate; its command line may be of any of the environment's action spaces.
        environment: Id, slug or spec of the state's environment.
        reward_space: The reward space of ``state.reward``; the environment's default if None. One whose cost
            varies is not compared.
        benchmark: The benchmark, if the caller has it; else it is looked up.
        sandbox: As for ``replay``.
        reward_sandbox: The same for observing a reward that the replay does not measure; ``sandbox`` if None.
            A reward that needs a linker is not compared in a confined session.
        repeats: How many times each workload is run; 1 for the replay's run alone.
        on_progress: As for ``replay``.

    Raises:
        InvalidInput: ``repeats`` is not a positive integer.
        UnknownName: The environment, the reward space or the benchmark does not exist.
        SandboxUnavailable: The sandbox was requested, and this kernel does not support it.
        ServiceError: The service could not be started, or the reward could not be observed again.
    """
    started = time.monotonic()
    _check_repeats(repeats)
    spec = environment_spec(environment) if isinstance(environment, str) else environment
    reward = spec.reward(wanted) if (wanted := reward_space or spec.reward_space) else None
    program = benchmark or datasets().benchmark(state.benchmark)
    reward_sandbox = sandbox if reward_sandbox is None else reward_sandbox
    found = _Validation(state, spec, reward, program, sandbox, reward_sandbox, repeats, on_progress).result()
    return replace(found, walltime=time.monotonic() - started)


def _check_repeats(repeats: object) -> None:
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        message = f"repeats is {repeats!r:.100}."
        raise InvalidInput(message, field="repeats", value=repeats, remedy="Give an integer of at least 1.")


def replayed_reward(
    spec: EnvironmentSpec,
    reward: RewardSpec,
    benchmark: Benchmark,
    result: ReplayResult,
    *,
    sandbox: bool = True,
) -> float:
    """The episode's reward by a successful replay; a cost that it did not measure is observed.

    Raises:
        ServiceError: It could not be observed.
    """
    programs = _Programs(spec, benchmark, result.action_space or None, result.actions, sandbox=sandbox)
    return programs.reward(reward, result)


@dataclass(frozen=True)
class _Validation:
    """The arguments of a validation; see :func:`validate_state`."""

    state: EnvState
    spec: EnvironmentSpec
    reward: RewardSpec | None
    benchmark: Benchmark
    sandbox: bool
    reward_sandbox: bool
    repeats: int
    on_progress: Callable[[Progress], None]

    def result(self) -> ValidationResult:
        """The result, without its time."""
        try:
            table, actions = self.spec.parse(self.state.commandline)
        except InvalidInput as error:
            problem = ValidationProblem(reason="user:invalid-action", field=error.field, message=str(error))
            return ValidationResult(
                state=self.state,
                problems=(problem,),
                comparison=self._comparison(None),
                remark="There was no replay.",
            )
        action_space = None if table is self.spec.action_table else table.name
        programs = _Programs(self.spec, self.benchmark, action_space, actions, sandbox=self.sandbox)
        replayed = replay(
            environment=self.spec,
            benchmark=self.benchmark,
            actions=actions,
            action_space=action_space,
            sandbox=self.sandbox,
            on_progress=self.on_progress,
        )
        return self._compared(programs, replayed)

    def _comparison(self, reward: float | None) -> Comparison:
        """How the state's reward was compared with that of the replay; None if there is none."""
        return "none" if self.state.reward is None else "not-compared" if reward is None else "exact"

    def _compared(self, programs: _Programs, replayed: ReplayResult) -> ValidationResult:
        reward, remark = None, ""
        if replayed.ok:
            reward, remark = _rewarded(replace(programs, sandbox=self.reward_sandbox), self.reward, replayed)
            mismatches = _mismatches(self.state, replayed, reward, self.spec)
            found = [*mismatches, *_failures_again(programs, self.repeats - 1)]
        else:
            found, remark = [_failure(replayed, programs)], "The replay failed."
        return ValidationResult(
            state=self.state,
            problems=tuple(found),
            reward=reward,
            comparison=self._comparison(reward),
            remark=remark,
            replay=replayed,
        )


@dataclass
class _Programs:
    """A benchmark's program, as given and as optimised by some actions."""

    spec: EnvironmentSpec
    benchmark: Benchmark
    action_space: str | None
    actions: Sequence[Any]
    sandbox: bool

    def reward(self, reward: RewardSpec, result: ReplayResult) -> float:
        """The reward of the whole episode."""
        measured = {metric.observation: result.metrics.get(metric.name) for metric in self.spec.metrics}
        costs = {level: self.benchmark.baseline(reward.metric, level) for level in reward.levels}
        if reward.cost == self.spec.cost and costs.get(UNOPTIMISED, 0) is None and result.initial is not None:
            costs[UNOPTIMISED] = result.initial.cost
        known = {level: float(value) for level, value in costs.items() if value is not None}
        last = measured.get(reward.cost)
        if last is not None and len(known) == len(costs):
            return reward.at(known).total(last)
        with self._env() as env:
            env.reset(options={"observation_space": None, "reward_space": reward.name})
            env.multistep(self.actions)
            error, total = env.error, env.episode_reward
        if error is not None:
            raise error
        return float(total or 0.0)

    def run_again(self, times: int) -> list[ValidationProblem]:
        """Run every workload of the optimised program again, several times; stops at the first failure."""
        if times < 1 or not self.benchmark.workloads:
            return []
        with self._env() as env:
            env.reset(options=_NOTHING)
            env.multistep(self.actions)
            if env.error is not None:
                raise env.error
            failed = [run for run in self._runs(env, self.benchmark.workloads * times) if not run.ok]
        what = "which passed before, failed when run again"
        return [self.blame(run, f"Workload {run.name}, {what}: {run.detail}", passed=True) for run in failed]

    def blame(self, failed: WorkloadResult, detail: str, *, passed: bool = False) -> ValidationProblem:
        """The problem of a failed workload: the state's, or the benchmark's if its original program fails.

        Args:
            failed: The run.
            detail: What happened, for people.
            passed: Whether another run of it, in any state, has passed.
        """
        workload = next(one for one in self.benchmark.workloads if one.name == failed.name)
        found: list[WorkloadResult] = []
        for _ in range(_SUSPECT_RUNS):
            with self._env() as env:
                env.reset(options=_NOTHING)
                found.extend(self._runs(env, [workload]))
        faults = [run.detail for run in found if not run.ok]
        if not faults:
            return ValidationProblem(reason=failed.reason or "", field="commandline", message=detail)
        steady = not passed and len(faults) == len(found) and len(set(faults)) == 1
        message = (
            f"The benchmark is {'broken' if steady else 'flaky'}: its original program fails workload "
            f"{failed.name}, too, {len(faults)} of {len(found)} times. {faults[0]}"
        )
        reason = BROKEN if steady else "benchmark:flaky"
        return ValidationProblem(reason=reason, field="benchmark", message=message)

    def _runs(self, env: CompilerEnv, workloads: Iterable[Workload]) -> Iterator[WorkloadResult]:
        return run_workloads(env, workloads, sandbox=self.sandbox)

    def _env(self) -> CompilerEnv:
        return CompilerEnv(
            self.spec, benchmark=self.benchmark, action_space=self.action_space, sandbox=self.sandbox
        )


def _failures_again(programs: _Programs, times: int) -> list[ValidationProblem]:
    """What fails when the workloads are run again; a fault of the machinery is this state's alone."""
    try:
        return programs.run_again(times)
    except ServiceError as error:
        reason = error.reason if isinstance(error, InfrastructureFault) else f"env:{error.error_type}"
        message = f"Its replay passed, but its workloads could not be run again: {error}"
        return [ValidationProblem(reason=reason, field="commandline", message=message)]


def _failure(result: ReplayResult, programs: _Programs) -> ValidationProblem:
    last = result.workloads[-1] if result.workloads else None
    if last is not None and not last.ok and programs.benchmark.workloads:
        return programs.blame(last, result.detail)
    field = "benchmark" if result.reason == BROKEN else "commandline"
    return ValidationProblem(reason=result.reason or "", field=field, message=result.detail)


def _rewarded(
    programs: _Programs, reward: RewardSpec | None, result: ReplayResult
) -> tuple[float | None, str]:
    """The reward, or None and why there is nothing to compare with."""
    if reward is None:
        return None, "The environment has no reward space to compare it in."
    if not reward.deterministic:
        return None, f"{reward.name} varies from run to run."
    try:
        return programs.reward(reward, result), ""
    except InvalidInput as error:  # no linker, or none that is allowed
        return None, str(error)


def _mismatches(
    state: EnvState, result: ReplayResult, reward: float | None, spec: EnvironmentSpec
) -> list[ValidationProblem]:
    problems = []
    for name, claimed in state.claims.items():
        measured = result.metrics.get(name)
        if measured is None:
            problems.append(_mismatch(name, claimed, None))
        elif spec.metric(name).exact and claimed != measured:
            problems.append(_mismatch(name, claimed, measured))
    if state.reward is not None and reward is not None and not _close(state.reward, reward):
        problems.append(_mismatch("reward", state.reward, reward))
    return problems


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _mismatch(name: str, claimed: float, measured: float | None) -> ValidationProblem:
    found = "the environment does not measure it" if measured is None else f"the replay gives {measured}"
    return ValidationProblem(
        reason=MISMATCH,
        field=name,
        message=f"{name} is claimed to be {claimed}, but {found}.",
        claimed=claimed,
        measured=measured,
    )
