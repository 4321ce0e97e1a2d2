"""Trains PPO of Stable-Baselines3 to order LLVM's passes, and compares it with random agents.

``python examples/rl/train_ppo.py`` needs the extra ``rl``; see the README beside this file.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import gymnasium
import numpy as np

try:
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env
except ImportError as error:
    sys.exit(f"{error}. Install the extra `rl`; the README beside this file says how.")

from optarena.datasets import datasets
from optarena.errors import InvalidInput, OptArenaError
from optarena.specs import environment_spec
from optarena.state import EnvState, write_states
from optarena.wrappers import LogAutophase, ObservationWrapper, RandomOrderBenchmarks, TimeLimit

ENVIRONMENT: Final = "optarena/llvm-ic-v0"
METRIC: Final = "ir_instructions"
ACTIONS: Final = 20  # how many actions an episode has, in training and when agents are compared
TRAINING: Final = tuple(
    f"benchmark://kernels-v0/{name}"
    for name in ("bignum", "hashtable", "json", "matrix", "quicksort", "sudoku")
)
RANDOM_AGENTS: Final = 5

Chooser = Callable[[Any], int]  # an agent: an observation in, an action out


class ActionsTaken(ObservationWrapper):
    """Adds to the observation how often each action was applied, as a share of the episode.

    Without it, a policy would see the same program after an action without effect, and choose the same action
    forever.
    """

    def __init__(self, env: LogAutophase) -> None:
        super().__init__(env)
        features = cast("gymnasium.spaces.Box", env.observation_space)
        names = len(self.action_table.names)
        self.observation_space = gymnasium.spaces.Box(
            np.concatenate([features.low, np.zeros(names, np.float32)]),
            np.concatenate([features.high, np.full(names, np.inf, np.float32)]),
        )

    def convert_observation(self, observation: Any) -> np.ndarray[Any, np.dtype[np.float32]]:  # noqa: ANN401 # features
        """The features, then one number for each action."""
        taken = np.bincount(self.actions, minlength=len(self.action_table.names)) / ACTIONS
        return np.concatenate([observation, taken]).astype(np.float32)


def make_environment(benchmarks: Sequence[str]) -> TimeLimit:
    """The environment for an agent; each episode takes one of the benchmarks at random."""
    env = RandomOrderBenchmarks(gymnasium.make(ENVIRONMENT), benchmarks)
    return TimeLimit(ActionsTaken(LogAutophase(env)), ACTIONS)


def train(benchmarks: Sequence[str], *, steps: int, seed: int, n_envs: int) -> PPO:
    """A policy trained on ``steps`` actions; with one thread, the same seed gives the same policy."""
    torch.set_num_threads(1)  # the network is so small that more threads are slower
    vector = make_vec_env(partial(make_environment, benchmarks), n_envs=n_envs, seed=seed)
    try:
        model = PPO(
            "MlpPolicy",
            vector,
            n_steps=max(1, 256 // n_envs),
            batch_size=64,
            learning_rate=1e-3,
            gamma=0.95,
            ent_coef=0.01,
            seed=seed,
            device="cpu",
        )
        return model.learn(steps)
    finally:
        vector.close()


def evaluate(choose: Chooser, benchmarks: Sequence[str]) -> list[EnvState]:
    """The best state of one episode on each benchmark: the one with the fewest instructions."""
    with closing(make_environment(benchmarks)) as env:
        return [_best(env, choose, benchmark) for benchmark in benchmarks]


def _best(env: TimeLimit, choose: Chooser, benchmark: str) -> EnvState:
    observation, _ = env.reset(options={"benchmark": benchmark})
    best = _measured(env)
    done = False
    while not done:
        observation, _, terminated, truncated, _ = env.step(choose(observation))
        done = terminated or truncated
        if not terminated:  # after a failure of the compiler there is nothing to measure
            best = min(best, _measured(env), key=lambda state: state.claims[METRIC])
    return best


def _measured(env: TimeLimit) -> EnvState:
    return replace(env.state, claims={METRIC: env.observation["IrInstructionCount"]})


def score(states: Iterable[EnvState]) -> float:
    """The board's score: geometric mean of instructions at -Oz divided by those of the state."""
    return math.exp(statistics.fmean(math.log(_ratio(state)) for state in states))


def _ratio(state: EnvState) -> float:
    baseline = datasets().benchmark(state.benchmark).baseline(METRIC, "Oz")
    if baseline is None:
        raise InvalidInput(f"{state.benchmark} has no baseline.", field="benchmark", value=state.benchmark)
    return float(baseline / state.claims[METRIC])


def greedy(model: PPO) -> Chooser:
    """The agent that always takes the policy's most probable action."""
    return lambda observation: int(model.predict(observation, deterministic=True)[0])


def at_random(seed: int) -> Chooser:
    """An agent that takes random actions."""
    space = gymnasium.spaces.Discrete(len(environment_spec(ENVIRONMENT).action_table.names), seed=seed)
    return lambda _: int(space.sample())


def main() -> None:
    """Train, compare, print."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--steps", type=int, default=6000, help="actions to train on (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (%(default)s)")
    parser.add_argument("--n-envs", type=int, default=2, help="parallel environments (%(default)s)")
    parser.add_argument("--model", type=Path, help="file to save the policy in")
    parser.add_argument("--states", type=Path, help="file for the found states, as CSV to submit")
    options = parser.parse_args()
    try:
        model = train(TRAINING, steps=options.steps, seed=options.seed, n_envs=options.n_envs)
        benchmarks = [benchmark.uri for benchmark in datasets()["kernels-v0"]]
        learned = evaluate(greedy(model), benchmarks)
        others = [
            score(evaluate(at_random(seed), benchmarks))
            for seed in range(options.seed, options.seed + RANDOM_AGENTS)
        ]
    except OptArenaError as error:
        sys.exit(f"train_ppo: {error}")
    for state in learned:
        seen = "trained on" if state.benchmark in TRAINING else "not seen"
        print(f"{state.benchmark:<36} {_ratio(state):.3f}  {seen}")
    mine, random = score(learned), statistics.fmean(others)
    print(f"Oz / found, geometric mean: PPO {mine:.4f}, random {random:.4f} (best {max(others):.4f})")
    if options.model:
        model.save(options.model)
    if options.states:
        options.states.write_text(write_states(learned, format="csv"), encoding="utf-8")
    if mine <= random:
        sys.exit("PPO is not better than random: train for more steps.")


if __name__ == "__main__":
    main()
