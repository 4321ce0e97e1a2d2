#!/usr/bin/env bash
# stable-baselines3 rounds the return of an episode to six places, so savings of microseconds are 0.
#
# Versions: stable-baselines3 2.9.2, gymnasium 1.4.0, torch 2.13.0.
# Guess:    evaluate_policy returns the sum of the rewards that the environment gave, and Monitor, which it asks for by a
#           warning, only records them.
# Seen:     Monitor rounds the sum to six places after the point, and evaluate_policy takes that sum: 4e-7 seconds are 0.0, and
#           so is a quarter of them. Without Monitor rewards go through an array of float32, in which
#           16,777,217 instructions are 16,777,216. Scale such rewards, or add them up yourself.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet torch==2.13.0 stable-baselines3==2.9.2 gymnasium==1.4.0

"$here/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import numpy as np
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor


class Gives(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, reward):
        self.reward = reward

    def reset(self, *, seed=None, options=None):
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), self.reward, True, False, {}


class Policy:
    def predict(self, observation, state=None, episode_start=None, deterministic=True):
        return np.zeros(len(observation), int), state


seen = []
for reward in (1e-7, 4e-7, 16_777_217.0):
    with_monitor = evaluate_policy(Policy(), Monitor(Gives(reward)), 1)[0]
    without = evaluate_policy(Policy(), Gives(reward), 1)[0]
    print(f"given {reward}: {with_monitor} with Monitor, {without} without")
    seen.append((float(with_monitor), float(without)))
raise SystemExit(
    [row[0] for row in seen] != [0.0, 0.0, 16_777_217.0]
    or not 0 < 3 * seen[0][1] < seen[1][1] or seen[2][1] != 16_777_216.0
)
PYTHON
