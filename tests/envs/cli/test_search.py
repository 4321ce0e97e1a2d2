"""``optarena search``, ``minimise`` and ``portfolio``, as a user runs them."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from optarena.agents.reports import report_path
from optarena.cli import main
from optarena.specs import environment_spec
from optarena.state import read_states
from tests.kit.folders import EXAMPLES
from tests.kit.processes import descendants
from tests.kit.scripted_server import ok, serving

SPEC = environment_spec("llvm-ic-v0")
PROGRAMS = ("--benchmark", "kernels-v0/quicksort", "--benchmark", "kernels-v0/sha256")
OPTARENA = (sys.executable, "-m", "optarena")


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_the_list_describes_the_agents() -> None:
    done = run("search", "--list")
    assert done.exit_code == 0
    for name in ("random", "oz-list", "portfolio", "greedy", "local", "width=1"):
        assert name in done.stdout


def test_a_search_prints_each_program_and_writes_states_that_validate(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    done = run("search", "greedy", *PROGRAMS, "--evaluations", 130, "--output", results)
    assert done.exit_code == 0, done.output
    assert "quicksort: " in done.stdout
    assert "geometric mean" in done.stdout
    assert f"2 results written to {results}" in done.stdout
    assert run("validate", results, "--repeats", 1).exit_code == 0
    again = run("search", "greedy", *PROGRAMS, "--evaluations", 130, "--output", results, "--nproc", "all")
    assert again.exit_code == 0
    other = run("search", "greedy", *PROGRAMS, "--evaluations", 131, "--output", results)
    assert other.exit_code == 2
    assert "another run: its evaluations is 130, not 131" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lokal", *PROGRAMS, "--evaluations", 1), "'local'"),
        ((), "No agent is named"),
        (("local",), "needs a budget"),
        (("local", *PROGRAMS), "needs a budget"),
        (("local", *PROGRAMS, "--evaluations", 1, "--minutes", 1), "needs a budget"),
        (("local", *PROGRAMS, "--evaluations", 0), "--evaluations"),
        (("local", *PROGRAMS, "--minutes", 0), "--minutes"),
        (("local", *PROGRAMS, "--evaluations", 1, "--nproc", 0), "--nproc"),
        (("local", "--evaluations", 1), "No programs are named"),
        (("local", "--board", "llvm-ci", "--evaluations", 1), "'llvm-ic'"),
        (("local", "--dataset", "kernel-v0", "--evaluations", 1), "'kernels-v0'"),
        (("local", "--dataset", "programs-v0", "--split", "tests", "--evaluations", 1), "'test'"),
        (("local", "--board", "llvm-runtime", "--evaluations", 1), "does not measure the metric"),
        (("local", "--board", "gcc-codesize", "--evaluations", 1), "does not know its cost after each"),
        (("local", "--dataset", "gcc-kernels-v0", "--evaluations", 1), "does not know its cost after each"),
        (("local", *PROGRAMS, "--evaluations", 1, "--dataset", "programs-v0"), "both choose programs"),
        (("local", *PROGRAMS, "--evaluations", 1, "--split", "train"), "both choose programs"),
        (("greedy", *PROGRAMS, "--evaluations", 1, "--set", "with=2"), "'width'"),
        (("greedy", *PROGRAMS, "--evaluations", 1, "--set", "width=many"), "NAME=NUMBER"),
        (("nowhere:agent", *PROGRAMS, "--evaluations", 1), "cannot be imported"),
        (("math:sqr", *PROGRAMS, "--evaluations", 1), "'sqrt'"),
    ],
)
def test_what_cannot_be_searched_is_one_line_and_writes_nothing(
    arguments: tuple[Any, ...], said: str, tmp_path: Path
) -> None:
    done = run("search", *arguments, "--output", tmp_path / "results.csv")
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_a_portfolio_of_other_actions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text('name = "o-v0"\nkind = "portfolio"\ntable = "others-v0"\n[[sequence]]\nactions = "x"\n')
    done = run("portfolio", "apply", *PROGRAMS, "--evaluations", 1, "--portfolio", path)
    assert done.exit_code == 2
    assert "sequences of others-v0, not of llvm-passes-v0" in done.stderr


def test_a_portfolio_is_learned_and_applied(tmp_path: Path) -> None:
    path, results = tmp_path / "mine.toml", tmp_path / "results.csv"
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--largest", 1400, "--env", "llvm-ic-v0")
    budget = ("--evaluations", 20, "--changes", 2, "--size", 2, "--nproc", 2)
    done = run(*learn, *budget, "--output", path)
    assert done.exit_code == 0, done.output
    assert "sequences written" in done.stdout
    other = tmp_path / "other.toml"
    assert run(*learn, *budget[:-2], "--output", other).exit_code == 0
    assert other.read_bytes() == path.read_bytes(), "the seed repeats it with any number of processes"
    again = run(*learn, *budget, "--output", path)
    assert again.exit_code == 2
    assert "exists" in again.stderr
    apply = ("portfolio", "apply", "--benchmark", "kernels-v0/json", "--evaluations", 3, "--portfolio", path)
    done = run(*apply, "--output", results)
    assert done.exit_code == 0, done.output
    report = json.loads(report_path(results).read_text())
    assert report["run"]["trained_on"][0]["name"] == "mine-v0"
    assert not report["run"]["trained_on_test_set"]
    seen = run(
        "portfolio", "apply", "--benchmark", "kernels-v0/bytecode", *apply[4:], "--output", tmp_path / "s.csv"
    )
    assert seen.exit_code == 0, seen.output
    assert json.loads((tmp_path / "s.run.json").read_text())["run"]["trained_on_test_set"]


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


def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    results, taken = tmp_path / "results.csv", tmp_path / "taken"
    assert run("search", "oz-list", *PROGRAMS, "--evaluations", 1, "--output", results).exit_code == 0
    taken.touch()
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--env", "llvm-ic-v0")
    for command in (("search", "random", *PROGRAMS, "--evaluations", 3), ("minimise", results), learn):
        done = run(*command, "--output", taken / "file.csv")
        assert done.exit_code == 2
        assert str(taken) in done.stderr
        assert not done.stdout, "the error comes before any program is worked on"


@pytest.mark.parametrize("name", ["", "n" * 101, "a\nb-v0"])
def test_a_portfolio_gets_no_name_with_which_it_could_not_be_read(name: str, tmp_path: Path) -> None:
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--env", "llvm-ic-v0", "--evaluations", 1)
    done = run(*learn, "--name", name, "--output", tmp_path / "mine.toml")
    assert done.exit_code == 2
    assert "name" in done.stderr
    assert not done.stdout
    assert not list(tmp_path.iterdir())


def test_submitting_takes_the_effort_from_the_report(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    assert run("search", "random", *PROGRAMS, "--evaluations", 3, "--output", results).exit_code == 0
    sent = submitted(results)
    assert sent["effort"]["compilations"] == 3
    assert sent["effort"]["walltime_seconds"] > 0
    assert not sent["effort"]["trained_on_test_set"]
    assert "optarena search random" in sent["description"]
    assert submitted(results, "--compilations", "7")["effort"]["compilations"] == 7
    results.write_text("\n".join(results.read_text().splitlines()[:2]) + "\n")
    with serving(answer) as server:
        done = run("submit", results, "--board", "b", "--agent", "a", "--url", server.url, "--token", "t")
    assert done.exit_code == 2
    assert "contradicts its results" in done.stderr


def answer(_: int, path: str) -> tuple[int, str, bytes]:
    if path.endswith("/boards/b/"):
        return ok({"environment": SPEC.slug, "environment_digest": SPEC.digest, "slug": "b"})
    return ok({"items": 2, "board": "b"})


def submitted(results: Path, *options: str) -> dict[str, Any]:
    """What `optarena submit --dry-run` sends."""
    with serving(answer) as server:
        place = ("--board", "b", "--agent", "a", "--url", server.url, "--token", "t")
        done = run("submit", results, *place, "--dry-run", *options)
        assert done.exit_code == 0, done.output
        sent: dict[str, Any] = json.loads(server.bodies[-1])
    return sent


def test_an_agent_of_ones_own_is_named_by_its_function(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    command = [*OPTARENA, "search", "annealing:search", *PROGRAMS, "--evaluations", "40"]
    variables = {**os.environ, "PYTHONPATH": str(EXAMPLES / "agents")}
    done = subprocess.run(
        [*command, "--output", str(results)], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert run("validate", results, "--repeats", 1).exit_code == 0
    assert json.loads(report_path(results).read_text())["run"]["agent"] == "annealing:search"


def test_ctrl_c_on_a_terminal_keeps_what_was_found_and_ends_all_processes(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    ours, theirs = pty.openpty()
    command = [*OPTARENA, "search", "local", *PROGRAMS, "--evaluations", "4000", "--nproc", "2"]
    with subprocess.Popen(
        [*command, "--output", str(results)],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    ) as process:
        os.close(theirs)
        shown = b""
        while b"quicksort" not in shown or len(below := descendants(process.pid)) < 3:
            shown += os.read(ours, 65536)
            assert process.poll() is None
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=30)
    os.close(ours)
    assert process.returncode == 130
    assert "The same command goes on from there" in printed
    assert "evaluations" in shown.decode(errors="replace")
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
    report = json.loads(report_path(results).read_text())
    assert not report["is_finished"]
    assert run("validate", results, "--repeats", 1).exit_code == 0
