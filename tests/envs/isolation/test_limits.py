"""Limits that cannot be meant, or with which nothing could start, are refused when they are given."""

from __future__ import annotations

import math
from typing import Any, cast

import gymnasium
import pytest

from optarena.errors import InvalidInput
from optarena.isolation.limits import ProcessLimits

LEAST: dict[str, Any] = {
    "memory_bytes": 128 * 1024**2,
    "cpu_seconds_per_call": 0.01,
    "wall_seconds_per_call": 0.01,
    "cpu_seconds_total": 1,
    "file_bytes": 1,
    "open_files": 16,
}


@pytest.mark.parametrize("value", [-1, 0, math.nan, math.inf, -math.inf, 2**70, "x", True, [1], 1j])
@pytest.mark.parametrize("name", LEAST)
def test_a_limit_that_is_none_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        ProcessLimits(**cast("dict[str, Any]", {name: value}))
    assert (caught.value.field, caught.value.value) == (f"limits.{name}", value)
    assert repr(value) in caught.value.message
    assert f"from {LEAST[name]} to " in caught.value.remedy


@pytest.mark.parametrize("name", ["memory_bytes", "cpu_seconds_total", "file_bytes", "open_files"])
def test_what_is_counted_is_an_integer(name: str) -> None:
    with pytest.raises(InvalidInput, match="Give an integer"):
        ProcessLimits(**cast("dict[str, Any]", {name: 1e9}))


def test_only_the_clock_has_always_a_limit() -> None:
    nothing: dict[str, Any] = dict.fromkeys(LEAST)
    with pytest.raises(InvalidInput, match="wall_seconds_per_call is None") as caught:
        ProcessLimits(**nothing)
    assert "or None" not in caught.value.remedy
    given = {**nothing, "wall_seconds_per_call": 60.0}
    assert ProcessLimits(**given).as_dict() == given


@pytest.mark.parametrize("name", ["memory_bytes", "file_bytes", "open_files"])
def test_a_session_works_and_is_copied_with_the_least(name: str) -> None:
    limits = ProcessLimits(**{name: LEAST[name]})
    env: Any = gymnasium.make(
        "optarena/llvm-ic-v0", benchmark="benchmark://kernels-v0/quicksort", limits=limits
    ).unwrapped
    with env:
        env.reset()
        with env.fork() as copy:
            assert not copy.step(0)[2]
