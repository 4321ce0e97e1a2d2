"""``optarena status``, ``download`` and ``withdraw``: what has become of one's submissions."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.markup import escape

from optarena.cli import logins, options
from optarena.cli.boards import rank_of
from optarena.cli.console import output, plain, styled, table
from optarena.cli.identifiers import submission_id
from optarena.cli.verdicts import print_verdicts
from optarena.errors import InvalidInput
from optarena.state import EnvState, format_of, write_states

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = dict[str, Any]
_LATEST: Final = 20


@click.command()
@click.argument("submission", required=False)
@options.login
def status(submission: str | None, url: str | None, token: str | None) -> None:
    """Show the verdicts, the score and the rank of SUBMISSION, an id or the address of its page.

    Without SUBMISSION, your latest ones are listed.
    """
    with logins.client(url, token) as client:
        if submission is None:
            logins.require_token(client, "Listing your submissions")
            owner = client.me()["username"]
            _list(islice(client.submissions(owner=owner), _LATEST))
            return
        found = client.submission(submission_id(client, submission))
        print_verdicts(found, list(client.items(found["id"])))
        if wait := found.get("wait"):
            output().print(plain(wait["text"]))


@click.command()
@click.argument("submission")
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path), help="A new file. [default: print]")
@options.login
def download(submission: str, to: Path | None, url: str | None, token: str | None) -> None:
    """Save the states of SUBMISSION as `validate` and `submit` read them.

    SUBMISSION is an id or the address of a page. The states are CSV, or JSON if the name of the file says so.
    Claims and rewards are as they were submitted.
    """
    with logins.client(url, token) as client:
        states = [_state(one) for one in client.items(submission_id(client, submission))]
    text = write_states(states, format="csv" if to is None else format_of(to))
    if to is None:
        click.echo(text, nl=False)
        return
    with to.open("x", encoding="utf-8", newline="") as file:
        file.write(text)
    output().print(f"saved: {len(states)} states in {escape(str(to))}")


@click.command()
@click.argument("submission")
@click.confirmation_option(prompt="A withdrawn submission cannot come back. Withdraw it?")
@options.login
def withdraw(submission: str, url: str | None, token: str | None) -> None:
    """Withdraw SUBMISSION, an id or the address of its page. It stays listed without a rank."""
    with logins.client(url, token) as client:
        logins.require_token(client, "Withdrawing")
        found = client.withdraw(submission_id(client, submission))
    output().print(f"{styled(found['state'])}: {plain(found['url'])}")


@click.command()
@click.argument("submission")
@click.option("--description", help="What the agent does; an empty text removes it.")
@click.option("--link", help="Where to read more (http or https); an empty text removes it.")
@click.option("--compilations", type=click.IntRange(0), help="Compilations per program in the search.")
@options.walltime
@click.option(
    "--trained-on-test-set/--not-trained-on-test-set",
    default=None,
    help="Whether the agent saw these programs in training.",
)
@options.login
def edit(  # noqa: PLR0913 - one argument for each option
    submission: str,
    *,
    description: str | None,
    link: str | None,
    compilations: int | None,
    walltime: float | None,
    trained_on_test_set: bool | None,
    url: str | None,
    token: str | None,
) -> None:
    """Change what you told about SUBMISSION, an id or the address of its page.

    What you do not name stays as it is. What was there before stays public.
    """
    effort = {
        "compilations": compilations,
        "walltime_seconds": walltime,
        "trained_on_test_set": trained_on_test_set,
    }
    told = {name: value for name, value in effort.items() if value is not None}
    changes: Json = {"description": description, "url": link}
    changes = {name: value for name, value in changes.items() if value is not None}
    if not changes and not told:
        raise click.UsageError("Name what changes: --description, --link, or a part of the effort.")
    with logins.client(url, token) as client:
        logins.require_token(client, "Changing what you told")
        key = submission_id(client, submission)
        if told:
            before = client.submission(key)["effort"]
            changes["effort"] = {name: told.get(name, before[name]) for name in effort}
        found = client.edit(key, changes)
    output().print(f"changed: {plain(found['url'])}")


def _list(submissions: Iterable[Json]) -> None:
    table(
        ("submission", "board", "agent", "state", "done", "score", "rank", "no rank because"),
        (
            (
                plain(one["id"]),
                plain(one["board"]),
                plain(one["agent"]),
                styled(one["state"]),
                f"{one['progress']['done']}/{one['progress']['total']}",
                "" if one["score"] is None else f"{one['score']:.4f}",
                rank_of(one),
                plain(one.get("unranked") or ""),
            )
            for one in submissions
        ),
        numbers=("done", "score", "rank"),
    )


def _state(item: Json) -> EnvState:
    if item["commandline"] is None:
        raise InvalidInput(
            f"Item {item['position']} is not verified yet, and until then only its owner can read it.",
            field="commandline",
            remedy="Wait until it is verified, or log in as its owner.",
        )
    names = ("benchmark", "commandline", "reward", "walltime", "claims")
    return EnvState(**{name: item[name] for name in names})
