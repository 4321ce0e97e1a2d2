"""The example with Ray: an actor that is killed changes nothing. It runs where Ray is installed."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from optarena.specs import environment_spec
from optarena.state import read_states
from optarena.validation import validate_state
from tests.kit.folders import ROOT
from tests.kit.processes import descendants

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHON = os.environ.get("OPTARENA_TEST_RAY", sys.executable if importlib.util.find_spec("ray") else "")
SPEC = environment_spec("llvm-ic-v0")
NAMES = ("quicksort", "sha256", "json", "matrix")

pytestmark = [
    pytest.mark.skipif(
        not PYTHON,
        reason="Ray is large. $OPTARENA_TEST_RAY names a Python with examples/distributed's packages",
    ),
    pytest.mark.timeout(600),
]


def started(output: Path, *more: str) -> subprocess.Popen[str]:
    command = [PYTHON, "examples/distributed/search.py", "--rounds", "1", "--evaluations", "24"]
    for name in NAMES:
        command += ["--benchmark", f"benchmark://kernels-v0/{name}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "envs")}
    return subprocess.Popen(
        [*command, "--output", str(output), *more],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def actors(driver: int) -> Iterator[int]:
    """The processes of the actors that search now."""
    for pid in descendants(driver):
        try:
            name = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:
            continue
        if name.startswith("ray::Searcher.search"):
            yield pid


def test_a_killed_actor_changes_no_result_and_nothing_is_left(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.csv", tmp_path / "killed.csv"
    with started(whole, "--actors", "1") as undisturbed:
        undisturbed.communicate()
    assert undisturbed.returncode == 0
    with started(killed, "--actors", "2", "--store", f"sqlite:{tmp_path}/store.sqlite") as driver:
        deadline = time.monotonic() + 300
        while not (found := list(actors(driver.pid))):
            assert driver.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        below = descendants(driver.pid)
        os.kill(found[0], signal.SIGKILL)
        said, _ = driver.communicate()
    assert driver.returncode == 0, said
    assert f"by process {found[0]}," not in said, "it was killed in its first search"
    assert killed.read_bytes() == whole.read_bytes()
    states = read_states(killed.read_text(), format="csv", metrics=SPEC.metric_names)
    assert validate_state(states[0], environment=SPEC, repeats=1).ok
    while left := [pid for pid in below if Path(f"/proc/{pid}/cmdline").exists()]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)
