#!/usr/bin/env bash
# A mask that forbids every action forbids none.
#
# Versions: sb3-contrib 2.9.2, stable-baselines3 2.9.2, torch 2.13.0.
# Guess:    MaskablePPO raises an error if no action is allowed: the episode should have ended.
# Seen:     it draws evenly from all actions, the forbidden ones, and says nothing.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet torch==2.13.0 stable-baselines3==2.9.2 sb3-contrib==2.9.2

"$here/venv/bin/python" - 2>/dev/null <<'PYTHON'
import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker


class Still(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(4)

    def reset(self, *, seed=None, options=None):
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), 0.0, False, True, {}


model = MaskablePPO("MlpPolicy", ActionMasker(Still(), lambda _: np.ones(4, bool)), seed=0)
drawn = []
for mask in ([0, 0, 1, 1], [0, 0, 0, 0]):
    actions = [
        int(model.predict(np.zeros(1, np.float32), action_masks=np.array(mask, bool))[0]) for _ in range(200)
    ]
    drawn.append(np.bincount(actions, minlength=4))
    print(f"mask {mask}: actions were drawn {drawn[-1].tolist()} times")
raise SystemExit(not (drawn[0][:2].sum() == 0 and (drawn[1] > 0).all()))
PYTHON
