"""``optarena portfolio``: what is learned is kept, joined, and named by the commands that repeat a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from optarena.agents.known_sequences import builtin_portfolio, read_portfolio
from optarena.agents.reports import report_path
from optarena.cli import main
from optarena.cli.console import counted
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from pathlib import Path

TABLE = environment_spec("llvm-ic-v0").action_table
PROGRAM = ("--benchmark", "kernels-v0/quicksort")
TEXT = 'name = "{name}"\nkind = "portfolio"\ntable = "{table}"\ntrained_on = ["benchmark://{name}/p"]\n'
SEQUENCE = '[[sequence]]\norigin = "benchmark://{name}/p"\nadded = 0.5\nactions = "{actions}"\n'


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(main, [*map(str, arguments)])


def portfolio(folder: Path, name: str, *sequences: str, table: str = TABLE.name) -> Path:
    path = folder / f"{name}.toml"
    parts = [SEQUENCE.format(name=name, actions=actions) for actions in sequences]
    path.write_text("".join([TEXT.format(name=name, table=table), *parts]))
    return path


def test_ctrl_c_keeps_the_sequences_that_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    learn = ("learn", "--from", "kernels-v0", "--largest", "1400", "--env", "llvm-ic-v0")
    budget = ("--evaluations", "20", "--changes", "20", "--output", str(path))
    with subprocess.Popen(
        [sys.executable, "-m", "optarena", "portfolio", *learn, *budget],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        while "those from other programs" not in process.stdout.readline():
            assert process.poll() is None
        assert path.exists(), "a sequence is written before it is told"
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    kept = read_portfolio(path, TABLE)
    assert f"{counted(len(kept.sequences), 'sequence')} written to {path}" in printed
    assert [one.name for one in tmp_path.iterdir()] == ["mine.toml"]


def test_portfolios_are_joined_with_each_sequence_once(tmp_path: Path) -> None:
    first = portfolio(tmp_path, "first-v0", "sroa gvn", "inline")
    second = portfolio(tmp_path, "second-v0", "inline", "dse")
    target = tmp_path / "both.toml"
    join = ("portfolio", "join", "--env", "llvm-ic-v0", "--name", "both-v0", "--output", target)
    done = run(*join, first, second)
    assert done.exit_code == 0, done.output
    both = read_portfolio(target, TABLE)
    assert [[TABLE.names[action] for action in one.actions] for one in both.sequences] == [
        ["sroa", "gvn"],
        ["inline"],
        ["dse"],
    ]
    assert both.trained_on == ("benchmark://first-v0/p", "benchmark://second-v0/p")
    assert [one.origin for one in both.sequences] == [*[both.trained_on[0]] * 2, both.trained_on[1]]
    assert {one.added for one in both.sequences} == {None}, "it held beside other sequences"
    again = run(*join, second, first)
    assert again.exit_code == 2
    assert "exists" in again.stderr


def test_what_cannot_be_joined_is_refused(tmp_path: Path) -> None:
    names = TABLE.names
    first = portfolio(tmp_path, "first-v0", *(f"sroa {name}" for name in names[:30]))
    second = portfolio(tmp_path, "second-v0", *(f"gvn {name}" for name in names[:30]))
    foreign = portfolio(tmp_path, "foreign-v0", "x", table="others-v0")
    join = ("portfolio", "join", "--env", "llvm-ic-v0", "--output", tmp_path / "both.toml", first)
    for other, said in (
        (second, "60 sequences"),
        (foreign, "sequences of others-v0, not of llvm-passes-v0"),
        ("portfolio-v00", "portfolio-v0"),
    ):
        done = run(*join, other)
        assert done.exit_code == 2
        assert said in done.stderr
    assert not (tmp_path / "both.toml").exists()


def test_a_run_names_the_portfolio_that_it_used(tmp_path: Path) -> None:
    newest = builtin_portfolio(TABLE, "portfolio")
    former = builtin_portfolio(TABLE, "portfolio", "portfolio-v0")
    assert newest is not None
    assert former is not None
    for given, used in (((), newest), (("--portfolio", "portfolio-v0"), former)):
        results = tmp_path / f"{used.name}.csv"
        done = run("search", "portfolio", *PROGRAM, "--evaluations", 1, *given, "--output", results)
        assert done.exit_code == 0, done.output
        identity = json.loads(report_path(results).read_text())["run"]
        assert {"name": used.name, "sha256": used.sha256} in identity["trained_on"]
        assert identity["command"].endswith(f"--portfolio {used.name}")


def test_what_says_nothing_about_itself_is_joined_too(tmp_path: Path) -> None:
    path, target = tmp_path / "bare.toml", tmp_path / "both.toml"
    path.write_text(
        f'name = "bare-v0"\nkind = "portfolio"\ntable = "{TABLE.name}"\n[[sequence]]\nactions = "sroa"\n'
    )
    done = run("portfolio", "join", "--env", "llvm-ic-v0", "--output", target, path)
    assert done.exit_code == 0, done.output
    both = read_portfolio(target, TABLE)
    assert [(one.origin, both.description) for one in both.sequences] == [("", "")]
