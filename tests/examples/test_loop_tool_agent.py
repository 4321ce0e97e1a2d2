"""The agent for loop_tool: what it writes can be read and replayed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from optarena.datasets import datasets
from optarena.loop_tool.nest import BOARD_SIZES, DATASETS, Tuning
from optarena.specs import environment_spec
from optarena.state import read_states

AGENT = Path(__file__).resolve().parents[2] / "examples/agents/loop_tool_search.py"


def test_it_finds_a_schedule_for_each_size(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    order = [sys.executable, str(AGENT), "--size", "1021", "--size", "64", "--output", str(results)]
    done = subprocess.run(order, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    spec = environment_spec("loop_tool-v0")
    states = read_states(results.read_text(), format="csv", metrics=spec.metric_names)
    assert [state.benchmark.rpartition("/")[2] for state in states] == ["1021", "64"]
    for state, size in zip(states, (1021, 64), strict=True):
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
