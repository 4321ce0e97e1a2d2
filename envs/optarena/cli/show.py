"""``optarena show``: a program at each level of its compiler, and what a sequence of actions makes of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.agents.reports import read_report
from optarena.cli.console import (
    OutputFile,
    chosen_state,
    counted,
    errors,
    in_style,
    number,
    output,
    read_file,
    table,
)
from optarena.cli.own_programs import (
    UNOBSERVED,
    clang_options,
    drop_optnone,
    make_program,
    open_env,
    refuse_options,
)
from optarena.datasets import Benchmark, datasets, environment_of
from optarena.errors import InvalidInput
from optarena.specs import EnvironmentSpec, Metric, environment_spec
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.board import ratio
from optarena.specs.rewards import level_text
from optarena.tools.compiler_tools import LEVELS, action_word, level_values, read_actions

if TYPE_CHECKING:
    from rich.text import Text

    from optarena.actions import Action, ActionTable
    from optarena.env import CompilerEnv

_GIVEN: Final = LEVELS[0]
_RESULTS: Final = frozenset({".csv", ".json"})
_WRITTEN: Final = {".ll": "write_ir", ".bc": "write_bitcode"}
_BAR: Final = 40
_GAP: Final = 2  # Between two columns
_ROWS: Final = 12  # How many of the greatest changes are shown


@click.command()
@click.argument("program", metavar="PROGRAM|RESULTS")
@clang_options
@drop_optnone
@click.option("--state", metavar="TEXT", help="What to do with it: a command line, or the names of actions.")
@click.option("--benchmark", metavar="URI", help="Which program of RESULTS to show.")
@click.option("--env", help="The environment. [default: that of the program or of the search]")
@click.option(
    "--output",
    "target",
    type=OutputFile(*_WRITTEN),
    help="Write the program behind the actions to this file: .ll or .bc.",
)
def show(program: str, clang_options: tuple[str, ...], target: Path | None, **chosen: Any) -> int:  # noqa: ANN401 # click's options
    """Show PROGRAM at each level of the compiler, and what a sequence of actions makes of it.

    PROGRAM is a source in C or C++, a .ll or .bc file, a compiler's command line in quotes, or a benchmark's
    URI. RESULTS are those of a search: of its program they show the walk, action by action, and what differs
    from -Oz. Options for clang follow --.
    """
    shown = _chosen(program, clang_options, **chosen)
    with open_env(shown.spec) as env:
        write = None if target is None else getattr(env, _WRITTEN[target.suffix.lower()], None)
        if target is not None and write is None:
            message = f"{shown.spec.slug} cannot write its programs to files."
            raise InvalidInput(message, field="output", value=str(target), remedy="Leave --output out.")
        _print(env, shown)
        if write is not None:
            output().print(f"The program is in {write(target)}.")
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    spec: EnvironmentSpec
    benchmark: Benchmark
    space: ActionTable | None = None
    actions: tuple[Action, ...] = ()


def _chosen(  # noqa: PLR0913 # all but the first two by keyword
    program: str,
    options: tuple[str, ...],
    *,
    drop_optnone: bool,
    state: str | None,
    benchmark: str | None,
    env: str | None,
) -> _Shown:
    path = Path(program).expanduser()
    if path.suffix.lower() in _RESULTS:
        refuse_options(options, drop_optnone=drop_optnone)
        if state is not None:
            message = f"{program} has states, and --state is another one."
            raise InvalidInput(message, field="state", remedy="Name the program, or leave --state out.")
        return _of_results(path, benchmark, env)
    if benchmark is not None:
        message = f"--benchmark chooses among results, and {program} is a program."
        raise InvalidInput(message, field="benchmark", value=benchmark, remedy="Leave it out.")
    if _is_uri(program):
        refuse_options(options, drop_optnone=drop_optnone)
        found = datasets().benchmark(program)
        dataset = BenchmarkUri.parse(found.uri).dataset
        spec = environment_spec(env) if env else environment_of(dataset)
    else:
        spec = environment_spec(env) if env else environment_of()
        found = make_program(program, options, spec, Path(), drop_optnone=drop_optnone)
    if state is None:
        return _Shown(spec=spec, benchmark=found)
    space, actions = read_actions(spec, state)
    return _Shown(spec=spec, benchmark=found, space=space, actions=actions)


def _is_uri(text: str) -> bool:
    # A file of this name comes first.
    if " " in text or Path(text).exists():
        return False
    try:
        return bool(BenchmarkUri.parse(text))
    except InvalidInput:
        return "://" in text


def _of_results(path: Path, named: str | None, env: str | None) -> _Shown:
    report = read_report(path)
    spec, states = read_file(path, env or (report.run.environment if report else None))
    state = chosen_state(path, states, named)
    space, actions = spec.parse(state.commandline)
    benchmark = datasets().benchmark(state.benchmark)
    return _Shown(spec=spec, benchmark=benchmark, space=space, actions=actions)


def _print(env: CompilerEnv, shown: _Shown) -> None:
    spec, out = shown.spec, output()
    env.reset(options={"benchmark": shown.benchmark, **UNOBSERVED})
    with errors().status("compute the levels of the compiler"):  # which may take minutes
        levels = level_values(env)
    out.print(in_style(shown.benchmark.name, "bold"), f"in {spec.slug}")
    if shown.space is None:
        _print_levels(levels, {}, spec.reference_level)
        return
    walk = _walk(env, shown, shown.space)
    found = {metric: float(env.observation[metric.observation]) for metric in levels}
    _print_levels(levels, found, spec.reference_level)
    cost = spec.cost_metric
    if cost is not None:
        _print_walk(walk, cost, spec.reference_level, levels.get(cost, {}).get(spec.reference_level))
    if count := getattr(env, "instruction_counts", None):
        counts = [count(level) for level in (_GIVEN, spec.reference_level, "")]
        for what in counts[0]:
            _print_changes(what, spec.reference_level, *(one[what] for one in counts))
    out.print()
    out.print("The state:")
    out.print(shown.space.commandline(shown.actions), soft_wrap=True)


def _ratio_to(level: str) -> str:
    return f"ratio to {level_text(level)}"


def _print_levels(
    levels: Mapping[Metric, Mapping[str, float]], found: Mapping[Metric, float], reference: str
) -> None:
    names = dict.fromkeys(name for values in levels.values() for name in values)
    columns = ["level"]
    rows: list[list[str | Text]] = [["as given" if one == _GIVEN else level_text(one)] for one in names]
    rows += [[in_style("found", "bold")]] if found else []
    for metric, values in levels.items():
        columns += [metric.title, _ratio_to(reference)]
        of_rows = [values.get(one) for one in names] + ([found[metric]] if found else [])
        for row, value in zip(rows, of_rows, strict=True):
            row += [number(value), _compared(metric, values.get(reference), value)]
    _print_table(columns, rows, texts=("level",))


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], texts: Collection[str]) -> None:
    # Without the columns in which no row has anything.
    used = [place for place in range(len(columns)) if any(row[place] != "" for row in rows)]
    names = [columns[place] for place in used]
    shown = ([row[place] for place in used] for row in rows)
    table(names, shown, numbers=[name for name in names if name not in texts])


def _compared(metric: Metric, reference: float | None, value: float | None) -> str | Text:
    if not value or not reference:
        return ""
    found = ratio(baseline=reference, achieved=value, lower_is_better=metric.lower_is_better)
    return in_style(f"{found:.4f}", "green" if found > 1 else "")


@dataclass(frozen=True, slots=True)
class _Taken:
    action: str
    cost: float
    change: float = 0.0
    had_effect: bool = True


def _walk(env: CompilerEnv, shown: _Shown, space: ActionTable) -> list[_Taken]:
    # The program as given, then each action; nothing where no cost is known after each of them.
    cost = shown.spec.cost
    # The first space of a service need not have the name of its table.
    action_space = None if space is shown.spec.action_table else space.name
    env.reset(options={"benchmark": shown.benchmark, "action_space": action_space, **UNOBSERVED})
    walk: list[_Taken] = []
    if cost:
        walk.append(_Taken("as given", float(env.observation[cost])))
        steps = env.steps(shown.actions, observation_spaces=[cost])
        for action, (observed, _, _, _, info) in zip(shown.actions, steps, strict=False):
            after = math.nan if env.error else float(observed[0])
            had_effect = not info.get("action_had_no_effect")
            walk.append(_Taken(action_word(space, action), after, after - walk[-1].cost, had_effect))
    else:
        env.multistep(shown.actions)
    if env.error is not None:
        message = f"The state cannot be reached: {env.error}"
        raise InvalidInput(message, field="state", remedy="Leave out the action that fails.")
    return walk


def _print_walk(walk: Sequence[_Taken], metric: Metric, level: str, reference: float | None) -> None:
    greatest = max(reference or 0, *(one.cost for one in walk))
    longest = max((one.action for one in walk), key=len)
    others = sum(
        len(one) + _GAP for one in (str(len(walk)), longest, metric.title, "change", _ratio_to(level))
    )
    width = min(_BAR, max(0, output().width - others))

    def row(position: object, name: str, value: float, change: str, colour: str) -> tuple[object, ...]:
        bar = in_style("█" * round(width * value / greatest), colour) if greatest > 0 else ""
        return position, name, number(value), change, _compared(metric, reference, value), bar

    rows = []
    for position, one in enumerate(walk):
        if one.had_effect:
            is_better = reference is not None and one.cost < reference
            change = f"{one.change:+g}" if one.change else "0" if position else ""
            rows.append(row(position or "", one.action, one.cost, change, "green" if is_better else "blue"))
    if reference is not None:
        rows.append(row("", level_text(level), reference, "", "bright_black"))
    output().print()
    columns = ("", "action", metric.title, "change", _ratio_to(level), " ")
    _print_table(columns, rows, texts=("action", " "))
    if idle := sum(not one.had_effect for one in walk):
        output().print(
            f"{counted(idle, 'action')} without an effect {'is' if idle == 1 else 'are'} left out."
        )


def _print_changes(
    what: str, level: str, given: Mapping[str, int], reference: Mapping[str, int], found: Mapping[str, int]
) -> None:
    names = {**given, **reference, **found}
    change = {name: found.get(name, 0) - reference.get(name, 0) for name in names}
    differing = sorted(filter(change.get, names), key=lambda name: (-abs(change[name]), name))
    output().print()
    if not differing:
        output().print(f"Each {what} has as many instructions as at {level_text(level)}.")
        return

    rows = [
        (name, *(str(counts.get(name, "-")) for counts in (given, reference, found)), f"{change[name]:+d}")
        for name in differing[:_ROWS]
    ]
    _print_table((what, "as given", level_text(level), "found", "difference"), rows, texts=(what,))
    if len(differing) > _ROWS:
        output().print(f"{len(differing) - _ROWS} more differ.")
