"""A pytest plug-in that proves with which gymnasium tests run: ``-p expected_gymnasium``."""

from __future__ import annotations

import os

import gymnasium
import pytest


def pytest_configure() -> None:
    """Refuse to run with another version than ``$OPTARENA_EXPECTED_GYMNASIUM``."""
    expected = os.environ["OPTARENA_EXPECTED_GYMNASIUM"]
    if gymnasium.__version__ != expected:
        raise pytest.UsageError(f"gymnasium is {gymnasium.__version__}, expected {expected}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which one it was."""
    terminalreporter.write_line(f"gymnasium {gymnasium.__version__} from {gymnasium.__file__}")
