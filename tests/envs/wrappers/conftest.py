"""Small environments to wrap: one of LLVM, and the plug-in's, whose programs can be spoiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest

import optarena  # noqa: F401 # registers the environments
from optarena.datasets import Benchmark

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

COST = "IrInstructionCount"


@pytest.fixture
def plain(digits: Benchmark) -> Benchmark:
    return Benchmark.from_bytes(digits.uri, digits.program())


@pytest.fixture
def make(plain: Benchmark) -> Iterator[Callable[..., CompilerEnv]]:
    made: list[gymnasium.Env[Any, Any]] = []

    def make_one(**options: Any) -> CompilerEnv:
        arguments = {"benchmark": plain, "reward_space": COST, **options}
        made.append(gymnasium.make("optarena/llvm-v0", **arguments))
        return cast("CompilerEnv", made[-1])

    yield make_one
    for env in made:
        env.close()


@pytest.fixture
def env(make: Callable[..., CompilerEnv]) -> CompilerEnv:
    """One LLVM environment; an episode is not running."""
    return make()


@pytest.fixture
def sorter(sorting: Any) -> Iterator[CompilerEnv]:
    with gymnasium.make("optarena/sort-v0", reward_space="inversions") as made:
        yield cast("CompilerEnv", made)
