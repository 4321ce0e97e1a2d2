"""``optarena signup`` and ``optarena token``: an API token, printed for ``export OPTARENA_TOKEN=…``."""

from __future__ import annotations

import click

from optarena.cli import options
from optarena.cli.console import errors
from optarena.client import TOKEN_VARIABLE, Client

_PASSWORD_VARIABLE = "OPTARENA_PASSWORD"  # noqa: S105 - a variable's name


@click.command()
@click.argument("username")
@click.option("--password", envvar=_PASSWORD_VARIABLE, prompt=True, hide_input=True, confirmation_prompt=True)
@options.server
def signup(username: str, password: str, url: str | None) -> None:
    """Make an account and print its first token."""
    with Client(url, token="") as client:
        _show(client.signup(username, password)["token"])


@click.command()
@click.argument("username")
@click.option("--password", envvar=_PASSWORD_VARIABLE, prompt=True, hide_input=True)
@options.server
def token(username: str, password: str, url: str | None) -> None:
    """Print a new token of an account."""
    with Client(url, token="") as client:
        _show(client.make_token(username, password)["token"])


def _show(text: str) -> None:
    errors().print(f"Keep it: it is shown once. Use it with `export {TOKEN_VARIABLE}=…`.")
    click.echo(text)
