"""A greedy walk: of the unseen programs one action away, continue with the smallest.

It also continues without an immediate gain, since many rewrites only prepare others. It uses only gymnasium
and ``fork()``, and does not depend on the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import gymnasium

from optarena.datasets import datasets
from stack_compiler.environment import ENVIRONMENT

if TYPE_CHECKING:
    from optarena.env import CompilerEnv


def greedy(env: CompilerEnv) -> list[int]:
    """The actions to the best program on a walk from the state of ``env``."""
    best, best_reward = list[int](), 0.0
    walk: list[int] = []
    seen = {env.observation["digest"]}
    present = env.fork()
    while (following := _next(present, seen)) is not None:
        present.close()
        action, present = following
        walk.append(action)
        if (present.episode_reward or 0.0) > best_reward:
            best, best_reward = list(walk), present.episode_reward or 0.0
    present.close()
    return best


def _next(present: CompilerEnv, seen: set[str]) -> tuple[int, CompilerEnv] | None:
    """The most rewarding action and the environment after it; None if all lead to programs seen before."""
    best: tuple[float, int, CompilerEnv] | None = None
    trial = present.fork()
    for action in range(len(present.environment.action_table.names)):
        _, reward, _, _, info = trial.step(action)
        if info["action_had_no_effect"]:
            continue  # the copy did not change and can be used again
        if trial.observation["digest"] not in seen and (best is None or reward > best[0]):
            best, trial = (reward, action, trial), best[2] if best else None
        if trial is not None:
            trial.close()
        trial = present.fork()
    trial.close()
    if best is None:
        return None
    seen.add(best[2].observation["digest"])
    return best[1:]


def main() -> None:
    """Walk from every program of the dataset, and compare with the fixed pipeline."""
    with gymnasium.make(ENVIRONMENT.id) as made:
        env = cast("CompilerEnv", made.unwrapped)
        for benchmark in datasets()[ENVIRONMENT.dataset]:
            env.reset(options={"benchmark": benchmark})
            env.multistep(greedy(env))
            levels = [f"{level} {benchmark.baseline('instructions', level)}" for level in ("O0", "O1")]
            found = env.observation["instructions"]
            print(f"{benchmark.name:10}", *levels, f"greedy {found}", env.commandline(), sep="  ")


if __name__ == "__main__":
    main()
