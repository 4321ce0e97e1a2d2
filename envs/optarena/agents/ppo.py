"""The agent ``ppo``: a policy that was trained by PPO, alone; and the same policy as a proposer of ``local``.

Alone it takes its most probable actions, and then draws walks as it was trained to. PPO is by Schulman et al.
(2017, "Proximal policy optimization algorithms"); Cummins et al. (2022, "CompilerGym") order passes by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome, Sequence
    from optarena.agents.policies import Policy
    from optarena.agents.protocol import Agent, Proposer
    from optarena.agents.walks import Chooser, WalkSoFar

_BATCH: Final = 4


def ppo(policy: Policy) -> Agent:
    """The agent.

    Args:
        policy: The policy.
    """

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best, choosers = evaluator.start, [most_probable(policy)]
        while budget.left:
            for walk in evaluator.walk(choosers, observation=policy.observation, most=policy.length):
                if walk.outcome.loss < best.loss:
                    best = walk.outcome
                    yield best
            choosers = [drawn(policy, rng.random(policy.length)) for _ in range(_BATCH)]

    return search


def most_probable(policy: Policy) -> Chooser:
    """Chooses the action that the policy thinks best."""
    return lambda walk: int(policy.probabilities([walk])[0].argmax())


def drawn(policy: Policy, numbers: np.ndarray[Any, np.dtype[np.float64]]) -> Chooser:
    """Draws actions from the policy by numbers from 0 to 1 that are drawn beforehand, one for each action."""

    def choose(walk: WalkSoFar) -> int:
        sums = policy.probabilities([walk])[0].cumsum()
        return int(np.searchsorted(sums, numbers[len(walk.actions)] * sums[-1], side="right"))

    return choose


def proposer(policy: Policy) -> Proposer:
    """Proposes actions for the places of a sequence, by what the policy sees there."""

    def propose(evaluator: Evaluator, sequence: Sequence) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
        def choose(walk: WalkSoFar) -> int:
            return sequence[len(walk.actions)]

        walks = evaluator.walk([choose], observation=policy.observation, most=len(sequence))
        return [row for walk in walks for row in policy.probabilities(walk.steps)]

    return propose
