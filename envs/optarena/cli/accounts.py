"""``optarena signup`` and ``token`` print an API token; ``login`` keeps one here until ``logout``."""

from __future__ import annotations

from http import HTTPStatus

import click

from optarena.cli import console
from optarena.cli.console import echo, errors, output
from optarena.client import TOKEN_VARIABLE, ApiProblem, Client

_password = click.option(
    "--password", envvar="OPTARENA_PASSWORD", help="[default: $OPTARENA_PASSWORD, or asked for]"
)


@click.command()
@click.argument("username")
@_password
@console.server
def signup(username: str, password: str | None, url: str | None) -> None:
    """Make an account and print its first token."""
    with Client(url, token="") as client:
        _show(client.signup(username, _given(password, is_new=True))["token"])


@click.command()
@click.argument("username")
@_password
@console.server
def token(username: str, password: str | None, url: str | None) -> None:
    """Print a new token of an account."""
    with Client(url, token="") as client:
        _show(client.make_token(username, _given(password))["token"])


@click.command()
@click.argument("username")
@_password
@console.server
def login(username: str, password: str | None, url: str | None) -> None:
    """Make a token and keep it for this server, so that other commands need no --token."""
    with Client(url, token="") as client:
        token = client.make_token(username, _given(password))["token"]
    console.store_token(url, token)
    output().print(f"logged in as {username} at {client.url}; the token is in {console.logins_path()}")


@click.command()
@console.server
def logout(url: str | None) -> None:
    """Revoke the token that is kept for this server, and forget it."""
    token = console.stored_token(url)
    with Client(url, token) as client:
        try:
            if token:
                client.revoke_token()
        except ApiProblem as error:
            if error.status != HTTPStatus.UNAUTHORIZED:  # it has expired or was revoked elsewhere
                raise
    console.drop_token(url)
    output().print(f"logged out at {client.url}" if token else f"not logged in at {client.url}")


def _given(password: str | None, *, is_new: bool = False) -> str:
    # Not by the option itself: its prompt writes to standard output, where the token is expected.
    if password is not None:
        return password
    found: str = click.prompt("Password", hide_input=True, confirmation_prompt=is_new, err=True)
    return found


def _show(text: str) -> None:
    errors().print(f"Keep it: it is shown once. Use it with `export {TOKEN_VARIABLE}=…`.")
    echo(text)
