"""GPUs in tests: whether there is a real one, and workers that have one, or are told that they have none."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import pytest

from leaderboard.embedded.process import Process
from leaderboard.embedded.server import worker_command
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.stack import Stack

CLASS = "x86_64-cuda"
SECONDS = 180
FIND = """
from optarena.cuda.missing import problems
missing = problems()
if not missing:
    from cupy.cuda import Device
    capability = Device(0).compute_capability
    missing = [] if capability.startswith("9") else [f"compute capability 9 (the device has {capability})"]
print("; ".join(missing))
"""


@cache
def missing() -> str:
    """What this machine lacks to use a GPU; the driver must not be initialised in this process."""
    done = subprocess.run(
        [sys.executable, "-c", FIND], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


@pytest.fixture(scope="session")
def gpu() -> None:
    if problems := missing():
        pytest.skip(f"needs a GPU. Missing: {problems}")


@contextmanager
def gpu_worker(stack: Stack, folder: Path, **variables: str) -> Iterator[Process]:
    """A worker of the class of GPUs that sees none, whatever this machine has, if no variable gives it."""
    command = ["cuda" if word == "cpu" else word for word in worker_command()]
    environment = {**stack.server.environment, "OPTARENA_HARDWARE_CLASS": CLASS, "CUDA_VISIBLE_DEVICES": ""}
    process = Process(
        name="gpu worker",
        argv=[*command, "-n", "gpu@%h"],
        environment={**environment, **variables},
        log=folder / "gpu-worker.log",
        options={"cwd": str(ROOT)},
    )
    process.start()
    try:
        yield process
    finally:
        process.stop()


def eventually(condition: Callable[[], bool], worker: Process, *, seconds: float = SECONDS) -> None:
    """Wait until something is so, while the worker runs."""
    until = time.monotonic() + seconds
    while not condition():
        assert worker.running, worker.log_tail()
        assert time.monotonic() < until, worker.log_tail()
        time.sleep(0.1)
