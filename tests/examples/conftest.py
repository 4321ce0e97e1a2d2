"""The example compilers, findable by this process and, through its ``sys.path``, by sessions."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest

from optarena.datasets import dataset as datasets_known
from optarena.specs import environment as known
from tests.kit.folders import EXAMPLES

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

sys.path.insert(0, str(EXAMPLES))


@pytest.fixture(scope="module")
def registered() -> Iterator[None]:
    """Both examples' environments, datasets and boards; gone afterwards, so that other tests see none."""
    tables: tuple[dict[str, Any], ...] = (known.ENVIRONMENTS, known.BOARDS, gymnasium.registry)
    before = [dict(table) for table in tables]
    folders = list(datasets_known.folders)
    for name in ("stack_compiler", "job_scheduling"):
        environment = importlib.import_module(f"{name}.environment")
        importlib.reload(environment)  # registers again what an earlier module's end has removed
    yield
    datasets_known.folders[:] = folders
    for table, content in zip(tables, before, strict=True):
        table.clear()
        table.update(content)


@pytest.fixture
def make(registered: None) -> Iterator[Callable[..., CompilerEnv]]:
    made: list[CompilerEnv] = []

    def make_one(slug: str, **options: Any) -> CompilerEnv:
        env = cast("CompilerEnv", gymnasium.make(f"optarena/{slug}", **options).unwrapped)
        made.append(env)
        return env

    yield make_one
    for env in made:
        env.close()
