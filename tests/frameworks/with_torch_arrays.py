"""gymnasium's wrappers for arrays of PyTorch."""

import gymnasium
import torch
from gymnasium.wrappers import NumpyToTorch

import optarena  # noqa: F401 # registers the environments

if __name__ == "__main__":
    with NumpyToTorch(gymnasium.make("optarena/llvm-ic-v0")) as env:
        observation, _ = env.reset()
        if not (isinstance(observation, torch.Tensor) and observation.dtype == torch.float32):
            raise SystemExit(f"{observation!r:.100}")
        env.step(torch.tensor(3))
