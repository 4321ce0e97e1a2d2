"""Episodes to train a policy in: a program, often the beginning of a known sequence, then free actions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.agents.policies import FEATURES, OBSERVATION, input_size, policy_input
from optarena.agents.trials import WalkSoFar
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.agents.known_sequences import Portfolio
    from optarena.agents.outcomes import Objective, Sequence
    from optarena.datasets import Benchmark
    from optarena.specs import EnvironmentSpec

Observed = np.ndarray[Any, np.dtype[np.float32]]
# The part of episodes that begin behind a part of a known sequence: there proposals are asked for.
_BEHIND: Final = 0.5
# So many actions an episode has left behind a known sequence.
_LEAST_LEFT: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """What a policy is trained on.

    Attributes:
        objective: What it optimises: the environment's cost.
        portfolio: Half of the episodes start behind the beginnings of its sequences; None for none.
        length: The number of actions of an episode.
        steps: How many actions are taken at least; a training takes whole rollouts.

    Raises:
        InvalidInput: There are no programs.
    """

    environment: EnvironmentSpec
    objective: Objective
    benchmarks: tuple[Benchmark, ...]
    portfolio: Portfolio | None = None
    length: int = 45
    steps: int = 100_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.benchmarks:
            raise InvalidInput("There are no programs to learn from.", field="from", remedy="Name a dataset.")

    @property
    def trained_on(self) -> tuple[str, ...]:
        # And those from which the portfolio was learned.
        before = () if self.portfolio is None else self.portfolio.trained_on
        return tuple(dict.fromkeys((*(one.uri for one in self.benchmarks), *before)))

    @property
    def actions(self) -> int:
        return len(self.environment.action_table.names)


class Episodes(gymnasium.Env[Observed, np.int64]):
    """The episodes of a plan; ``so_far`` is the present one.

    An observation has the inputs of the network, and then for each action 1 if it had no effect since the
    program changed, else 0: the policy may not choose it. The reward of an action is the logarithm of the
    cost before it divided by the cost after it.

    Raises:
        InvalidInput: The environment does not show what policies look at.
    """

    def __init__(self, plan: TrainingPlan) -> None:
        self._plan = plan
        self._cost = plan.objective.cost.observation
        self._env = CompilerEnv(plan.environment)
        if OBSERVATION not in self._env.observation:
            self._env.close()
            message = f"{plan.environment.slug} does not observe {OBSERVATION}, which policies look at."
            remedy = "Choose an environment that does."
            raise InvalidInput(message, field="env", value=plan.environment.slug, remedy=remedy)
        high = np.full(input_size(FEATURES, plan.actions) + plan.actions, np.inf, np.float32)
        self.observation_space = gymnasium.spaces.Box(np.zeros_like(high), high)
        self.action_space = gymnasium.spaces.Discrete(plan.actions)
        self.so_far = WalkSoFar((), (), None)
        self._value = 1.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        benchmark = self._plan.benchmarks[int(self.np_random.integers(len(self._plan.benchmarks)))]
        settings = {"benchmark": benchmark, "observation_space": None, "reward_space": None}
        self._env.reset(options=settings)
        self.so_far = WalkSoFar((), (), self._env.observation[OBSERVATION])
        self._value = float(self._env.observation[self._cost])
        for action in self._beginning():
            if self._take(action):
                return self.reset()  # a known sequence that fails on this program
        return self._observed(), {}

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        # A failure of the compiler ends it, without reward.
        before = self._value
        failed = self._take(int(action))
        is_late = len(self.so_far.actions) >= self._plan.length
        return self._observed(), math.log(before / self._value), failed, is_late, {}

    def close(self) -> None:
        self._env.close()

    def _beginning(self) -> Sequence:
        portfolio = self._plan.portfolio
        if portfolio is None or self.np_random.random() >= _BEHIND:
            return ()
        chosen = portfolio.sequences[int(self.np_random.integers(len(portfolio.sequences)))].actions
        most = max(0, min(len(chosen), self._plan.length - _LEAST_LEFT))
        return chosen[: int(self.np_random.integers(most + 1))]

    def _take(self, action: int) -> bool:
        spaces = [OBSERVATION, self._cost]
        observed, _, terminated, _, info = self._env.step(action, observation_spaces=spaces)
        if terminated:
            return True
        before = self.so_far
        effects = (*before.effects, not info["action_had_no_effect"])
        self.so_far = WalkSoFar((*before.actions, action), effects, observed[0])
        self._value = float(observed[1])
        return False

    def _observed(self) -> Observed:
        so_far, useless = self.so_far, np.zeros(self._plan.actions, np.float32)
        useless[list(so_far.useless)] = 1.0
        return np.concatenate([policy_input(self._plan, so_far.observation, so_far.actions), useless])
