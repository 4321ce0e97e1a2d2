"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from optarena.client import TOKEN_VARIABLE, URL_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., Any]")


def server(command: Command) -> Command:
    """``--url``."""
    return click.option("--url", envvar=URL_VARIABLE, help=f"The server. [default: ${URL_VARIABLE}]")(command)


def login(command: Command) -> Command:
    """``--url`` and ``--token``."""
    text = f"Your API token. [default: ${TOKEN_VARIABLE}, or that of `optarena login`]"
    return server(click.option("--token", envvar=TOKEN_VARIABLE, help=text)(command))


def environment(command: Command) -> Command:
    """``--env``."""
    text = "The environment whose actions the states name. [default: that of the board or the dataset]"
    return click.option("--env", help=text)(command)


def sandbox(command: Command) -> Command:
    """``--no-sandbox``."""
    text = "Replay without the kernel's sandbox. Only for states that you trust."
    return click.option("--no-sandbox", is_flag=True, help=text)(command)
