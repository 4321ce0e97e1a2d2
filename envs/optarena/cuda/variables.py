"""The environment variables of CUDA devices."""

from __future__ import annotations

from typing import Final

STAND_IN: Final = "OPTARENA_CUDA_DEVICE"
"""Environment variable, for tests: names the emulated device that replaces a GPU, as ``module:function``."""
INHERITED: Final = (
    "CUDA_CACHE_PATH",
    "CUDA_DEVICE_ORDER",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_VISIBLE_DEVICES",
)
"""What a process needs to find the device; no secrets."""
