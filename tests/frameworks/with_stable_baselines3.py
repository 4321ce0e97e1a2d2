"""Stable-Baselines3: an environment by its name, in this process and in others."""

import argparse

import gymnasium
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

import optarena  # noqa: F401 # registers the environments

KINDS: dict[str, type[VecEnv]] = {"dummy": DummyVecEnv, "subproc": SubprocVecEnv}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name")
    given = parser.parse_args()
    env = make_vec_env(given.name, n_envs=2, vec_env_cls=KINDS[given.kind])
    PPO("MlpPolicy", env, n_steps=8, batch_size=8, n_epochs=1).learn(32)
    program = "benchmark://kernels-v0/matrix"
    env.set_options({"benchmark": program})
    for _ in range(2):
        env.reset()
        if [info["benchmark"] for info in env.reset_infos] != [program] * 2:
            raise SystemExit(f"another program: {env.reset_infos}")
    env.close()
    alone = gymnasium.make(given.name, max_episode_steps=5)
    check_env(alone)
    DQN("MlpPolicy", alone, learning_starts=4, buffer_size=100).learn(16)
    alone.close()
