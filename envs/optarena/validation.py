"""Validating a state: replay it and compare what it says with what the replay gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.replay import Progress, ReplayResult, replay
from optarena.reward import UNOPTIMISED, RewardSpec
from optarena.specs import EnvironmentSpec, environment_spec

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.state import EnvState

TOLERANCE: Final = 1e-9
"""Relative and absolute: a sum of rewards differs from the exact total by rounding only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationProblem:
    """One thing that does not hold: its reason id, what it is about, and a sentence for people."""

    reason: str
    field: str
    message: str
    claimed: float | str | None = None
    measured: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationResult:
    """What validating a state found.

    Attributes:
        state: The state.
        problems: Everything that does not hold; empty if the state is valid.
        reward: The episode's reward by the replay; None if that failed.
        replay: The replay; None if the state was not replayable at all.
    """

    state: EnvState
    problems: tuple[ValidationProblem, ...] = ()
    reward: float | None = None
    replay: ReplayResult | None = None

    @property
    def ok(self) -> bool:
        """Whether everything the state says holds."""
        return not self.problems

    def __str__(self) -> str:
        verdict = "valid" if self.ok else "; ".join(problem.message for problem in self.problems)
        return f"{self.state.benchmark}: {verdict}"


def validate_state(  # noqa: PLR0913 # all but the state by keyword
    state: EnvState,
    *,
    environment: str | EnvironmentSpec,
    reward_space: str | None = None,
    benchmark: Benchmark | None = None,
    sandbox: bool = True,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> ValidationResult:
    """Replay a state and compare its reward and claims.

    Args:
        state: What to validate.
        environment: Id, slug or spec of the environment that it is a state of.
        reward_space: What ``state.reward`` is in; the environment's default if None.
        benchmark: The benchmark, if the caller has it; else it is looked up.
        sandbox: As for ``replay``.
        on_progress: As for ``replay``.

    Raises:
        UnknownName: The environment, the reward space or the benchmark does not exist.
        SandboxUnavailable: The sandbox was asked for and this kernel does not have it.
        ServiceError: The service could not be started.
    """
    spec = environment_spec(environment) if isinstance(environment, str) else environment
    reward_spec = spec.reward(reward_space or spec.reward_space)
    program = benchmark or datasets().benchmark(state.benchmark)
    try:
        actions = spec.parse_commandline(state.commandline)
    except InvalidInput as error:
        problem = ValidationProblem(reason="user:invalid-action", field=error.field, message=str(error))
        return ValidationResult(state=state, problems=(problem,))
    result = replay(
        environment=spec, benchmark=program, actions=actions, sandbox=sandbox, on_progress=on_progress
    )
    if not result.ok:
        return ValidationResult(state=state, problems=(_failure(result),), replay=result)
    reward = replayed_reward(spec, reward_spec, program, result, sandbox=sandbox)
    problems = tuple(_mismatches(state, result, reward, spec))
    return ValidationResult(state=state, problems=problems, reward=reward, replay=result)


def replayed_reward(
    spec: EnvironmentSpec,
    reward: RewardSpec,
    benchmark: Benchmark,
    result: ReplayResult,
    *,
    sandbox: bool = True,
) -> float:
    """The episode's reward by a successful replay; baselines that are not recorded are computed."""
    recorded = {level: benchmark.baseline(reward.metric, level) for level in reward.levels}
    missing = [level for level, value in recorded.items() if value is None]
    costs = {level: float(value) for level, value in recorded.items() if value is not None}
    if UNOPTIMISED in missing and reward.cost == spec.cost and result.initial is not None:
        missing.remove(UNOPTIMISED)
        costs[UNOPTIMISED] = float(result.initial.cost)
    if missing:
        with CompilerEnv(spec, benchmark=benchmark, sandbox=sandbox) as env:
            env.reset(options={"observation_space": None, "reward_space": None})
            costs.update({level: float(env.observation[f"{reward.cost}{level}"]) for level in missing})
    function = reward.at(initial=costs[UNOPTIMISED], baseline=costs.get(reward.level))
    return function.total(result.metrics[reward.metric])


def _failure(result: ReplayResult) -> ValidationProblem:
    return ValidationProblem(reason=result.reason or "", field="commandline", message=result.detail)


def _mismatches(
    state: EnvState, result: ReplayResult, reward: float, spec: EnvironmentSpec
) -> list[ValidationProblem]:
    problems = []
    for name, claimed in state.claims.items():
        measured = result.metrics.get(name)
        if measured is None:
            problems.append(_mismatch(name, claimed, None))
        elif spec.metric(name).exact and claimed != measured:
            problems.append(_mismatch(name, claimed, measured))
    if state.reward is not None and not _close(state.reward, reward):
        problems.append(_mismatch("reward", state.reward, reward))
    return problems


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _mismatch(name: str, claimed: float, measured: float | None) -> ValidationProblem:
    found = "the environment does not measure it" if measured is None else f"the replay gives {measured}"
    return ValidationProblem(
        reason="claim:mismatch",
        field=name,
        message=f"{name} is claimed to be {claimed}, but {found}.",
        claimed=claimed,
        measured=measured,
    )
