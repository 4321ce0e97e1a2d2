"""Options that several commands share."""

from __future__ import annotations

import functools
import math
import os
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from optarena.client import TOKEN_VARIABLE, URL_VARIABLE, ServerUnreachable
from optarena.errors import InvalidInput, OptArenaError
from optarena.specs import board_specs, environment_spec, unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.specs import BoardSpec

MAX_PARALLEL: Final = 64
ALL_CORES: Final = "all"
Command = TypeVar("Command", bound="Callable[..., Any]")


class _Seconds(click.FloatRange):
    """A finite number of seconds: JSON has no others."""

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's signature
        """The number; others than those of ``click.FloatRange`` are refused as well."""
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail("give a finite number of seconds.", param, ctx)
        return seconds


def walltime(command: Command) -> Command:
    """``--walltime``."""
    text = "Seconds that the whole search took."
    return click.option("--walltime", type=_Seconds(), help=text)(command)


def server(command: Command) -> Command:
    """``--url``."""
    return click.option("--url", envvar=URL_VARIABLE, help=f"The server. [default: ${URL_VARIABLE}]")(command)


def login(command: Command) -> Command:
    """``--url`` and ``--token``."""
    text = f"Your API token. [default: ${TOKEN_VARIABLE}, or that of `optarena login`]"
    return server(click.option("--token", envvar=TOKEN_VARIABLE, help=text)(_reading_answers(command)))


def _reading_answers(command: Command) -> Command:
    """A command for which values of unexpected types are the server's fault, not one of this program."""

    @functools.wraps(command)
    def guarded(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 # whatever the command's are
        try:
            return command(*arguments, **options)
        except OptArenaError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            message = f"The server's answer cannot be used ({type(error).__name__}: {error})."
            raise ServerUnreachable(
                f"{message} Check the address, and that both are of one release."
            ) from error

    return cast("Command", guarded)


def environment(command: Command) -> Command:
    """``--env``."""
    text = "The environment whose actions the states name. [default: that of the board or the dataset]"
    return click.option("--env", help=text)(command)


def sandbox(command: Command) -> Command:
    """``--no-sandbox``."""
    text = "Replay without the kernel's sandbox. Only for states that you trust."
    return click.option("--no-sandbox", is_flag=True, help=text)(command)


class ProcessCount(click.ParamType[int]):
    """How many things are done at a time: a number, or ``all`` for one on each core."""

    name = "number|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 # click's signature
        """The number."""
        if value == ALL_CORES:
            return min(len(os.sched_getaffinity(0)), MAX_PARALLEL)
        found: int = click.IntRange(1, MAX_PARALLEL).convert(value, param, ctx)
        return found


def board_named(slug: str, env: str | None) -> BoardSpec:
    """The board of this slug.

    Raises:
        UnknownName: This installation has no such board.
        InvalidInput: It is of another environment than the named one.
    """
    known = {one.slug: one for one in board_specs()}
    if slug not in known:
        raise unknown_name("board", slug, list(known))
    board = known[slug]
    if env is not None and environment_spec(env).slug != board.environment:
        message = f"Board {slug} is of the environment {board.environment}, not {env}."
        raise InvalidInput(message, field="env", value=env, remedy="Leave --env out.")
    return board
