"""The example agents, run as a user runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from optarena.datasets import datasets
from optarena.specs import environment_spec
from optarena.state import EnvState, read_states
from optarena.validation import validate_state

AGENTS = Path(__file__).parents[2] / "examples/agents"
SPEC = environment_spec("llvm-ic-v0")
URIS = [benchmark.uri for benchmark in list(datasets()["kernels-v0"])[:2]]


def run(agent: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(AGENTS / f"{agent}.py"), "--output", "results.csv", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=120)


def results(agent: str, folder: Path, *options: str) -> list[EnvState]:
    chosen = [part for uri in URIS for part in ("--benchmark", uri)]
    finished = run(agent, folder, *chosen, *options)
    assert finished.returncode == 0, finished.stderr
    assert "geomean" in finished.stdout
    text = (folder / "results.csv").read_text()
    return read_states(text, format="csv", metrics=SPEC.metric_names)


@pytest.mark.parametrize("agent", ["oz_sequence", "random_search", "greedy_search", "beam_search"])
def test_an_agents_results_are_valid_states_with_a_true_claim(agent: str, tmp_path: Path) -> None:
    states = results(agent, tmp_path, "--budget", "90")
    assert [state.benchmark for state in states] == URIS
    for state in states:
        assert list(state.claims) == ["ir_instructions"]
        assert state.reward is not None
        assert state.reward > 0
        result = validate_state(state, environment=SPEC)
        assert result.ok, str(result)


def test_the_flattened_pipeline_comes_close_to_oz(tmp_path: Path) -> None:
    for state in results("oz_sequence", tmp_path):
        baseline = datasets().benchmark(state.benchmark).baseline("ir_instructions", "Oz")
        assert baseline is not None
        assert 0.95 < baseline / state.claims["ir_instructions"] < 1.05


@pytest.mark.parametrize("agent", ["random_search", "greedy_search", "beam_search"])
def test_a_seed_repeats_a_search(agent: str, tmp_path: Path) -> None:
    def found(seed: str) -> list[str]:
        states = results(agent, tmp_path, "--budget", "30", "--seed", seed)
        return [state.commandline for state in states]

    assert found("1") == found("1")
    assert found("1") != found("2")


def test_an_unknown_dataset_is_one_line_of_error(tmp_path: Path) -> None:
    finished = run("oz_sequence", tmp_path, "--dataset", "kernel-v0")
    assert finished.returncode == 1
    assert finished.stderr.startswith(
        "oz-sequence: There is no dataset 'kernel-v0'. Did you mean 'kernels-v0'"
    )
    assert "Traceback" not in finished.stderr
