"""``optarena minimise``: leaves out the actions of states that gain nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from optarena.agents import Budget, Evaluator, Objective
from optarena.agents import minimise as minimised
from optarena.agents.files import check_writable, replace_file
from optarena.cli import options
from optarena.cli.console import number, output, plain, progress_bar
from optarena.cli.documents import read_file
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.state import EnvState, write_states


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--metric", help="What may not get worse, an exact metric. [default: the cost]")
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the results. [default: FILE-minimised.csv]",
)
@options.environment
def minimise(file: Path, *, metric: str | None, target: Path | None, env: str | None) -> int:
    """Leave out the actions of the states of FILE without which no result gets worse.

    Each action takes an evaluation. Of two equal results boards put the earlier one first, and
    people prefer to read the shorter one.
    """
    spec, states = read_file(file, env)
    objective = Objective.of(spec, metric or "")
    target = target or file.with_name(f"{file.stem}-minimised.csv")
    if target.exists() and target.samefile(file):
        remedy = "Give another --output."
        raise InvalidInput(
            f"{target} would be overwritten.", field="output", value=str(target), remedy=remedy
        )
    check_writable(target)
    found: list[EnvState] = []
    with progress_bar() as bar:
        for state in bar.track(states, description="minimising"):
            actions = spec.parse_commandline(state.commandline)
            budget = Budget(2 * len(actions) + 2)
            with Evaluator(spec, datasets().benchmark(state.benchmark), budget, objective=objective) as one:
                best = minimised(one, one.evaluate([actions])[0])
                if best.error:
                    raise InvalidInput(
                        f"{state.benchmark} fails: {best.error}", field="commandline", remedy="Leave it out."
                    )
                value = one.replayed(best.prefix)
            claims = {objective.metric.name: value}
            line = spec.commandline(best.prefix)
            found.append(replace(state, commandline=line, claims=claims, reward=None))
            output().print(
                f"{plain(state.benchmark)}: {len(actions)} actions, then {len(best.prefix)}; "
                f"{objective.metric.name} {number(value)}"
            )
    replace_file(target, write_states(found, format="csv"))
    output().print(f"{len(found)} results written to {plain(str(target))}")
    return 0
