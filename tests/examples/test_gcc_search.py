"""The search of GCC's options, run as a user runs it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from optarena.state import read_states
from optarena.validation import validate_state
from tests.kit.folders import EXAMPLES
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_gcc
URI = "benchmark://gcc-kernels-v0/sha256"


def search(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "gcc_search.py"), "--benchmark", URI, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=200)


@pytest.mark.parametrize(("strategy", "times"), [("random", 1), ("hill", 2), ("greedy", 1), ("genetic", 1)])
def test_what_it_finds_is_valid_repeatable_and_claimed_truly(
    strategy: str, times: int, tmp_path: Path
) -> None:
    found = []
    for _ in range(times):
        done = search(tmp_path, "--strategy", strategy, "--budget", "15", "--seed", "3")
        assert done.returncode == 0, done.stderr
        assert "geomean" in done.stdout
        found.append((tmp_path / "results.csv").read_text())
    assert len(set(found)) == 1
    [state] = read_states(found[0], format="csv", metrics=["load_size_bytes"])
    assert state.commandline.startswith("gcc -Oz ")
    assert float(done.stdout.split("geomean ")[1].split()[0]) >= 1.0
    result = validate_state(state, environment="gcc-v0")
    assert result.ok, str(result)


def test_what_was_found_before_an_error_is_kept(tmp_path: Path) -> None:
    done = search(tmp_path, "--benchmark", "benchmark://gcc-kernels-v0/nothing", "--budget", "1")
    assert done.returncode != 0
    [state] = read_states((tmp_path / "results.csv").read_text(), format="csv", metrics=["load_size_bytes"])
    assert state.benchmark == URI


def test_a_bad_option_is_named(tmp_path: Path) -> None:
    assert "--budget must be 1 or more" in search(tmp_path, "--budget", "0").stderr
    assert "invalid choice: 'genetics'" in search(tmp_path, "--strategy", "genetics").stderr
