"""``optarena minimise``: leaves out the actions of states that gain nothing."""

from __future__ import annotations

import hashlib
import math
import shlex
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from optarena.agents import Budget, Evaluator, Objective
from optarena.agents import minimise as minimised
from optarena.agents.reports import (
    SearchReport,
    check_new,
    check_report,
    lock_output,
    read_report,
    replace_file,
    report_path,
)
from optarena.agents.searching import cpu_seconds
from optarena.cli import console
from optarena.cli.console import counted, number, output, progress_bar, read_file
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.state import EnvState, format_of, write_states

if TYPE_CHECKING:
    from optarena.agents.reports import ProgramReport
    from optarena.specs import EnvironmentSpec


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--metric", help="What may not get worse, an exact metric. [default: that of the report, or claimed]"
)
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the results. [default: FILE-minimised.csv]",
)
@console.environment
def minimise(file: Path, *, metric: str | None, target: Path | None, env: str | None) -> int:
    """Leave out the actions of the states of FILE without which no result gets worse.

    Trying to leave out one action costs one evaluation. Of two equal results boards put the earlier one
    first, and people prefer to read the shorter one. Ctrl-C keeps the states that are done. If there is a
    report of a search beside FILE, the result gets one too, with the effort of both.
    """
    spec, states = read_file(file, env)
    report = read_report(file)
    known = _claimed(spec, states) if report is None else report.run.metric
    objective = Objective.of(spec, metric or known)
    if report is not None:
        check_report(report, states, name=report_path(file).name)
        report = _with_minimising(report, file, objective, env)
    target = target or file.with_name(f"{file.stem}-minimised.csv")
    with lock_output(target):
        for path in (target, report_path(target)):
            check_new(path, "It would be overwritten: give another --output, or remove it.")
        done = _Done(target, report)
        try:
            with progress_bar() as bar:
                for state in bar.track(states, description="minimising"):
                    _minimise(spec, state, objective, done)
        finally:
            if done.states:
                output().print(f"{counted(len(done.states), 'result')} written to {target}")
    return 0


def _claimed(spec: EnvironmentSpec, states: list[EnvState]) -> str:
    # The cost before others; empty if the states share none.
    exact = [one.name for one in spec.metrics if one.exact]
    names = [name for name in exact if all(name in state.claims for state in states)]
    cost = spec.cost_metric
    return cost.name if cost is not None and cost.name in names else next(iter(names), "")


def _minimise(spec: EnvironmentSpec, state: EnvState, objective: Objective, done: _Done) -> None:
    actions, began = spec.parse_commandline(state.commandline), time.monotonic()
    budget = Budget(2 * len(actions) + 2)
    with Evaluator(spec, datasets().benchmark(state.benchmark), budget, objective=objective) as one:
        [given] = one.evaluate([actions])
        if math.isinf(given.loss):
            why = given.error or f"{objective.metric.name} cannot be measured after its actions."
            message = f"{state.benchmark} fails: {why}"
            raise InvalidInput(message, field="commandline", remedy="Leave it out.")
        best = minimised(one, given)
        value = one.replayed(best.prefix)
        seconds, run = time.monotonic() - began, one.actions_run
    claims = {objective.metric.name: int(value) if value.is_integer() else value}
    short = replace(state, commandline=spec.commandline(best.prefix), claims=claims, reward=None)
    left = len(best.prefix)
    done.add(short, actions=left, evaluations=budget.spent, actions_run=run, seconds=seconds)
    output().print(
        f"{state.benchmark}: {counted(len(actions), 'action')}, then {left}; "
        f"{objective.metric.name} {number(value)}"
    )


def _with_minimising(report: SearchReport, file: Path, objective: Objective, env: str | None) -> SearchReport:
    words = ["optarena", "minimise", file.name, "--metric", objective.metric.name]
    words += [] if env is None else ["--env", env]
    run = replace(
        report.run,
        metric=objective.metric.name,
        start_sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        command=f"{report.run.command} --output {shlex.quote(file.name)} && {shlex.join(words)}",
    )
    return replace(report, run=run)


@dataclass(slots=True)
class _Done:
    # The file is written anew after each state, and the report last.
    target: Path
    search: SearchReport | None
    states: list[EnvState] = field(default_factory=list)
    _reports: list[ProgramReport] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _cpu: float = field(default_factory=cpu_seconds)

    def add(
        self, state: EnvState, *, actions: int, evaluations: int, actions_run: int, seconds: float
    ) -> None:
        self.states.append(state)
        replace_file(self.target, write_states(self.states, format=format_of(self.target)))
        if self.search is None:
            return
        [found] = (one for one in self.search.found if one.benchmark == state.benchmark)
        self._reports.append(
            replace(
                found,
                value=state.claims[self.search.run.metric],
                actions=actions,
                evaluations=found.evaluations + evaluations,
                actions_run=found.actions_run + actions_run,
                seconds=round(found.seconds + seconds, 2),
            )
        )
        report = replace(
            self.search,
            found=tuple(self._reports),
            cpu_seconds=self.search.cpu_seconds + cpu_seconds() - self._cpu,
            wall_seconds=self.search.wall_seconds + time.monotonic() - self._began,
            is_finished=self.search.is_finished and len(self._reports) == len(self.search.found),
        )
        replace_file(report_path(self.target), report.to_json())
