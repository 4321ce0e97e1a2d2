"""``optarena portfolio``: sequences that are good on many programs, learned and tried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from optarena.agents.catalogue import agent_named
from optarena.agents.files import check_new, replace_file, reserved
from optarena.agents.known_sequences import (
    Portfolio,
    builtin_portfolio,
    check_name,
    find_portfolio,
    joined,
    write_portfolio,
)
from optarena.agents.learning import LearningPlan
from optarena.agents.learning import learn as learned
from optarena.agents.outcomes import Objective
from optarena.cli import options, searches
from optarena.cli.console import counted, output, plain
from optarena.cli.learning_sources import learning_programs, program_choices
from optarena.cli.portable import entry_status, portable_board, submit_portfolio, withdraw_entry
from optarena.specs import environment_spec

_FROZEN: Final = "Give another --output; a portfolio is frozen once results name it."


@click.group()
def portfolio() -> None:
    """Learn sequences that are good on many programs, try known ones, or submit them as portable entries."""


for command in (submit_portfolio, entry_status, portable_board, withdraw_entry):
    portfolio.add_command(command)


@portfolio.command()
@searches.choices
def apply(**chosen: Any) -> int:  # noqa: ANN401 # click's options
    """Try the sequences of a portfolio on programs, and keep the best; the same as `search portfolio`."""
    return searches.run(agent_named("portfolio"), **chosen)


@portfolio.command()
@program_choices
@click.option("--env", required=True, help="The environment.")
@click.option("--metric", help="What to optimise, an exact metric. [default: the cost]")
@click.option("--size", type=click.IntRange(1), default=12, show_default=True, help="The most sequences.")
@click.option(
    "--evaluations",
    type=click.IntRange(1),
    default=150,
    show_default=True,
    help="How many sequences to evaluate for the candidate of a program.",
)
@click.option(
    "--changes",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="How many changes of each chosen sequence to try on all programs.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of random choices.")
@click.option("--nproc", type=options.ProcessCount(), default=1, show_default=True, help="As for `search`.")
@click.option("--name", default="mine-v0", show_default=True, help="Its name with its version.")
@click.option(
    "--output", "target", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file."
)
def learn(  # noqa: PLR0913 # one argument for each option
    *,
    sources: tuple[str, ...],
    largest: int | None,
    env: str,
    metric: str | None,
    name: str,
    target: Path,
    **numbers: int,
) -> int:
    """Learn a portfolio, and write it as a file for `portfolio apply` and `search local`.

    Each sequence is chosen for what it adds to the others on all programs. Figures on the programs from
    which it was learned say little: apply it to others. Ctrl-C keeps the sequences that were chosen: the same
    as with a smaller --size.
    """
    check_name(name)
    spec = environment_spec(env)
    objective = Objective.of(spec, metric or "")
    programs = tuple(learning_programs(sources, objective.cost.name, largest))
    listed = builtin_portfolio(spec.action_table, "list")
    starts = () if listed is None else tuple(one.actions for one in listed.sequences)
    plan = LearningPlan(environment=spec, objective=objective, benchmarks=programs, starts=starts, **numbers)
    made = Portfolio(
        name=name,
        kind="portfolio",
        table=spec.action_table.name,
        sequences=(),
        trained_on=tuple(one.uri for one in programs),
        description=plan.description,
    )
    with reserved(target):
        check_new(target, _FROZEN)
        _learn(plan, made, target)
    return 0


def _learn(plan: LearningPlan, made: Portfolio, target: Path) -> None:
    """Write the file anew after each sequence, so that an interruption keeps what is there."""
    try:
        for sequence in learned(plan, lambda line: output().print(plain(line))):
            made = replace(made, sequences=(*made.sequences, sequence))
            replace_file(target, write_portfolio(made, plan.environment))
    finally:
        if made.sequences:
            output().print(f"{counted(len(made.sequences), 'sequence')} written to {plain(str(target))}")


@portfolio.command()
@click.argument("parts", nargs=-1, required=True, metavar="FILE|NAME...")
@click.option("--env", required=True, help="The environment.")
@click.option("--name", default="mine-v0", show_default=True, help="Its name with its version.")
@click.option(
    "--output", "target", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file."
)
def join(*, parts: tuple[str, ...], env: str, name: str, target: Path) -> int:
    """Write the sequences of several portfolios as one, each once; a file, or a name of the package's."""
    check_name(name)
    spec = environment_spec(env)
    made = joined((find_portfolio(one, spec.action_table) for one in parts), name)
    with reserved(target):
        check_new(target, _FROZEN)
        replace_file(target, write_portfolio(made, spec))
    output().print(f"{counted(len(made.sequences), 'sequence')} written to {plain(str(target))}")
    return 0
