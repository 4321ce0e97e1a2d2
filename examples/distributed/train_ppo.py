"""Trains with RLlib's PPO, whose runners hold environments in processes or on machines of their own.

    python examples/distributed/train_ppo.py --iterations 3 --runners 2

It shows how the environments fit; a policy that is worth something takes longer. A runner that is killed is
started again. ``examples/rl`` trains with Stable-Baselines3 in one process, and compares the policy.
"""

from __future__ import annotations

import argparse
from typing import Any

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env

from optarena.env import CompilerEnv
from optarena.wrappers import LogAutophase, RandomOrderBenchmarks, StoredEnv, TimeLimit

PROGRAMS = [f"benchmark://kernels-v0/{name}" for name in ("quicksort", "sha256", "json", "matrix")]
ACTIONS = 20


def environment(config: dict[str, Any]) -> TimeLimit:
    """The environment of a runner; its sessions are its own, or those of a service."""
    env = CompilerEnv(
        "llvm-ic-v0",
        observation_space="Autophase",
        reward_space="IrInstructionCountLogOz",
        service=config["service"],
    )
    return TimeLimit(LogAutophase(RandomOrderBenchmarks(StoredEnv(env, config["store"]), PROGRAMS)), ACTIONS)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--runners", type=int, default=2)
    parser.add_argument("--steps", type=int, default=400, help="actions of an iteration (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", default="memory:", help="of steps; a URL of which all runners know")
    parser.add_argument("--service", help="host:port; the token is in $OPTARENA_SERVICE_TOKEN")
    parser.add_argument("--address", help="of a Ray cluster; without it Ray starts on this machine")
    arguments = parser.parse_args()
    ray.init(address=arguments.address, log_to_driver=False, include_dashboard=False)
    register_env("optarena", environment)
    config = (
        PPOConfig()
        .environment("optarena", env_config={"store": arguments.store, "service": arguments.service})
        .env_runners(num_env_runners=arguments.runners, rollout_fragment_length="auto")
        .fault_tolerance(restart_failed_env_runners=True)
        .training(train_batch_size_per_learner=arguments.steps, minibatch_size=100, num_epochs=4)
        .debugging(seed=arguments.seed)
    )
    algorithm = config.build_algo()
    for iteration in range(arguments.iterations):
        episodes = algorithm.train()["env_runners"]
        print(
            f"iteration {iteration + 1}: {episodes['num_env_steps_sampled']:.0f} actions, "
            f"mean reward {episodes['episode_return_mean']:.3f}",
            flush=True,
        )
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
