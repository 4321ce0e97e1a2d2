"""``optarena portfolio submit``, ``status``, ``board`` and ``withdraw``: portable entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from optarena.agents.known_sequences import find_portfolio
from optarena.cli import logins, options
from optarena.cli.console import counted, output, plain, progress_bar, show_error, styled, table
from optarena.cli.identifiers import portable_entry_id
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optarena.client import Client

Json = dict[str, Any]
WAIT_SECONDS: Final = 3600.0


@click.command("submit")
@click.argument("portfolio", metavar="FILE|NAME")
@click.option("--board", required=True, help="The short name of a board of portable entries.")
@click.option("--agent", required=True, help="The agent's name on the board.")
@click.option("--wait", is_flag=True, help="Wait for the score and print it.")
@options.login
def submit_portfolio(  # noqa: PLR0913 - one argument for each option
    portfolio: str, *, board: str, agent: str, wait: bool, url: str | None, token: str | None
) -> int:
    """Submit the sequences of a portfolio, a TOML file or one of the package's, as a portable entry.

    The server draws programs once it has sealed the entry, and replays every sequence on each of them; the
    best one counts. Running the same command again makes no second entry. With --wait, the exit code is 0 if
    the entry has a score, and 1 if it could not be verified. A name of the package's goes before a file of
    that name; ./NAME is the file.
    """
    with logins.client(url, token) as client:
        logins.require_token(client)
        found = client.portable_board(board)
        spec = environment_spec(found["environment"])
        if spec.digest != found["environment_digest"]:
            show_error(f"{spec.slug} has a different version here than on the board {board}.", kind="warning")
        chosen = find_portfolio(portfolio, spec.action_table)
        sequences = [{"actions": list(one.actions)} for one in chosen.sequences]
        output().print(f"sequences of {plain(chosen.name)}: {len(sequences)}")
        entry = client.seal({"board": board, "agent": agent, "sequences": sequences})
        output().print(f"sealed: {plain(entry['page_url'])}")
        return _wait(client, entry) if wait else 0


@click.command("board")
@click.argument("board", required=False)
@options.login
def portable_board(board: str | None, url: str | None, token: str | None) -> None:
    """Show the entries of BOARD, a board of portable entries; without it, list these boards."""
    with logins.client(url, token) as client:
        if board is None:
            _list_boards(client.portable_boards())
            return
        found = client.portable_board(board)
        _list_entries(found["rows"])


@click.command("status")
@click.argument("entry", required=False)
@options.login
def entry_status(entry: str | None, url: str | None, token: str | None) -> None:
    """Show the state, the score and the rank of ENTRY, an id or the address of its page.

    Without ENTRY, those of yours are listed that are among a board's 500 best or 500 newest entries.
    """
    with logins.client(url, token) as client:
        if entry is not None:
            _show_entry(client.portable_entry(portable_entry_id(client, entry)))
            return
        logins.require_token(client, "Listing your entries")
        owner = client.me()["username"]
        boards = (client.portable_board(one["slug"]) for one in client.portable_boards())
        _list_entries(row for board in boards for row in board["rows"] if row["owner"] == owner)


@click.command("withdraw")
@click.argument("entry")
@click.confirmation_option(prompt="A withdrawn entry cannot come back. Withdraw it?")
@options.login
def withdraw_entry(entry: str, url: str | None, token: str | None) -> None:
    """Withdraw ENTRY, an id or the address of its page. It stays readable without a rank.

    If its programs were drawn, no earlier entry of the same agent gets its rank back.
    """
    with logins.client(url, token) as client:
        logins.require_token(client, "Withdrawing")
        found = client.withdraw_entry(portable_entry_id(client, entry))
    output().print(f"{styled(found['state'])}: {plain(found['page_url'])}")


def _list_boards(boards: Iterable[Json]) -> None:
    table(
        ("board", "environment", "dataset", "programs", "entries"),
        (
            [plain(str(one[name])) for name in ("slug", "environment", "dataset", "programs", "entries")]
            for one in boards
        ),
        numbers=("programs", "entries"),
    )


def _list_entries(rows: Iterable[Json]) -> None:
    table(
        ("rank", "agent", "by", "state", "score", "sequences", "entry", "no rank because"),
        (
            (
                one["rank"],
                plain(one["agent"]),
                plain(one["owner"]),
                styled(one["state"]),
                "" if one["score"] is None else f"{one['score']:.4f}",
                one["sequences"],
                plain(one["entry"]),
                plain(one["why"]),
            )
            for one in rows
        ),
        numbers=("rank", "score", "sequences"),
    )


def _show_entry(entry: Json) -> None:
    done = f"{entry['ended_replays']} of {entry['replays']} replays"
    output().print(f"{plain(entry['agent'])} on {plain(entry['board'])}: {styled(entry['state'])}, {done}")
    if entry["score"] is not None:
        _print_scores(entry)
    output().print(f"rank {entry['rank']}" if entry["rank"] else f"no rank: {plain(entry['why'])}")
    output().print(plain(entry["page_url"]))


def _wait(client: Client, entry: Json) -> int:
    with progress_bar() as bar:
        task = bar.add_task("sealed", total=None)

        def show(seen: Json) -> None:
            total = seen["replays"] or None
            bar.update(task, description=seen["state"], completed=seen["ended_replays"], total=total)

        ended = client.wait_for_entry(entry["id"], on_progress=show, timeout=WAIT_SECONDS)
    if ended["state"] == "withdrawn":
        output().print("the entry was withdrawn")
        return 1
    if ended["score"] is None:
        output().print(f"{ended['unverified']} replays could not be made; submit the same entry again")
        return 1
    _print_scores(ended)
    if ended["state"] == "quarantined":
        output().print("A reviewer looks at the entry before it gets a rank.")
    return 0


def _print_scores(entry: Json) -> None:
    drawn = [one for one in entry["programs"] if one["is_drawn"]]
    interval = entry["score_interval"]
    between = f" ({interval[0]:.4f} to {interval[1]:.4f})" if interval else ""
    output().print(f"score {entry['score']:.4f}{between} on {counted(len(drawn), 'program')}")
    if entry["report_score"] is not None:
        known = len(entry["programs"]) - len(drawn)
        output().print(f"report {entry['report_score']:.4f} on {known} known programs")
