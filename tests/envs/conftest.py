"""A small program with workloads, for tests that need a benchmark of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from optarena.datasets import Benchmark, Workload

DIGITS = Path(__file__).parent / "data/digits.ll"


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
