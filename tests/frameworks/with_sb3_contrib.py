"""sb3-contrib's MaskablePPO: it takes no action that the environment, or a function, masks."""

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from sb3_contrib.common.wrappers import ActionMasker

import optarena
from optarena.wrappers import ConstrainedCommandline, TimeLimit

if __name__ == "__main__":
    env = gymnasium.make("optarena/llvm-ic-v0", max_episode_steps=10)
    number = env.action_space.n  # type: ignore[attr-defined] # a Discrete
    few = ConstrainedCommandline(optarena.make("llvm-ic-v0"), ["mem2reg", "sroa", "simplifycfg", "gvn"])
    for masked in (
        env,
        TimeLimit(few, 10),
        ActionMasker(env, lambda _: np.arange(number) < number // 2),
    ):
        model = MaskablePPO("MlpPolicy", masked, n_steps=8, batch_size=8, n_epochs=1).learn(16)
        observation, _ = masked.reset()
        masks = get_action_masks(masked)
        action, _ = model.predict(observation, action_masks=masks)
        if not masks[action]:
            raise SystemExit(f"{action} is masked")
    few.close()
    env.close()
