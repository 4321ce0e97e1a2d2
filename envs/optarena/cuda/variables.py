"""The environment variables of CUDA devices."""

from __future__ import annotations

from typing import Final

# For tests: names the emulated device that replaces a GPU, as `module:function`.
STAND_IN: Final = "OPTARENA_CUDA_DEVICE"
# What a process needs to find the device; no secrets.
INHERITED: Final = (
    "CUDA_CACHE_PATH", "CUDA_DEVICE_ORDER", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_VISIBLE_DEVICES",
)  # fmt: skip
