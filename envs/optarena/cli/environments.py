"""``optarena envs``: the environments of this installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.markup import escape

from optarena.cli.console import output, table
from optarena.specs import board_specs, environment_spec, environment_specs

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec


@click.group(invoke_without_command=True)
@click.pass_context
def envs(context: click.Context) -> None:
    """List the environments, or describe one."""
    if context.invoked_subcommand is None:
        rows = (
            (spec.id, len(spec.action_table.names), escape(_boards(spec)), escape(spec.title))
            for spec in environment_specs()
        )
        table(("environment", "actions", "boards", "title"), rows, numbers=("actions",))


@envs.command("describe")
@click.argument("environment_id", metavar="ID")
def describe(environment_id: str) -> None:
    """Show an environment's metrics, version and action table."""
    spec = environment_spec(environment_id)
    console = output()
    console.print(f"[bold]{escape(spec.id)}[/]  {escape(spec.title)}")
    console.print(escape(spec.description))
    console.print(f"version  {spec.digest}")
    console.print(f"actions  {escape(spec.action_table.name)}, {len(spec.action_table.names)}")
    if spec.further_tables:
        console.print(f"also     {', '.join(escape(table.name) for table in spec.further_tables)}")
    console.print(f"boards   {escape(_boards(spec)) or 'none'}")
    if spec.ranks_further_tables:
        console.print("         they take actions of all these action spaces")
    if spec.observation_space:
        console.print(f"observes {escape(spec.observation_space)}")
    rewards = (f"{name} (default)" if name == spec.reward_space else name for name in spec.rewards)
    console.print(f"rewards  {escape(', '.join(rewards))}")
    console.print()
    metrics = (
        (metric.name, escape(metric.unit), "exact" if metric.exact else "noisy", escape(metric.observation))
        for metric in spec.metrics
    )
    table(("metric", "unit", "kind", "observation"), metrics)
    console.print()
    names = spec.action_table.names
    told = list(getattr(spec.action_table, "descriptions", ())) or [
        getattr(one, "description", "") for one in getattr(spec.action_table, "actions", ())
    ]
    if len(told) != len(names):
        told = [""] * len(names)
    rows = ((i, escape(name), escape(told[i])) for i, name in enumerate(names))
    table(("action", "name", "what it does"), rows)


def _boards(spec: EnvironmentSpec) -> str:
    return ", ".join(board.slug for board in board_specs() if board.environment == spec.slug)
