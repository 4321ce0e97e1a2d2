"""``optarena signup`` and ``token`` print an API token; ``login`` keeps one here until ``logout``."""

from __future__ import annotations

from http import HTTPStatus

import click

from optarena.cli import console
from optarena.cli.console import echo, errors, output
from optarena.client import TOKEN_VARIABLE, ApiProblem, Client

_PASSWORD_VARIABLE = "OPTARENA_PASSWORD"  # noqa: S105 - a variable's name


@click.command()
@click.argument("username")
@click.option("--password", envvar=_PASSWORD_VARIABLE, prompt=True, hide_input=True, confirmation_prompt=True)
@console.server
def signup(username: str, password: str, url: str | None) -> None:
    """Make an account and print its first token."""
    with Client(url, token="") as client:
        _show(client.signup(username, password)["token"])


@click.command()
@click.argument("username")
@click.option("--password", envvar=_PASSWORD_VARIABLE, prompt=True, hide_input=True)
@console.server
def token(username: str, password: str, url: str | None) -> None:
    """Print a new token of an account."""
    with Client(url, token="") as client:
        _show(client.make_token(username, password)["token"])


@click.command()
@click.argument("username")
@click.option("--password", envvar=_PASSWORD_VARIABLE, prompt=True, hide_input=True)
@console.server
def login(username: str, password: str, url: str | None) -> None:
    """Make a token and keep it for this server, so that other commands need no --token."""
    with Client(url, token="") as client:
        token = client.make_token(username, password)["token"]
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


def _show(text: str) -> None:
    errors().print(f"Keep it: it is shown once. Use it with `export {TOKEN_VARIABLE}=…`.")
    echo(text)
