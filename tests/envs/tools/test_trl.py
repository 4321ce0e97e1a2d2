"""The environment for TRL keeps the contract of `environment_factory`: how a trainer reads and calls it."""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints

import pytest

from optarena.errors import InvalidInput
from optarena.tools import TOOLS
from optarena.tools.trl import CompilerEnvironment

PROGRAM = "benchmark://kernels-v0/sha256"


def tools_of(environment: CompilerEnvironment) -> set[str]:
    """What the trainer offers to a model: the public functions of the class, but for two."""
    functions = inspect.getmembers(type(environment), predicate=inspect.isfunction)
    return {name for name, _ in functions if not name.startswith("_")} - {"reset", "get_reward"}


def test_its_tools_are_those_that_do_not_leave_the_training() -> None:
    assert tools_of(CompilerEnvironment()) == {*TOOLS} - {"best_known", "save", "submit"}


def test_each_tool_has_types_and_describes_its_arguments() -> None:
    environment = CompilerEnvironment()
    for name in tools_of(environment):
        method = getattr(environment, name)
        hints = get_type_hints(method)
        documented = inspect.getdoc(method)
        for argument in inspect.signature(method).parameters:
            assert argument in hints, name
            assert f"\n    {argument}: " in documented, name
        assert hints["return"] is str


def test_a_scripted_policy_is_rewarded() -> None:
    environment = CompilerEnvironment()
    with pytest.raises(InvalidInput, match=r"call reset\(\) first"):
        environment.score()
    assert environment.get_reward() == 0.0
    row: dict[str, Any] = {"prompt": [{"role": "user", "content": "Optimise."}], "benchmark": PROGRAM}
    assert PROGRAM in environment.reset(**row)
    assert environment.apply(actions="sroa").startswith("1. sroa: 863")
    assert environment.get_reward() == pytest.approx((1349 - 863) / (1349 - 682))
    assert PROGRAM in environment.reset(**row)  # instances are reused
    assert environment.get_reward() == 0.0
    assert "kernels-v0/quicksort" in environment.reset(benchmark="benchmark://kernels-v0/quicksort")
    assert "llvm-codesize-v0" in environment.reset(benchmark=PROGRAM, environment="llvm-codesize-v0")
