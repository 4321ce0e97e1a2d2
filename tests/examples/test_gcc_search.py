"""The search of GCC's options, run as a user runs it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from optarena.agents.catalogue import agent_named
from optarena.agents.reports import check_report, read_report, report_path
from optarena.specs import environment_spec
from optarena.state import read_states
from optarena.validation import validate_state
from tests.kit.folders import EXAMPLES, ROOT
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_gcc
URI = "benchmark://gcc-kernels-v0/sha256"
FROM_ROOT = {**os.environ, "PYTHONPATH": str(ROOT)}


def search(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "gcc_search.py"), "--benchmark", URI, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=200)


@pytest.mark.parametrize(("strategy", "times"), [("random", 1), ("hill", 2), ("greedy", 1), ("genetic", 1)])
def test_what_it_finds_is_valid_repeatable_and_claimed_truly(
    strategy: str, times: int, tmp_path: Path
) -> None:
    found = []
    for time in range(times):
        results = tmp_path / f"{time}.csv"
        chosen = ("--strategy", strategy, "--budget", "15", "--seed", "3", "--output", str(results))
        done = search(tmp_path, *chosen)
        assert done.returncode == 0, done.stderr
        assert "geomean" in done.stdout
        found.append(results.read_text())
    assert len(set(found)) == 1
    [state] = read_states(found[0], format="csv", metrics=["load_size_bytes"])
    assert state.commandline.startswith("gcc -Oz ")
    assert float(done.stdout.split("geomean ")[1].split()[0]) >= 1.0
    result = validate_state(state, environment="gcc-v0")
    assert result.ok, str(result)


def test_the_report_says_how_to_find_the_same_again(tmp_path: Path) -> None:
    other = "benchmark://gcc-kernels-v0/json"
    options = ("--budget", "15", "--seed", "5", "--benchmark", other)
    assert search(tmp_path, *options, "--nproc", "2").returncode == 0
    results = tmp_path / "results.csv"
    found, report = results.read_text(), read_report(results)
    assert report is not None
    check_report(report, read_states(found, format="csv", metrics=["load_size_bytes"]), name="")
    assert agent_named(report.run.agent).summary.startswith("Changes a few options")
    assert report.run.environment_digest == environment_spec("gcc-v0").digest
    assert (report.run.seed, report.run.evaluations, report.run.programs) == (5, 15, "2 programs")
    assert report.is_finished
    assert report.cpu_seconds > 0
    for one in report.found:
        assert 5 < one.evaluations <= 15
        assert one.actions_run > one.evaluations
    for path in (results, report_path(results)):
        assert f"error: {path.name} exists" in search(tmp_path, *options).stderr, "it would be overwritten"
        path.unlink()
    words = shlex.split(report.run.command)[1:]
    subprocess.run([sys.executable, *words], check=True, cwd=tmp_path, env=FROM_ROOT, timeout=200)
    assert results.read_text() == found


def test_a_program_that_there_is_not_is_named_before_the_search(tmp_path: Path) -> None:
    done = search(tmp_path, "--benchmark", "benchmark://gcc-kernels-v0/nothing", "--budget", "1")
    assert done.returncode != 0
    assert "nothing" in done.stderr
    assert not (tmp_path / "results.csv").exists()


def test_a_bad_option_is_named(tmp_path: Path) -> None:
    assert "--budget must be 1 or more" in search(tmp_path, "--budget", "0").stderr
    assert "--nproc must be 1 or more" in search(tmp_path, "--nproc", "0").stderr
    assert "invalid choice: 'genetics'" in search(tmp_path, "--strategy", "genetics").stderr
