"""Local search: begin with the job that most work depends on, then swap two jobs while that is not worse.

The environment refuses orders that are not allowed, and does not change then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import gymnasium
import numpy as np

from job_scheduling.environment import ENVIRONMENT
from optarena.datasets import datasets
from optarena.errors import InvalidAction

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

TRIALS = 60


def critical_path_first(program: bytes) -> list[int]:
    """All jobs, sorted by the length of the longest chain of work after them; always an allowed order."""
    jobs = json.loads(program)["jobs"]
    remains = [job["duration"] for job in jobs]
    for number in reversed(range(len(jobs))):
        for before in jobs[number].get("predecessors", []):
            remains[before] = max(remains[before], jobs[before]["duration"] + remains[number])
    return sorted(range(len(jobs)), key=lambda number: -remains[number])


def search(env: CompilerEnv, rng: np.random.Generator, trials: int = TRIALS) -> tuple[int, list[int]]:
    """The best makespan found from the start of an episode, and the order of the jobs."""
    order = critical_path_first(env.benchmark.program())
    best = makespan(env, order)
    for _ in range(trials):
        swapped = list(order)
        one, other = rng.choice(len(order), size=2, replace=False)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        try:
            found = makespan(env, swapped)
        except InvalidAction:
            continue
        if found <= best:
            best, order = found, swapped
    return best, order


def makespan(env: CompilerEnv, order: Sequence[int]) -> int:
    """The makespan of an order, tried on a copy of the environment."""
    trial = env.fork()
    try:
        trial.multistep(order)
        return int(trial.observation["makespan"])
    finally:
        trial.close()


def main() -> None:
    """Search for every instance of the dataset, and compare with the rule LPT."""
    with gymnasium.make(ENVIRONMENT.id) as made:
        env = cast("CompilerEnv", made.unwrapped)
        for benchmark in datasets()[ENVIRONMENT.dataset]:
            env.reset(options={"benchmark": benchmark})
            best, _ = search(env, np.random.default_rng(0))
            levels = [f"{level} {benchmark.baseline('makespan', level)}" for level in ("O0", "LPT")]
            print(f"{benchmark.name:15}", *levels, f"local search {best}", sep="  ")


if __name__ == "__main__":
    main()
