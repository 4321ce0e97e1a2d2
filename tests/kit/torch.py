"""A Python with PyTorch, for the tests that train."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.kit import training
from tests.kit.background import BACKGROUND
from tests.kit.tools import in_ci


def python_with_torch(config: pytest.Config) -> Path:
    """A Python that has PyTorch and Stable-Baselines3; the test is skipped where they are not installed."""
    if importlib.util.find_spec("stable_baselines3"):
        return Path(sys.executable)
    folder = training.folder(config)
    command = training.command(folder)
    if not folder.is_dir() and not in_ci():
        pytest.skip(f"PyTorch is not installed, and large. To install it for this test: {' '.join(command)}")
    code, output = BACKGROUND.result(command)
    assert code == 0, output
    return training.python(folder)
