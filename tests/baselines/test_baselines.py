"""The committed results are true and not stale, and ./run baselines repeats, carries over and refuses."""

from __future__ import annotations

import random
import runpy
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import baselines
from baselines.__main__ import carried, differs, main, moved, tried, validated
from baselines.reading import ANOTHER_ENVIRONMENT, CommittedResult, committed
from optarena.agents.evaluator import MAX_PROCESSES
from optarena.agents.reports import SearchFiles, report_path
from optarena.datasets import datasets
from optarena.errors import InvalidInput, ToolMissing
from optarena.specs import environment_spec
from optarena.validation import validate_state
from tests.kit.examples import examples

RESULTS = list(committed())
DRAWN = examples(1)
MOST_COST = 10_000
QUICK = ("llvm-ic@kernels-v0/local", "gcc-codesize@gcc-kernels-v0/hill-climb")
"""Larger programs are validated by ./run baselines: each takes many seconds."""


def test_there_are_results_of_several_agents() -> None:
    assert {"oz-list", "portfolio", "local"} <= {one.agent for one in RESULTS}


@pytest.mark.parametrize("result", RESULTS, ids=lambda one: one.name)
def test_they_are_complete_and_not_stale(result: CommittedResult) -> None:
    assert result.stale() == []
    assert list(result.ratios) == list(datasets()[result.board.dataset].uris())
    assert result.report.run.minutes is None


@pytest.mark.drawn
@pytest.mark.parametrize(
    "result",
    [pytest.param(one, id=one.name, marks=() if one.name in QUICK else pytest.mark.soak) for one in RESULTS],
)
def test_drawn_rows_are_valid(result: CommittedResult) -> None:
    if missing := environment_spec(result.board.environment).why_unavailable():
        pytest.skip(missing)
    small = [
        state
        for state in result.states
        if (datasets().benchmark(state.benchmark).baseline("ir_instructions", "O0") or 0) < MOST_COST
    ]
    for state in random.sample(small, min(DRAWN, len(small))):
        found = validate_state(state, environment=result.board.environment, repeats=1)
        assert found.ok, str(found)


def test_a_search_that_went_on_from_another_counts_the_effort_of_both() -> None:
    [result] = [one for one in RESULTS if one.starts]
    reports = [report for _, report in result.searches]
    for report, (path, start) in zip(reports, result.starts, strict=False):
        assert f"--start {path.name}" in report.run.command
        assert start.is_finished
        assert start.run.programs_sha256 == report.run.programs_sha256
    assert result.compilations == sum(one.compilations for one in reports)
    assert result.cpu_seconds == sum(one.cpu_seconds for one in reports)
    run = replace(result.report.run, start_sha256="0" * 64)
    changed = replace(result, report=replace(result.report, run=run), starts=())
    assert changed.stale() == ["the states that it began with have changed"]


def test_what_is_stale_is_said_by_name(tmp_path: Path) -> None:
    result = RESULTS[0]
    run = replace(result.report.run, environment_digest="0" * 64, programs_sha256="1" * 64)
    changed = replace(result, report=replace(result.report, run=run))
    assert changed.stale() == [
        "the environment has another version",
        "the programs are not those of the board",
    ]
    folder = tmp_path / result.board.slug / result.agent
    folder.mkdir(parents=True)
    (folder / "results.csv").write_bytes(result.path.read_bytes())
    with pytest.raises(FileNotFoundError, match="no report"):
        list(committed(tmp_path))
    report = report_path(result.path).read_text()
    report_path(folder / "results.csv").write_text(report.replace('"value": ', '"value": 1', 1))
    with pytest.raises(InvalidInput, match="contradicts its results"):
        list(committed(tmp_path))


FORMER = "0" * 64
[OZ_LIST] = [one for one in committed() if one.name == "llvm-ic/oz-list"]


def former(folder: Path, names: tuple[str, ...]) -> CommittedResult:
    """Some results as those of a former version in which each program had one instruction more."""
    states = {
        one.benchmark: replace(one, claims={"ir_instructions": one.claims["ir_instructions"] + 1})
        for one in OZ_LIST.states
        if one.benchmark.endswith(names)
    }
    found = tuple(
        replace(one, value=one.value + 1) for one in OZ_LIST.report.found if one.benchmark in states
    )
    run = replace(OZ_LIST.report.run, environment_digest=FORMER)
    path = folder / "llvm-ic" / "oz-list" / "results.csv"
    path.parent.mkdir(parents=True)
    SearchFiles(path, replace(OZ_LIST.report, run=run, found=found), states).save()
    [made] = committed(folder)
    return made


