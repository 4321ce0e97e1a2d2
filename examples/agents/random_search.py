"""Random search: take random walks, remember the best point of every walk, and keep the best of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import Budget, run

if TYPE_CHECKING:
    import numpy as np

    from optarena.env import CompilerEnv

WALK_LENGTH = 80


def random_search(env: CompilerEnv, budget: Budget, rng: np.random.Generator) -> list[int]:
    """The best prefix of all random walks that the budget allows."""
    env.action_space.seed(int(rng.integers(2**31)))
    best_reward, best = 0.0, list[int]()
    while budget.left:
        reward, actions = walk(env, budget)
        if reward > best_reward:
            best_reward, best = reward, actions
    return best


def walk(env: CompilerEnv, budget: Budget) -> tuple[float, list[int]]:
    """One random walk from a fresh start: the reward and the actions of its best prefix."""
    env.reset()
    total, best_reward = 0.0, 0.0
    effective, best = list[int](), list[int]()
    for _ in range(min(WALK_LENGTH, budget.left)):
        action = env.action_space.sample()
        _, reward, terminated, _, info = env.step(action)
        budget.spend()
        if terminated:
            break
        # An action without effect does not change the program, so it is not part of the result.
        if not info["action_had_no_effect"]:
            effective.append(int(action))
        total += float(reward)
        if total > best_reward:
            best_reward, best = total, list(effective)
    return best_reward, best


if __name__ == "__main__":
    run(random_search, name="random-search", budget=250)
