"""``optarena portfolio submit``: seals the sequences of a portfolio as an entry of a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.agents.known_sequences import read_portfolio
from optarena.cli import logins, options
from optarena.cli.console import output, plain, progress_bar, show_error
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from optarena.client import Client

WAIT_SECONDS: Final = 3600.0


@click.command("submit")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--board", required=True, help="The short name of a board of portable entries.")
@click.option("--agent", required=True, help="The agent's name on the board.")
@click.option("--wait", is_flag=True, help="Wait for the score and print it.")
@options.login
def submit_portfolio(  # noqa: PLR0913 - one argument for each option
    file: Path, *, board: str, agent: str, wait: bool, url: str | None, token: str | None
) -> int:
    """Submit the sequences of a portfolio (a TOML file) as a portable entry.

    The server draws programs once it has sealed the entry, and replays every sequence on each of them; the
    best one counts. Running the same command again makes no second entry. With --wait, the exit code is 0 if
    the entry has a score, and 1 if it could not be verified.
    """
    with logins.client(url, token) as client:
        logins.require_token(client)
        found = client.portable_board(board)
        spec = environment_spec(found["environment"])
        if spec.digest != found["environment_digest"]:
            show_error(f"{spec.slug} has a different version here than on the board {board}.", kind="warning")
        portfolio = read_portfolio(file, spec.action_table)
        sequences = [{"actions": list(one.actions)} for one in portfolio.sequences]
        entry = client.seal({"board": board, "agent": agent, "sequences": sequences})
        output().print(f"sealed: {plain(entry['page_url'])}")
        return _wait(client, entry) if wait else 0


def _wait(client: Client, entry: dict[str, Any]) -> int:
    with progress_bar() as bar:
        task = bar.add_task("sealed", total=None)

        def show(seen: dict[str, Any]) -> None:
            total = seen["replays"] or None
            bar.update(task, description=seen["state"], completed=seen["ended_replays"], total=total)

        ended = client.wait_for_entry(entry["id"], on_progress=show, timeout=WAIT_SECONDS)
    if ended["state"] == "withdrawn":
        output().print("the entry was withdrawn")
        return 1
    if ended["score"] is None:
        output().print(f"{ended['unverified']} replays could not be made; submit the same entry again")
        return 1
    drawn = [one for one in ended["programs"] if one["is_drawn"]]
    interval = ended["score_interval"]
    between = f" ({interval[0]:.4f} to {interval[1]:.4f})" if interval else ""
    output().print(f"score {ended['score']:.4f}{between} on {len(drawn)} programs")
    if ended["state"] == "quarantined":
        output().print("A reviewer looks at the entry before it gets a rank.")
    if ended["report_score"] is not None:
        known = len(ended["programs"]) - len(drawn)
        output().print(f"report {ended['report_score']:.4f} on {known} known programs")
    return 0
