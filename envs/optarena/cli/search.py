"""``optarena search``: lets an agent search on the programs of a board, a dataset, or on single ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from optarena.agents.catalogue import AGENTS, agent_named
from optarena.cli import searches
from optarena.cli.console import output, plain, table
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.agents.catalogue import AgentSpec


@click.command()
@click.argument("agent", required=False)
@click.option("--list", "is_list", is_flag=True, help="Describe the agents and their parameters.")
@searches.choices
def search(agent: str | None, *, is_list: bool, **chosen: Any) -> int:  # noqa: ANN401 # click's options
    """Let AGENT search, and write what it finds as a file to submit.

    AGENT is one of --list, or module:function for one of your own. The programs are those of a board, of a
    dataset, or single ones. The same seed and number of evaluations give the same results, with any --nproc;
    with --minutes they do not. Ctrl-C keeps what was found, and the same command goes on from there. Beside
    the results there is a report of the run, from which `optarena submit` takes the effort.
    """
    if is_list:
        _describe()
        return 0
    if agent is None:
        names = ", ".join(one.name for one in AGENTS)
        raise InvalidInput("No agent is named.", field="agent", remedy=f"Name one of {names}.")
    return searches.run(agent_named(agent), **chosen)


def _describe() -> None:
    rows = ((one.name, plain(one.summary), plain(_parameters(one))) for one in AGENTS)
    table(("agent", "what it does", "parameters"), rows)
    output().print("A parameter is given by --set NAME=VALUE.")


def _parameters(agent: AgentSpec) -> str:
    return "; ".join(f"{name}={one.default} ({one.description})" for name, one in agent.parameters.items())
