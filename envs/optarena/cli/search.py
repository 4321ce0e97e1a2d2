"""``optarena search`` lets an agent search, and ``minimise`` leaves out actions that gain nothing."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Self

import click
from rich.console import Group
from rich.live import Live
from rich.table import Table

from optarena import paths
from optarena.agents import Budget, Evaluator, Objective
from optarena.agents import minimise as minimised
from optarena.agents.catalogue import AGENTS, AgentSpec, Known, agent_named
from optarena.agents.known_sequences import find_portfolio
from optarena.agents.policies import find_policy
from optarena.agents.reports import (
    ProgramReport,
    SearchFiles,
    SearchPlan,
    SearchReport,
    check_new,
    check_report,
    lock_output,
    read_report,
    replace_file,
    report_path,
)
from optarena.agents.searching import Search, SearchProgress, cpu_seconds
from optarena.cli import console
from optarena.cli.console import counted, errors, number, output, progress_bar, read_file, table
from optarena.cli.own_programs import (
    clang_options,
    drop_optnone,
    make_program,
    refuse_options,
    with_level,
    write_programs,
)
from optarena.datasets import Benchmark, datasets, environment_of, environments_of
from optarena.errors import InvalidInput
from optarena.limits import MAX_NUMBER
from optarena.outcome_store import open_store
from optarena.specs import BoardSpec, EnvironmentSpec, environment_spec
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.board import ratio
from optarena.specs.rewards import level_text
from optarena.state import EnvState, format_of, write_states

_TIMES_A_SECOND: Final = 4
_MUCH_LONGER: Final = 1.25
_NAMED: Final = 5  # How many programs that ended behind the level are named
_SHOWN: Final = 12  # How many programs the live table shows, the present one last


def _level_of(board: BoardSpec | None, spec: EnvironmentSpec) -> str:
    return (board.baseline_level if board else "") or spec.reference_level


class SearchTable:
    def __init__(self, plan: SearchPlan, board: BoardSpec | None, *, as_json: bool) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._earlier: set[str] = set()  # programs that an interrupted run had finished
        self._as_json = as_json
        self._metric = plan.objective.metric
        self._level = _level_of(board, plan.environment)
        self._seen: dict[str, SearchProgress] = {}
        self._console = errors()
        self._live = Live(console=self._console, refresh_per_second=_TIMES_A_SECOND, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def update(self, progress: SearchProgress) -> None:
        before = self._seen.get(progress.benchmark.uri)
        self._seen[progress.benchmark.uri] = progress
        if before is None and progress.is_finished:
            self._earlier.add(progress.benchmark.uri)
        if self._live.is_started:
            self._live.update(Group(self._table(), self._overall()))
        elif progress.is_finished and not (before and before.is_finished):
            words = dict(zip(self._columns, self._row(progress), strict=True))
            compared = f", {self._ratio} {words[self._ratio]}" if words[self._ratio] else ""
            begun = f"{words['start']} to " if words["start"] else ""
            self.say(
                f"{words['program']}: {begun}{words['best']}{compared}; "
                f"{counted(progress.evaluations, 'evaluation')} in {words['seconds']} s ({self._overall()})"
            )

    def say(self, text: str) -> None:
        (errors() if self._as_json else output()).print(text)

    def summarise(self) -> None:
        rows = [self._row(one) for one in self._seen.values()]
        if (mean := self._mean()) is not None:
            rows.append(("geometric mean", "", "", f"{mean:.4f}", "", ""))
        table(self._columns, rows, numbers=self._columns[1:])

    def overrun(self) -> str:
        # What is to be said of a run that took much longer than it was given.
        spent, given = time.monotonic() - self._began, 60 * (self._plan.minutes or math.inf)
        if spent < _MUCH_LONGER * given:
            return ""
        searched = [one for uri, one in self._seen.items() if uri not in self._earlier]
        if not searched:
            return ""
        slowest = max(searched, key=lambda one: one.seconds)
        longest = f"the search on {slowest.benchmark.name} took {slowest.seconds:.1f} s"
        what = f"The run took {spent:.1f} s instead of {given:g} s; {longest}."
        return f"{what} An evaluation that has begun is never cut short."

    def document(self, files: SearchFiles, not_searched: Sequence[str]) -> dict[str, Any]:
        # The report of the run, with what it is compared with.
        report: dict[str, Any] = json.loads(files.report.to_json())
        for one in report["found"]:
            seen = self._seen.get(one["benchmark"])
            one["ratio"] = None if seen is None else self._compared(seen)
        return report | {
            "level": self._level,
            "geometric_mean": self._mean(),
            "not_searched": list(not_searched),
            "output": str(files.results),
        }

    def _mean(self) -> float | None:
        ratios = [found for one in self._seen.values() if (found := self._compared(one)) is not None]
        return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else None

    def _overall(self) -> str:
        done = sum(one.is_finished for one in self._seen.values())
        parts = [f"{done} of {counted(len(self._plan.benchmarks), 'program')}"]
        if (mean := self._mean()) is not None:
            parts.append(f"mean ratio {mean:.4f}")
        if (left := self._seconds_left(done)) is not None:
            parts.append(f"{left / 60:.0f} min left" if left >= 2 * 60 else f"{left:.0f} s left")
        return ", ".join(parts)

    def _seconds_left(self, done: int) -> float | None:
        spent, programs = time.monotonic() - self._began, len(self._plan.benchmarks)
        if done == programs:
            return None
        if self._plan.minutes is not None:
            return max(0.0, 60 * self._plan.minutes - spent)
        # By what has been done in this run, in programs and parts of one.
        budget = self._plan.evaluations or 1
        begun = sum(min(1, one.evaluations / budget) for one in self._seen.values() if not one.is_finished)
        share = done - len(self._earlier) + begun
        return spent * (programs - done - begun) / share if share else None

    @property
    def _ratio(self) -> str:
        return f"ratio to {level_text(self._level)}"

    @property
    def _columns(self) -> tuple[str, ...]:
        return ("program", "start", "best", self._ratio, "evaluations", "seconds")

    def _row(self, one: SearchProgress) -> tuple[str, ...]:
        compared = self._compared(one)
        return (
            one.benchmark.name,
            number(one.start),
            number(one.best),
            "" if compared is None else f"{compared:.4f}",
            str(one.evaluations),
            f"{one.seconds:.1f}",
        )

    def _compared(self, one: SearchProgress) -> float | None:
        # How many times better than the level; None where that is not known.
        baseline = one.benchmark.baseline(self._metric.name, self._level)
        if not baseline or not one.best or one.best < 0:
            return None
        return ratio(baseline=baseline, achieved=one.best, lower_is_better=self._metric.lower_is_better)

    def _table(self) -> Table:
        shown = Table(box=None, pad_edge=False, header_style="bold")
        for column in self._columns:
            shown.add_column(column, justify="left" if column == "program" else "right")
        for one in list(self._seen.values())[-_SHOWN:]:
            shown.add_row(*self._row(one))
        return shown


_WHOLE = re.compile(r"-?[0-9]{1,18}")
_OPTIONS = (
    click.option("--board", help="Search on the programs of this board, and for its metric."),
    click.option("--dataset", help="Search on the programs of this dataset."),
    click.option("--split", help="Only those of this split: train, validation or test."),
    click.option("--benchmark", multiple=True, metavar="URI", help="Search on this program; repeatable."),
    click.option(
        "--program",
        multiple=True,
        metavar="FILE|COMMAND",
        help="Search on a program of your own: a source in C or C++, a .ll or .bc file, or a compiler's "
        "command line in quotes; repeatable. Options for clang follow --.",
    ),
    click.option("--env", help="The environment. [default: that of the board or the dataset]"),
    click.option("--metric", help="What to optimise, an exact metric. [default: the board's, or the cost]"),
    click.option(
        "--evaluations",
        type=click.IntRange(1, MAX_NUMBER),
        help="How many sequences to evaluate for each program.",
    ),
    click.option(
        "--minutes",
        type=click.FloatRange(0, min_open=True),
        help="How long the whole run may take; such a run cannot be repeated exactly.",
    ),
    click.option(
        "--work",
        type=click.IntRange(1, MAX_NUMBER),
        metavar="N",
        help="With --evaluations: a large program gets fewer of them, at most N divided by its cost.",
    ),
    click.option("--seed", type=click.IntRange(0, MAX_NUMBER), default=0, help="Of random choices."),
    click.option(
        "--nproc",
        type=console.ProcessCount(),
        default=1,
        help=f"Sequences evaluated at a time: a number, or {console.ALL_CORES} for one on each core.",
    ),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the agent."),
    click.option("--start", type=console.FILE, help="States to begin with, such as earlier results."),
    click.option(
        "--store",
        metavar="URL",
        help="Where outcomes are kept for later runs: a file, sqlite:FILE, memory: or valkey://HOST:PORT/0.",
    ),
    click.option(
        "--portfolio",
        metavar="FILE|NAME",
        help="For agents that begin with one: a portfolio's file, or the name of one of the package. "
        "[default: the newest of these]",
    ),
    click.option(
        "--policy",
        metavar="FILE|NAME",
        help="For agents that follow one: a policy's JSON file, or the name of one of the package. "
        "[default: the newest of these]",
    ),
    click.option(
        "--output",
        type=console.RESULTS_FILE,
        help="File for the results, .csv or .json. [default: the agent's name, and that of a single "
        "--program, with .csv in $OPTARENA_LOGS]",
    ),
    drop_optnone,
    console.json_output,
    clang_options,
)


def choices(command: console.Command) -> console.Command:
    return console.with_options(_OPTIONS, command)


def run(agent: AgentSpec, *, as_json: bool, **chosen: Any) -> int:  # noqa: ANN401 # the options of ``choices``
    choice = SimpleNamespace(**chosen)
    board = None if choice.board is None else console.board_named(choice.board, choice.env)
    plan = planned(agent, choice, board)
    level = _level_of(board, plan.environment)
    output = choice.output or paths.logs() / f"{agent.name}{_named_after(choice, plan)}.csv"
    with lock_output(output), nullcontext() if plan.store is None else closing(plan.store):
        files = SearchFiles.open(output, plan.identity())
        write_programs(plan.benchmarks)
        with SearchTable(plan, board, as_json=as_json) as shown:
            search = Search(plan, files, shown.update)
            try:
                search.run()
            except KeyboardInterrupt:
                kept = f"What was found until now is in {output}. The same command goes on from there."
                shown.say(kept if files.report.found else "Nothing was found yet, and nothing was written.")
                raise
    if as_json:
        console.print_json(shown.document(files, search.not_searched))
    else:
        shown.summarise()
    if missing := search.not_searched:
        shown.say(f"No time was left for {counted(len(missing), 'program')}. The same command goes on there.")
    if overrun := shown.overrun():
        shown.say(overrun)
    if plan.store is not None:
        report = files.report
        shown.say(
            f"{plan.store.url} answered {report.from_store} of {counted(report.evaluations, 'evaluation')}"
        )
    if behind := _behind(plan, files.report, level):
        shown.say(behind)
    shown.say(f"{counted(len(files.report.found), 'result')} written to {output}")
    if choice.program and files.report.found:
        words = ["optarena", "show", str(output)]
        words += ["--benchmark", files.report.found[0].benchmark] if len(files.report.found) > 1 else []
        shown.say(f"`{shlex.join(words)}` shows what was found.")
    return 0


def _named_after(choice: SimpleNamespace, plan: SearchPlan) -> str:
    # Results of a single program of one's own do not collide with those of the next one.
    return f"-{plan.benchmarks[0].name}" if choice.program and len(plan.benchmarks) == 1 else ""


def _behind(plan: SearchPlan, report: SearchReport, level: str) -> str:
    # What is to be said of the programs that ended behind the level.
    metric, found = plan.objective.metric, {one.benchmark: one.value for one in report.found}
    words = []
    for one in plan.benchmarks:
        baseline, value = one.baseline(metric.name, level), found.get(one.uri)
        if baseline is not None and value is not None and plan.objective.loss(value - baseline) > 0:
            words.append(f"{one.name} ({number(value)}; {level_text(level)} has {number(baseline)})")
    if not words:
        return ""
    more = f" and {len(words) - _NAMED} more" if len(words) > _NAMED else ""
    named = f"{', '.join(words[:_NAMED])}{more}"
    what = f"{counted(len(words), 'program')} ended behind {level_text(level)}: {named}."
    return f"{what} Give the search more --evaluations or --minutes, or try another agent."


def planned(agent: AgentSpec, choice: SimpleNamespace, board: BoardSpec | None) -> SearchPlan:
    if (choice.evaluations is None) == (choice.minutes is None):
        message = "A search needs a budget: --evaluations or --minutes, and not both."
        raise InvalidInput(message, field="evaluations", remedy="Give one of them.")
    if choice.work is not None and choice.evaluations is None:
        message = "--work limits the evaluations of large programs, and there is a time instead."
        raise InvalidInput(message, field="work", value=choice.work, remedy="Give --evaluations.")
    benchmarks, programs = _programs(choice, board)
    spec = _environment(choice, board, benchmarks)
    known = _known(agent, choice, spec)
    begun = None if choice.start is None else read_report(choice.start)
    settings = agent.settings(_settings(choice.settings))
    objective = Objective.of(spec, choice.metric or (board.metric if board else ""))
    level = _level_of(board, spec)
    states = [] if choice.start is None else read_file(choice.start, spec.slug)[1]
    store = None if choice.store is None else open_store(choice.store)
    if store is not None:
        store.on_warning = lambda text: errors().print(f"warning: {text}")
    return SearchPlan(
        agent=agent,
        settings=settings,
        environment=spec,
        objective=objective,
        benchmarks=with_level(benchmarks, spec, objective.metric, level),
        programs=programs,
        seed=choice.seed,
        evaluations=choice.evaluations,
        minutes=choice.minutes,
        work=choice.work,
        nproc=choice.nproc,
        known=known,
        given={one.benchmark: spec.parse_commandline(one.commandline) for one in states},
        given_sha256="" if choice.start is None else hashlib.sha256(choice.start.read_bytes()).hexdigest(),
        given_saw_test_set=begun is not None and begun.run.trained_on_test_set,
        command=_command(agent, choice, known),
        store=store,
    )


def _programs(choice: SimpleNamespace, board: BoardSpec | None) -> tuple[tuple[Benchmark, ...], str]:
    if not choice.program:
        refuse_options(choice.clang_options, drop_optnone=choice.drop_optnone)
    if choice.benchmark or choice.program:
        for option in ("dataset", "split"):
            if (value := getattr(choice, option)) is not None:
                which = "benchmark" if choice.benchmark else "program"
                message = f"--{option} and --{which} both choose programs."
                raise InvalidInput(message, field=option, value=value, remedy="Give one of them.")
        found = [datasets().benchmark(uri) for uri in choice.benchmark]
        if choice.program:
            spec = _environment(choice, board, ())
            folder = choice.output.parent if choice.output else paths.logs()
            found += [
                make_program(one, choice.clang_options, spec, folder, drop_optnone=choice.drop_optnone)
                for one in choice.program
            ]
        chosen = {one.uri: one for one in found}
        return tuple(chosen.values()), ", ".join(chosen)[:1000]
    name = choice.dataset or (board.dataset if board else None)
    if name is None:
        remedy = "Name them by --board, --dataset, --benchmark or --program."
        raise InvalidInput("No programs are named.", field="board", remedy=remedy)
    dataset = datasets()[name]
    if choice.split is not None:
        return tuple(dataset.split(choice.split)), f"{name}, {choice.split}"
    if board is not None and board.benchmarks and choice.dataset is None:
        return tuple(map(dataset.benchmark, board.benchmarks)), f"{name}, those of {board.slug}"
    if dataset.kind != "stored":
        message = f"{name} has no fixed number of programs."
        raise InvalidInput(message, field="dataset", value=name, remedy="Name some by --benchmark.")
    return tuple(dataset), name


def _environment(
    choice: SimpleNamespace, board: BoardSpec | None, benchmarks: Sequence[Benchmark]
) -> EnvironmentSpec:
    if choice.env or board is not None:
        return environment_spec(choice.env or (board.environment if board else ""))
    dataset = BenchmarkUri.parse(benchmarks[0].uri).dataset if benchmarks else ""
    if not dataset:  # files
        return environment_of()
    found = [one for one in environments_of(dataset) if one.boardable]
    exact = [one for one in found if one.cost_metric is not None]
    if not found:
        message = f"No environment for {benchmarks[0].uri} is known."
        raise InvalidInput(message, field="env", value=dataset, remedy="Name it by --env.")
    return (exact or found)[0]


def _known(agent: AgentSpec, choice: SimpleNamespace, spec: EnvironmentSpec) -> dict[str, Known]:
    kinds = (agent.needs, *agent.may_use)
    uses = {"start": agent.takes_starts, "portfolio": "portfolio" in kinds, "policy": "policy" in kinds}
    for option, is_used in uses.items():
        value = getattr(choice, option)
        if value is not None and not is_used:
            message = f"{agent.name} does not use --{option}."
            remedy = "Leave it out, or choose another agent."
            raise InvalidInput(message, field=option, value=str(value), remedy=remedy)
    given: dict[str, Known] = {}
    if choice.portfolio is not None:
        given["portfolio"] = find_portfolio(choice.portfolio, spec.action_table)
    if choice.policy is not None:
        given["policy"] = find_policy(choice.policy, spec.action_table)
    return agent.known(spec.action_table, given)


def _settings(texts: Sequence[str]) -> dict[str, int | str]:
    found: dict[str, int | str] = {}
    for text in texts:
        name, is_given, value = text.partition("=")
        if not is_given:
            message = f"The parameter {text!r:.100} is not NAME=VALUE."
            raise InvalidInput(message, field="set", value=text, remedy="Write --set width=3.")
        found[name] = int(value) if _WHOLE.fullmatch(value) else value
    return found


def _command(agent: AgentSpec, choice: SimpleNamespace, known: Mapping[str, Known]) -> str:
    # It repeats the run also with a later package that has another portfolio.
    words = ["optarena", "search", agent.name]
    for name in ("board", "dataset", "split", "env", "metric", "evaluations", "work", "minutes"):
        value = getattr(choice, name)
        words += [] if value is None else [f"--{name}", f"{value:g}" if name == "minutes" else str(value)]
    for uri in choice.benchmark:
        words += ["--benchmark", uri]
    for program in choice.program:
        words += ["--program", program]
    words += ["--drop-optnone"] if choice.drop_optnone else []
    words += ["--seed", str(choice.seed)]
    for setting in choice.settings:
        words += ["--set", setting]
    words += [] if choice.start is None else ["--start", choice.start.name]
    for kind in ("portfolio", "policy"):
        if (value := getattr(choice, kind)) is not None:
            words += [f"--{kind}", Path(value).name]
        elif kind in known:
            words += [f"--{kind}", known[kind].name]
    words += ["--", *choice.clang_options] if choice.clang_options else []
    return shlex.join(words)


@click.command()
@click.argument("agent", required=False)
@click.option("--list", "is_list", is_flag=True, help="Describe the agents and their parameters.")
@choices
def search(agent: str | None, *, is_list: bool, as_json: bool, **chosen: Any) -> int:  # noqa: ANN401 # click's options
    """Let AGENT search, and write what it finds as a file to submit.

    AGENT is one of --list, or module:function for one of your own. The programs are those of a board, of a
    dataset, single ones, or your own: `optarena search local --program fib.c --minutes 1 -- -DN=40`. The same
    seed and number of evaluations give the same results, with any --nproc; with --minutes they do not. Ctrl-C
    keeps what was found, and the same command goes on from there. Beside the results there is a report of the
    run, from which `optarena submit` takes the effort.
    """
    if is_list and as_json:
        console.print_json([_described(one) for one in AGENTS])
        return 0
    if is_list:
        texts = (
            "; ".join(f"{name}={one.default} ({one.description})" for name, one in agent.parameters.items())
            for agent in AGENTS
        )
        rows = ((one.name, one.summary, text) for one, text in zip(AGENTS, texts, strict=True))
        table(("agent", "what it does", "parameters"), rows)
        output().print("A parameter is given by --set NAME=VALUE.")
        return 0
    if agent is None:
        names = ", ".join(one.name for one in AGENTS)
        raise InvalidInput("No agent is named.", field="agent", remedy=f"Name one of {names}.")
    return run(agent_named(agent), as_json=as_json, **chosen)


def _described(agent: AgentSpec) -> dict[str, Any]:
    parameters = {
        name: {"default": one.default, "description": one.description}
        for name, one in agent.parameters.items()
    }
    return {"name": agent.name, "summary": agent.summary, "parameters": parameters}


@click.command()
@click.argument("file", type=console.FILE)
@click.option(
    "--metric", help="What may not get worse, an exact metric. [default: that of the report, or claimed]"
)
@click.option(
    "--output",
    "target",
    type=console.RESULTS_FILE,
    help="File for the results, .csv or .json. [default: FILE-minimised.csv]",
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
        words = ["optarena", "minimise", file.name, "--metric", objective.metric.name]
        words += [] if env is None else ["--env", env]
        run = replace(
            report.run,
            metric=objective.metric.name,
            start_sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
            command=f"{report.run.command} --output {shlex.quote(file.name)} && {shlex.join(words)}",
        )
        report = replace(report, run=run)
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
                seconds=round(found.seconds + seconds, 3),
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
