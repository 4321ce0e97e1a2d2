"""Reads the committed results, and says what of them is no longer true."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from optarena.agents.catalogue import Known, agent_named
from optarena.agents.known_sequences import builtin_portfolio
from optarena.agents.policies import builtin_policy
from optarena.agents.reports import SearchIdentity, SearchReport, check_report, read_report
from optarena.datasets import datasets
from optarena.datasets.manifest import digest_of
from optarena.specs import BoardSpec, EnvironmentSpec, board_specs, environment_spec
from optarena.specs.board import ratio
from optarena.state import EnvState, read_states

FOLDER: Final = Path(__file__).parent
ANOTHER_ENVIRONMENT: Final = "the environment has another version"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedResult:
    # `board` is on the dataset that the results are for. `agent` is its folder's name, so that one agent may
    # have several rows. `starts`: the search that it went on from, the one that this went on from, and so on.
    board: BoardSpec
    agent: str
    path: Path
    states: tuple[EnvState, ...]
    report: SearchReport
    starts: tuple[tuple[Path, SearchReport], ...] = ()

    @property
    def searches(self) -> tuple[tuple[Path, SearchReport], ...]:
        return ((self.path, self.report), *self.starts)

    @property
    def compilations(self) -> int:
        return sum(one.compilations for _, one in self.searches)

    @property
    def cpu_seconds(self) -> float:
        return sum(one.cpu_seconds for _, one in self.searches)

    @property
    def wall_seconds(self) -> float:
        return sum(one.wall_seconds for _, one in self.searches)

    @property
    def name(self) -> str:
        return f"{self.path.parent.parent.name}/{self.agent}"

    @property
    def ratios(self) -> dict[str, float]:
        metric = environment_spec(self.board.environment).metric(self.board.metric)
        return {
            state.benchmark: ratio(
                baseline=datasets()
                .benchmark(state.benchmark)
                .baseline(metric.name, self.board.baseline_level)
                or math.nan,
                achieved=state.claims[metric.name],
                lower_is_better=metric.lower_is_better,
            )
            for state in self.states
        }

    def stale(self) -> list[str]:
        # Empty for results that can be repeated.
        run, spec = self.report.run, environment_spec(self.board.environment)
        programs = digest_of((one.uri, one.sha256) for one in datasets()[self.board.dataset])
        agent = agent_named(run.agent)
        known = agent.known(spec.action_table, _named(run, spec)).values()
        facts = (
            ("the search did not end", self.report.is_finished, True),
            (ANOTHER_ENVIRONMENT, run.environment_digest, spec.digest),
            ("the states that it began with have changed", self.searches[-1][1].run.start_sha256, ""),
            ("the programs are not those of the board", run.programs_sha256, programs),
            (
                "the agent has another version",
                {(one.run.agent, one.run.version) for _, one in self.searches},
                {(run.agent, agent.version_for(spec.action_table))},
            ),
            (
                "the known sequences have changed",
                {one["name"]: one["sha256"] for one in run.trained_on},
                {one.name: one.sha256 for one in known},
            ),
        )
        return [sentence for sentence, then, now in facts if then != now]


def committed(folder: Path = FOLDER) -> Iterator[CommittedResult]:
    boards = {board.slug: board for board in board_specs()}
    for path in sorted(folder.glob("*/*/results.csv")):
        slug, _, dataset = path.parent.parent.name.partition("@")
        board = replace(boards[slug], dataset=dataset or boards[slug].dataset)
        states = read_states(path.read_bytes(), format="csv", metrics=[board.metric])
        report = _report(path)
        check_report(report, states, name=str(path))
        yield CommittedResult(
            board=board,
            agent=path.parent.name,
            path=path,
            states=tuple(states),
            report=report,
            starts=tuple(_starts(path.parent, report)),
        )


def _report(path: Path) -> SearchReport:
    report = read_report(path)
    if report is None:
        raise FileNotFoundError(f"There is no report beside {path}.")
    return report


def _starts(folder: Path, report: SearchReport) -> Iterator[tuple[Path, SearchReport]]:
    known = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in folder.glob("start*.csv")}
    while (path := known.pop(report.run.start_sha256, None)) is not None:
        report = _report(path)
        yield path, report


def _named(run: SearchIdentity, spec: EnvironmentSpec) -> dict[str, Known]:
    # By kind; they may have successors.
    found: dict[str, Known] = {}
    for one in run.trained_on:
        if portfolio := builtin_portfolio(spec.action_table, "portfolio", one["name"]):
            found["portfolio"] = portfolio
        if policy := builtin_policy(spec.action_table, one["name"]):
            found["policy"] = policy
    return found


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
