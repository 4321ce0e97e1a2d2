"""``optarena minimise``, as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from optarena.agents.reports import report_path
from optarena.cli import main
from optarena.specs import environment_spec
from optarena.state import read_states

if TYPE_CHECKING:
    from pathlib import Path

SPEC = environment_spec("llvm-ic-v0")
PROGRAMS = ("--benchmark", "kernels-v0/quicksort", "--benchmark", "kernels-v0/sha256")
OPTARENA = (sys.executable, "-m", "optarena")


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_minimising_keeps_the_value_with_fewer_actions(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    assert run("search", "oz-list", *PROGRAMS, "--evaluations", 1, "--output", results).exit_code == 0
    done = run("minimise", results)
    assert done.exit_code == 0, done.output
    before, after = (
        read_states(path.read_text(), format="csv", metrics=SPEC.metric_names)
        for path in (results, tmp_path / "results-minimised.csv")
    )
    for long, short in zip(before, after, strict=True):
        assert short.claims["ir_instructions"] <= long.claims["ir_instructions"]
        assert len(short.commandline) < len(long.commandline)
    assert run("validate", tmp_path / "results-minimised.csv", "--repeats", 1).exit_code == 0
    assert "overwritten" in run("minimise", results, "--output", results).stderr
    kept = (tmp_path / "results-minimised.csv").read_bytes()
    again = run("minimise", results)
    assert again.exit_code == 2
    assert "results-minimised.csv exists" in again.stderr
    assert (tmp_path / "results-minimised.csv").read_bytes() == kept


def test_what_may_not_get_worse_is_what_the_results_are_for(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    search = ("search", "oz-list", *PROGRAMS[:2], "--evaluations", 1, "--metric", "text_size_bytes")
    assert run(*search, "--output", results).exit_code == 0
    for target in (tmp_path / "reported.csv", tmp_path / "claimed.csv"):
        done = run("minimise", results, "--output", target)
        assert done.exit_code == 0, done.output
        long, short = (
            read_states(path.read_text(), format="csv", metrics=SPEC.metric_names)[0].claims
            for path in (results, target)
        )
        assert list(short) == ["text_size_bytes"]
        assert short["text_size_bytes"] <= long["text_size_bytes"]
        report_path(results).unlink(missing_ok=True)


def test_a_state_that_fails_is_named_and_not_turned_into_another(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    unsafe = environment_spec("llvm-unsafe-v0")
    crash = unsafe.commandline([0, list(unsafe.action_table.names).index("trigger-crash-module")])
    path.write_text(f'benchmark,commandline\nbenchmark://kernels-v0/quicksort,"{crash}"\n')
    done = run("minimise", path, "--env", unsafe.slug)
    assert done.exit_code == 2
    assert "benchmark://kernels-v0/quicksort fails: " in done.stderr
    assert not (tmp_path / "results-minimised.csv").exists()


@pytest.mark.soak
def test_states_without_a_report_are_minimised_without_one(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    assert run("search", "oz-list", *PROGRAMS, "--evaluations", 1, "--output", results).exit_code == 0
    report_path(results).unlink()
    assert run("minimise", results).exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["results-minimised.csv", "results.csv"]


@pytest.mark.soak
def test_ctrl_c_keeps_the_states_that_are_minimised(tmp_path: Path) -> None:
    results, short = tmp_path / "results.csv", tmp_path / "results-minimised.csv"
    long = ("--benchmark", "programs-v0/zopfli")
    search = ("search", "oz-list", *PROGRAMS[:2], *long, "--evaluations", 1, "--output", results)
    assert run(*search).exit_code == 0
    with subprocess.Popen(
        [*OPTARENA, "minimise", str(results)], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        while not short.exists() or not report_path(short).exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"1 result written to {short}" in printed
    [state] = read_states(short.read_text(), format="csv", metrics=SPEC.metric_names)
    assert state.benchmark == "benchmark://kernels-v0/quicksort"
    report = json.loads(report_path(short).read_text())
    assert [one["benchmark"] for one in report["found"]] == [state.benchmark]
    assert not report["is_finished"]
