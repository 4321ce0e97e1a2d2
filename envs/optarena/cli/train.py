"""``optarena train``: trains policies for the agents that follow one."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Final

import click

from optarena.agents.known_sequences import builtin_portfolio, check_name, find_portfolio
from optarena.agents.outcomes import Objective
from optarena.agents.policies import write_policy
from optarena.agents.reports import check_new, replace_file, reserved
from optarena.cli.console import output, plain
from optarena.cli.portfolio import learning_programs, program_choices
from optarena.errors import InvalidInput, ToolMissing
from optarena.specs import environment_spec
from optarena.training.episodes import TrainingPlan

_MOST_SEED: Final = 2**32 - 1  # The greatest that PyTorch's and NumPy's generators all take


@click.group()
def train() -> None:
    """Train a policy that proposes actions."""


@train.command()
@program_choices
@click.option("--env", required=True, help="The environment.")
@click.option(
    "--steps",
    type=click.IntRange(1),
    default=60_000,
    show_default=True,
    help="How many actions to take, in whole rollouts of 2,048.",
)
@click.option(
    "--length", type=click.IntRange(1, 1_000), default=45, show_default=True, help="Actions of an episode."
)
@click.option(
    "--seed", type=click.IntRange(0, _MOST_SEED), default=0, show_default=True, help="Of random choices."
)
@click.option(
    "--portfolio",
    metavar="FILE|NAME",
    help="Half of the episodes begin behind a part of its sequences. [default: the package's newest]",
)
@click.option("--name", default="mine-v0", show_default=True, help="Its name with its version.")
@click.option(
    "--output",
    "target",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The JSON file; the arrays are written beside it.",
)
def ppo(  # noqa: PLR0913 # one argument for each option
    *,
    sources: tuple[str, ...],
    largest: int | None,
    env: str,
    portfolio: str | None,
    name: str,
    target: Path,
    **numbers: int,
) -> int:
    """Train a policy by PPO, and write it as a file for `search ppo` and `search local-ppo`.

    It looks at features of the program, and is rewarded with the logarithm of what each action gains. Needs
    the extra `rl`; the policy that it writes does not, and holds no code. Figures on the programs from which
    it learned say little: apply it to others.
    """
    check_name(name)
    if target.suffix != ".json":
        message, remedy = f"{target} is not a JSON file by its name.", "Give an --output that ends in .json."
        raise InvalidInput(message, field="output", value=str(target), remedy=remedy)
    spec = environment_spec(env)
    objective = Objective.of(spec)
    table = spec.action_table
    plan = TrainingPlan(
        environment=spec,
        objective=objective,
        benchmarks=tuple(learning_programs(sources, objective.cost.name, largest)),
        portfolio=find_portfolio(portfolio, table) if portfolio else builtin_portfolio(table, "portfolio"),
        **numbers,
    )
    beside = target.with_suffix(".npz")
    with reserved(target):
        for path in (target, beside):
            check_new(path, "Give another --output; a policy is frozen once results name it.")
        try:
            trainer = importlib.import_module("optarena.training.ppo")
        except ImportError as error:
            message = f"Training needs PyTorch and Stable-Baselines3: {error}."
            raise ToolMissing(message, field="rl", remedy='pip install "optarena[rl]"') from error
        made = trainer.train(plan, name, lambda line: output().print(plain(line)))
        document, arrays = write_policy(made)
        replace_file(beside, arrays)
        replace_file(target, document)  # the JSON file last
    output().print(f"The policy was written to {plain(str(target))}")
    return 0
