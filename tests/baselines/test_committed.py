"""The committed results: readable, not stale, and true where one looks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from baselines.reading import CommittedResult, committed
from optarena.agents.reports import report_path
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from optarena.validation import validate_state

if TYPE_CHECKING:
    from pathlib import Path

RESULTS = list(committed())
DRAWN = 3
MOST_COST = 30_000
"""Larger programs are validated by ./run baselines: each takes many seconds."""


def test_there_are_results_of_several_agents() -> None:
    assert {"oz-list", "portfolio", "local"} <= {one.agent for one in RESULTS}


@pytest.mark.parametrize("result", RESULTS, ids=lambda one: one.name)
def test_they_are_complete_and_not_stale(result: CommittedResult) -> None:
    assert result.stale() == []
    assert list(result.ratios) == list(datasets()[result.board.dataset].uris())
    assert result.report.run.minutes is None


@pytest.mark.parametrize("result", RESULTS, ids=lambda one: one.name)
def test_drawn_rows_are_valid(result: CommittedResult) -> None:
    if missing := environment_spec(result.board.environment).why_unavailable():
        pytest.skip(missing)
    small = [
        state
        for state in result.states
        if (datasets().benchmark(state.benchmark).baseline("ir_instructions", "O0") or 0) < MOST_COST
    ]
    for state in random.sample(small, DRAWN):
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
