"""A program of loops and calls, unoptimised as benchmarks are, and the same without memory for variables."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from optarena.llvm.module import Module
from tests.kit.llvm.programs import FRONT_END

DATA = Path(__file__).parent / "data"
REGISTERS = "function(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg)"


@pytest.fixture(scope="session")
def unoptimised(clang: Path) -> bytes:
    """The program as the front end gives it."""
    command = [str(clang), *FRONT_END, "-Oz", "-c", "loops.c", "-o", "-"]
    return subprocess.run(command, cwd=DATA, check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def program(unoptimised: bytes) -> bytes:
    """The program without memory for its variables."""
    with Module.parse(unoptimised) as module:
        module.run(REGISTERS)
        return module.bitcode()
