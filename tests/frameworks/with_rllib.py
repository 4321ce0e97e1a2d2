"""RLlib's new API stack, with the default observations: in this process, and with a runner in another."""

import argparse
import os
import tempfile

os.environ["HOME"] = tempfile.gettempdir()  # RLlib keeps what it logs in ~/ray_results

import ray
from ray.rllib.algorithms.ppo import PPOConfig

import optarena  # noqa: F401 # registers the environments

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("runners", type=int)
    parser.add_argument("name")
    given = parser.parse_args()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    config = (
        PPOConfig()
        .environment(given.name)
        .env_runners(num_env_runners=given.runners, rollout_fragment_length=8)
        .training(train_batch_size_per_learner=16, minibatch_size=8, num_epochs=1)
    )
    algorithm = config.build_algo()
    sampled = algorithm.train()["num_env_steps_sampled_lifetime"]
    algorithm.stop()
    ray.shutdown()
    if sampled < 1:
        raise SystemExit("no step was sampled")
