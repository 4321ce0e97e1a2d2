"""A program to build, and recipes of a sequence and of the package's portfolio."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from optarena.deploy.recipe import Recipe, Sequence
from optarena.deploy.sources import portfolio_sequences, sequences_recipe
from optarena.llvm.actions import CURATED
from tests.kit.builds import Work

PASSES = ("sroa", "early-cse", "instcombine", "simplifycfg", "gvn<no-pre>", "inline", "instcombine")


@pytest.fixture(scope="session")
def clang() -> Path:
    """The pinned one, of the package that also brings libLLVM."""
    found = Path(sys.prefix, "bin", "clang-22")
    assert found.is_file(), "install requirements-dev.lock"
    return found


@pytest.fixture
def work(clang: Path, tmp_path: Path) -> Work:
    """The program's folder, and clang."""
    return Work(folder=tmp_path / "a program" / "src", clang=clang)


@pytest.fixture(scope="session")
def one() -> Recipe:
    """One sequence for a file, and the level for every other one."""
    sequence = Sequence.of_actions(tuple(map(CURATED.index, PASSES)))
    return sequences_recipe([sequence], source="table.c")


@pytest.fixture(scope="session")
def eight() -> Recipe:
    """The level and eight sequences for every file."""
    return sequences_recipe(portfolio_sequences())
