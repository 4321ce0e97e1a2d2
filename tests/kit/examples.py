"""What ``./run soak`` has more than ``./run test``: more examples, and more values of tests' parameters."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


def examples(number: int) -> int:
    return number * int(os.environ.get("OPTARENA_TEST_EXAMPLES", "1"))


def slow(values: Iterable[object]) -> list[ParameterSet]:
    """Values of a test's parameters that ``./run soak`` alone takes; of several parameters, tuples."""
    given = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*value, marks=pytest.mark.soak) for value in given]
