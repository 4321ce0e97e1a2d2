"""sb3-contrib's MaskablePPO: it takes no action that is masked, here the upper half of them."""

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

import optarena  # noqa: F401 # registers the environments

if __name__ == "__main__":
    env = gymnasium.make("optarena/llvm-ic-v0", max_episode_steps=10)
    number = env.action_space.n  # type: ignore[attr-defined] # a Discrete
    masked = ActionMasker(env, lambda _: np.arange(number) < number // 2)
    model = MaskablePPO("MlpPolicy", masked, n_steps=8, batch_size=8, n_epochs=1).learn(32)
    observation, _ = masked.reset()
    action, _ = model.predict(observation, action_masks=masked.action_masks())
    if action >= number // 2:
        raise SystemExit(f"{action} is masked")
    masked.close()
