"""The agents among the examples, run as a user runs them."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from optarena.agents.catalogue import agent_named
from optarena.agents.reports import check_report, read_report, report_path
from optarena.datasets import datasets
from optarena.loop_tool.nest import BOARD_SIZES, DATASETS, Tuning
from optarena.specs import environment_spec
from optarena.state import read_states
from optarena.validation import validate_state
from tests.kit.examples import slow
from tests.kit.folders import EXAMPLES, ROOT
from tests.kit.gcc import needs_gcc
from tests.kit.processes import descendants
from tests.kit.torch import python_with_torch

URI = "benchmark://gcc-kernels-v0/sha256"
FROM_ROOT = {**os.environ, "PYTHONPATH": str(ROOT)}


def search(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "gcc_search.py"), "--benchmark", URI, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=200)


@needs_gcc
@pytest.mark.parametrize(
    ("strategy", "times"), [("hill", 1), *slow((("hill", 2), ("random", 1), ("greedy", 1), ("genetic", 1)))]
)
def test_what_it_finds_is_valid_repeatable_and_claimed_truly(
    strategy: str, times: int, tmp_path: Path
) -> None:
    found = []
    for number in range(times):
        results = tmp_path / f"{number}.csv"
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


@pytest.mark.soak
@needs_gcc
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


@needs_gcc
def test_a_program_that_there_is_not_is_named_before_the_search(tmp_path: Path) -> None:
    done = search(tmp_path, "--benchmark", "benchmark://gcc-kernels-v0/nothing", "--budget", "1")
    assert done.returncode != 0
    assert "nothing" in done.stderr
    assert not (tmp_path / "results.csv").exists()


@pytest.mark.soak
@needs_gcc
def test_a_bad_option_is_named(tmp_path: Path) -> None:
    assert "--budget must be 1 or more" in search(tmp_path, "--budget", "0").stderr
    assert "--nproc must be 1 or more" in search(tmp_path, "--nproc", "0").stderr
    assert "invalid choice: 'genetics'" in search(tmp_path, "--strategy", "genetics").stderr


AGENT = Path(__file__).resolve().parents[2] / "examples/agents/loop_tool_search.py"


@pytest.mark.soak
def test_it_finds_a_schedule_for_a_size(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    order = [sys.executable, str(AGENT), "--size", "1021", "--output", str(results)]
    done = subprocess.run(order, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    spec = environment_spec("loop_tool-v0")
    states = read_states(results.read_text(), format="csv", metrics=spec.metric_names)
    assert [state.benchmark.rpartition("/")[2] for state in states] == ["1021"]
    for state, size in zip(states, (1021,), strict=True):
        assert state.claims["gflops"] > 0
        tuning = Tuning.initial(size)
        for action in spec.parse_commandline(state.commandline):
            tuning = tuning.after(action)
        assert tuning.nest.elements == size


def test_a_size_that_is_none_is_named() -> None:
    done = subprocess.run(
        [sys.executable, str(AGENT), "--size", "0"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "loop_tool-cpu-v0/0" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_sizes_of_the_boards_are_in_the_datasets() -> None:
    for name in DATASETS:
        for size in BOARD_SIZES:
            assert f"benchmark://{name}/{size}" in datasets()[name]


STEPS = "2048"
MARGIN = 1.04
"""How much better than random the policy is at least; with this seed and others it is 1.1 times."""


@pytest.fixture(scope="module")
def python(pytestconfig: pytest.Config) -> Path:
    return python_with_torch(pytestconfig)


@pytest.mark.soak
@pytest.mark.rl
@pytest.mark.timeout(600)
def test_a_trained_policy_is_better_than_random(python: Path, tmp_path: Path) -> None:
    model, states = tmp_path / "policy.zip", tmp_path / "states.csv"
    command = [python, "examples/rl/train_ppo.py", "--steps", STEPS, "--model", model, "--states", states]
    done = subprocess.run(
        [*map(str, command)],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    scores = re.search(r"PPO ([0-9.]+), random ([0-9.]+)", done.stdout)
    assert scores, done.stdout
    assert float(scores[1]) > MARGIN * float(scores[2])
    assert model.stat().st_size > 0
    metrics = environment_spec("llvm-ic-v0").metric_names
    found = read_states(states.read_bytes(), format="csv", metrics=metrics)
    assert len(found) == 15


PYTHON = os.environ.get("OPTARENA_TEST_RAY", sys.executable if importlib.util.find_spec("ray") else "")
SPEC = environment_spec("llvm-ic-v0")
NAMES = ("quicksort", "sha256", "json", "matrix")


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
    for pid in descendants(driver):
        try:
            name = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:
            continue
        if name.startswith("ray::Searcher.search"):
            yield pid


@pytest.mark.skipif(
    not PYTHON, reason="Ray is large. $OPTARENA_TEST_RAY names a Python with examples/distributed's packages"
)
@pytest.mark.timeout(600)
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
