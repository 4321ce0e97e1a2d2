"""Greedy search: try actions on forks of the environment, take the best, until none helps.

Every action is tried at the start. Later rounds try them in the order of their last gain, and stop as soon as
no remaining action ever gained more than the best of this round: this saves most forks and loses little.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from common import Budget, run

if TYPE_CHECKING:
    import numpy as np

    from optarena.env import CompilerEnv
    from optarena.specs import Action


def greedy_search(env: CompilerEnv, budget: Budget, rng: np.random.Generator) -> list[Action]:
    """The sequence of best next actions; ends when no single action gains anything."""
    order = rng.permutation(len(env.environment.action_table.names)).tolist()
    gains = dict.fromkeys(order, math.inf)
    present = env.fork()
    try:
        while budget.left:
            gain, action = best_action(present, gains, budget)
            if gain <= 0:
                break
            present.step(action)
        return present.actions
    finally:
        present.close()


def best_action(env: CompilerEnv, gains: dict[int, float], budget: Budget) -> tuple[float, int]:
    """The action with the highest gain, and that gain; ``gains`` holds the last gain of each action."""
    best = (0.0, -1)
    trial: CompilerEnv | None = None
    for action in sorted(gains, key=lambda action: gains[action], reverse=True):
        if not budget.left or 0 < best[0] >= gains[action]:
            break
        trial = trial or env.fork()
        _, reward, terminated, _, info = trial.step(action)
        budget.spend()
        gains[action] = -math.inf if terminated else float(reward)
        best = max(best, (gains[action], action))
        # A fork on which an action had no effect can be used again.
        if terminated or not info["action_had_no_effect"]:
            trial.close()
            trial = None
    if trial is not None:
        trial.close()
    return best


if __name__ == "__main__":
    run(greedy_search, name="greedy-search", budget=250)
