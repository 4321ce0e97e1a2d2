"""``optarena portfolio``: sequences that were learned from other programs."""

from __future__ import annotations

from typing import Any

import click

from optarena.agents.catalogue import agent_named
from optarena.cli import searches


@click.group()
def portfolio() -> None:
    """Try known sequences on programs."""


@portfolio.command()
@searches.choices
def apply(**chosen: Any) -> int:  # noqa: ANN401 # click's options
    """Try the sequences of a portfolio on programs, and keep the best; the same as `search portfolio`."""
    return searches.run(agent_named("portfolio"), **chosen)