def test_sequences_are_carried_over_with_the_values_of_the_present_version(tmp_path: Path) -> None:
    before = former(tmp_path, ("siphash", "qoi"))
    assert ANOTHER_ENVIRONMENT in before.stale()
    console = Console(record=True, width=200)
    assert moved(before, console, 2)
    said = console.export_text()
    assert [line.split(": ")[1] for line in said.splitlines() if " before, " in line] == [
        f"{one.claims['ir_instructions']:g} before, {one.claims['ir_instructions'] - 1:g} now"
        for one in before.states
    ]
    assert "0 of 2 are unchanged" in said
    [after] = committed(tmp_path)
    assert after.stale() == []
    assert after.report.run.carried_from == FORMER
    assert after.report.evaluations == before.report.evaluations, "the effort is that of the search"
    true = {one.benchmark: one.claims for one in OZ_LIST.states}
    assert {one.benchmark: one.claims for one in after.states} == {uri: true[uri] for uri in after.ratios}
    assert "carried over" in differs(after, 1)
    assert moved(after, console, 2)
    assert "of the present version already" in console.export_text()


def test_nothing_is_written_where_a_sequence_fails_in_the_present_version(tmp_path: Path) -> None:
    whole = former(tmp_path, ("siphash", "qoi"))
    first, second = whole.states
    broken = replace(first, commandline=first.commandline.replace("-passes='", "-passes='gone,"))
    result = replace(whole, states=(broken, second))
    content = whole.path.read_bytes()
    with ThreadPoolExecutor(2) as pool:
        [fails, holds] = carried(result, validated(result, pool))
    assert fails.now is None
    assert fails.why
    assert holds.now == second.claims["ir_instructions"] - 1
    console = Console(record=True, width=200)
    assert not moved(result, console, 2)
    assert "1 fail, so nothing was written" in console.export_text()
    assert whole.path.read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--nproc", "0"), "'0' is not a number from 1 to 64"),
        (("--nproc", "x"), "'x' is not a number"),
        (("--again", "lokal"), "lokal"),
        (("--again", "local", "--carry-over"), "not allowed with"),
        (("llvm-ic/lokal",), "llvm-ic/local"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["baselines", *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(Path(baselines.__file__).with_name("__main__.py")), run_name="__main__")
    assert ended.value.code != 0
    assert said in f"{ended.value.code} {capsys.readouterr().err}"


@pytest.mark.soak
def test_a_search_that_went_on_from_others_is_repeated_with_them(tmp_path: Path) -> None:
    program = "benchmark://programs-v0/siphash"
    folder = tmp_path / "llvm-ic" / "oz-list"
    folder.mkdir(parents=True)
    command = "optarena search {} --board llvm-ic --benchmark programs-v0/siphash --evaluations 4 --seed 0"
    for name, said in (("start", "oz-list"), ("results", "local --set tried=1 --start start.csv")):
        words = shlex.split(command.format(said))
        output = ("--output", f"{name}.csv")
        subprocess.run([sys.executable, "-m", *words, *output], check=True, cwd=folder)
    [made] = committed(tmp_path)
    [(start, report)] = made.starts
    assert [one.benchmark for one in made.states] == [program]
    assert made.states[0].claims["ir_instructions"] <= report.found[0].value
    assert differs(made, 1) == ""
    start.write_text(start.read_text() + "\n")
    assert differs(made, 1) != ""


def test_a_board_whose_compiler_is_missing_does_not_keep_the_others_from_being_replayed() -> None:
    def work(*_: object) -> bool:
        raise ToolMissing("GCC is not installed.", field="gcc")

    console = Console(record=True)
    assert not tried(work, OZ_LIST, console, 1)
    assert "llvm-ic/oz-list: GCC is not installed." in console.export_text()


def test_there_are_at_most_as_many_processes_as_a_search_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(1000))
    monkeypatch.setattr(sys, "argv", ["baselines", "--help"])
    said = StringIO()
    with redirect_stdout(said), pytest.raises(SystemExit):
        main()
    assert f"({MAX_PROCESSES})" in said.getvalue()


def test_a_search_that_fails_again_is_told_from_one_that_differs() -> None:
    run = replace(OZ_LIST.report.run, command="optarena search nobody --board llvm-ic --evaluations 1")
    said = differs(replace(OZ_LIST, report=replace(OZ_LIST.report, run=run)), 1)
    assert said == "cannot be compared: the search ended with exit code 2, see above"
