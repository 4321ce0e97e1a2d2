"""A Python with PyTorch, for the tests that train."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.kit import training
from tests.kit.background import BACKGROUND

if TYPE_CHECKING:
    import pytest


def python_with_torch(config: pytest.Config) -> Path:
    """A Python that has PyTorch and Stable-Baselines3, which are installed for it where they are missing."""
    if importlib.util.find_spec("stable_baselines3"):
        return Path(sys.executable)
    folder = training.folder(config)
    code, output = BACKGROUND.result(training.command(folder))
    assert code == 0, output
    return training.python(folder)
