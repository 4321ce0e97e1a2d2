"""A small program with workloads for tests that need a benchmark of their own, and a plug-in."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import optarena.env.backends
from optarena.datasets import Benchmark, Workload
from optarena.datasets import dataset as known
from optarena.specs import environment

DIGITS = Path(__file__).parent / "data/digits.ll"


@pytest.fixture(autouse=True)
def _own_spares() -> None:
    # Environments that earlier tests have left to the garbage collector may still keep processes for others.
    optarena.env.backends._pools.clear()


@pytest.fixture(scope="session")
def clang() -> Path:
    """The pinned clang, of the package that also brings libLLVM."""
    path = Path(sys.prefix, "bin", "clang-22")
    assert path.is_file(), "install requirements-dev.lock"
    return path


@pytest.fixture(scope="session")
def digits() -> Benchmark:
    """``data/digits.ll``: made from ``digits.c`` by ``clang -Oz -Xclang -disable-llvm-passes``."""
    benchmark = Benchmark.from_bytes("benchmark://tests-v0/digits", DIGITS.read_bytes())
    workloads = (
        Workload(name="default", stdin=b"hi\n", expected_stdout=b"917070\n", exit_code=0),
        Workload(name="five", args=("5",), stdin=b"hi\n", expected_stdout=b"523739\n", exit_code=2),
        Workload(name="hundred", args=("100",), stdin=b"hi\n", expected_stdout=b"162890\n", exit_code=2),
    )
    return replace(benchmark, workloads=workloads)


@pytest.fixture
def sorting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The plug-in of the tests, registered for one test."""
    for name in ("ENVIRONMENTS", "BOARDS"):
        monkeypatch.setattr(environment, name, dict(getattr(environment, name)))
    monkeypatch.setattr(known, "folders", [])
    plugin = importlib.import_module("sorting")
    plugin.register()
    yield plugin
    gymnasium.registry.pop(plugin.ENVIRONMENT.id)
