#!/usr/bin/env bash
# TorchRL sends actions that the environment's space does not have.
#
# Versions: torchrl 0.14.1, torch 2.13.0, gymnasium 1.4.0.
# Guess:    an action of Discrete(4, start=-2) is one of -2, -1, 0, 1, or the space is refused by name.
# Seen:     0, 1, 2 and 3 reach the environment; of MultiDiscrete([3, 4], start=[10, 20]) no action is one of the space.
#           check_env_specs finds nothing.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet torch==2.13.0 torchrl==0.14.1 gymnasium==1.4.0

"$here/venv/bin/python" - 2>/dev/null <<'PYTHON'
import gymnasium
import numpy as np
from torchrl.envs import GymWrapper
from torchrl.envs.utils import check_env_specs


class Counting(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)

    def __init__(self, space):
        self.action_space, self.given = space, []

    def reset(self, *, seed=None, options=None):
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.steps += 1
        self.given.append(action)
        return np.zeros(1, np.float32), 0.0, False, self.steps == 5, {}


seen = []
for space in (gymnasium.spaces.Discrete(4, start=-2), gymnasium.spaces.MultiDiscrete([3, 4], start=[10, 20])):
    env = Counting(space)
    wrapped = GymWrapper(env)
    check_env_specs(wrapped)
    env.given.clear()
    wrapped.set_seed(0)
    wrapped.rollout(200, break_when_any_done=False)
    given = sorted({tuple(np.atleast_1d(action).tolist()) for action in env.given})
    seen.append((given[0], given[-1]))
    print(f"{space}: actions from {given[0]} to {given[-1]}")
raise SystemExit(seen != [((0,), (3,)), ((0, 0), (2, 3))])
PYTHON
