"""Greedy search: look at what each action would give, take the best, until none helps.

Every action is looked at in the beginning. Later rounds look at them in the order of their last gain, and
stop as soon as no remaining action ever gained more than the best of this round.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from common import Budget, run

if TYPE_CHECKING:
    import numpy as np

    from optarena.env import CompilerEnv
    from optarena.specs import Action

AT_ONCE: Final = 8
"""Actions that are looked at together; the compiler's process tries some of them at the same time."""


def greedy_search(env: CompilerEnv, budget: Budget, rng: np.random.Generator) -> list[Action]:
    """The sequence of best next actions; ends when no single action gains anything."""
    order = rng.permutation(len(env.environment.action_table.names)).tolist()
    gains = dict.fromkeys(order, math.inf)
    while budget.left:
        gain, action = best_action(env, gains, budget)
        if gain <= 0:
            break
        env.step(action)
    return env.actions


def best_action(env: CompilerEnv, gains: dict[int, float], budget: Budget) -> tuple[float, int]:
    """The action with the highest gain, and that gain; ``gains`` holds the last gain of each action."""
    best = (0.0, -1)
    waiting = sorted(gains, key=lambda action: gains[action], reverse=True)
    while waiting and budget.left:
        looked, waiting = waiting[: min(AT_ONCE, budget.left)], waiting[min(AT_ONCE, budget.left) :]
        looked = [action for action in looked if gains[action] > best[0]]
        if not looked:
            break
        budget.spend(len(looked))
        for action, (_, reward, terminated, _, _) in zip(looked, env.peek(looked), strict=True):
            gains[action] = -math.inf if terminated else float(reward)
            best = max(best, (gains[action], action))
    return best


if __name__ == "__main__":
    run(greedy_search, name="greedy-search", budget=250)
