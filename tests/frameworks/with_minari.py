"""Minari's DataCollector: what an agent does becomes a dataset, whose environment can be made again."""

import gymnasium
from minari import DataCollector

import optarena  # noqa: F401 # registers the environments

if __name__ == "__main__":
    env = DataCollector(gymnasium.make("optarena/llvm-ic-v0", max_episode_steps=5))
    env.action_space.seed(0)
    for seed in (1, 2):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated
    dataset = env.create_dataset(dataset_id="optarena/walks-v0", algorithm_name="random")
    env.close()
    if (dataset.total_episodes, dataset.total_steps) != (2, 10):
        raise SystemExit(f"{dataset.total_episodes} episodes, {dataset.total_steps} steps")
    again = dataset.recover_environment()
    observation, _ = again.reset()
    if observation not in dataset.observation_space:
        raise SystemExit("another environment")
    again.close()
