"""Counting calls and actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from optarena.errors import InvalidAction
from optarena.wrappers import Counter

if TYPE_CHECKING:
    from optarena.env import CompilerEnv


def test_calls_that_did_something_are_counted(env: CompilerEnv) -> None:
    counted = Counter(env)
    assert set(counted.counters.values()) == {0}
    counted.reset()
    counted.step(0)
    counted.multistep(iter([1, 2, 3]))
    with pytest.raises(InvalidAction):
        counted.step(-1)
    expected = {"close": 0, "reset": 1, "step": 1, "multistep": 1, "fork": 0, "action": 4}
    assert counted.counters == expected
    assert len(counted.peek([0, 1])) == 2
    assert counted.counters == expected
    with counted.fork() as fork:
        assert fork.counters == expected
        fork.step(0)
    assert fork.counters == {**expected, "step": 2, "action": 5, "close": 1}
    assert counted.counters == {**expected, "fork": 1}
