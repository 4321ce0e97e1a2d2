"""The root command, and the one place where errors become a line on standard error."""

from __future__ import annotations

import errno
import getpass
import importlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import click

from optarena.documents.texts import printable
from optarena.errors import InvalidDocument, OptArenaError
from optarena.specs.environment import COMMANDS as OF_COMPILERS
from optarena.suggestions import unknown_name

FAILED: Final = 2
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
INTERRUPTED: Final = 130
_SHORT_HELP: Final = 68  # What a line of the help has room for.
# The parts of the help. A command's module is imported when the command is needed, so its line stands here.
_PARTS: Final = {
    "Programs": {
        "envs": ("datasets", "List the environments, or describe one."),
        "datasets": ("datasets", "List, describe, cite and download datasets."),
        "show": ("show", "Show a program at each level, and what a sequence changes."),
    },
    "Search": {
        "search": ("search", "Let an agent search, and write a file to submit."),
        "play": ("play", "Show what each action of a game would give next."),
        "minimise": ("search", "Leave out actions without which nothing gets worse."),
        "portfolio": ("portfolio", "Learn sequences that are good on many programs."),
        "train": ("portfolio", "Train a policy that proposes actions."),
    },
    "Agents": {"mcp": ("agent_tools", "Offer a program and its compiler as tools, over MCP.")},
    "Results": {
        "validate": ("validate", "Replay states, and check rewards and claims."),
        "replay": ("replay", "Repeat a result on this machine."),
        "carry": ("validate", "Replay states in another release of their compiler."),
        "data": ("data", "What each action did, as tables to learn from."),
        "plot": ("plot", "Draw a chart of results, of an item, or of a board."),
        "submit": ("server", "Submit states to a board."),
        "status": ("server", "Show the verdicts, the score and the rank."),
        "download": ("server", "Save the states of a submission."),
        "edit": ("server", "Change what you told about a submission."),
        "withdraw": ("server", "Withdraw a submission."),
    },
    "Builds": {
        "optimise": ("deploy", "Search for passes that make C and C++ files small."),
        "deploy": ("deploy", "Use results in a build: recipes, and their exports."),
        "cc": ("deploy", "Run clang with the passes of a recipe."),
    },
    "Boards": {
        "boards": ("server", "List the boards with their best entries."),
        "board": ("server", "Show the rows of a board, and its references."),
        "compare": ("server", "Compare two to four entries, program by program."),
    },
    "Account": {
        "signup": ("server", "Make an account and print its first token."),
        "login": ("server", "Make a token and keep it for this server."),
        "logout": ("server", "Revoke the token that is kept, and forget it."),
        "token": ("server", "Print a new token of an account."),
    },
    "Compilers": {"service": ("service", "Run a service until it is stopped.")},
}
COMMANDS: Final = {name: module for part in _PARTS.values() for name, (module, _) in part.items()}


class Root(click.Group):
    # Ends every error as one line and an exit code, never as a traceback.

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*COMMANDS, *(name for name in OF_COMPILERS if name not in COMMANDS)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        # Those of compilers come last.
        added = {name: self.get_command(ctx, name) for name in names if name not in COMMANDS}
        for part, commands in _PARTS.items():
            rows = [(name, line) for name, (_, line) in commands.items()]
            if part == "Compilers":
                rows += [(name, one.get_short_help_str(_SHORT_HELP)) for name, one in added.items() if one]
            with formatter.section(part):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args[0] not in names and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise unknown_name("command", args[0], names)
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            known = command.list_commands(ctx)
            if rest[0] not in known and not ctx.resilient_parsing:
                raise unknown_name(f"{name} command", rest[0], known)
        return name, command, rest

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name in COMMANDS:
            place, name = f"optarena.cli.{COMMANDS[cmd_name]}", cmd_name
        elif cmd_name in OF_COMPILERS:
            place, _, name = OF_COMPILERS[cmd_name].partition(":")
        else:
            return None
        command: click.Command = getattr(importlib.import_module(place), name)
        return command

    def main(  # type: ignore[override] # this one never returns
        self,
        args: Sequence[str] | None = None,
        **extra: Any,  # noqa: ANN401 - click's signature
    ) -> NoReturn:
        sys.exit(self.guarded(args, **extra))

    def guarded(self, args: Sequence[str] | None, **extra: Any) -> int:  # noqa: ANN401 - click's signature
        extra["standalone_mode"] = False
        words = sys.argv[1:] if args is None else args
        # Half of a surrogate pair comes from bytes that are not valid text.
        unreadable = next((word for word in words if any("\ud800" <= one <= "\udfff" for one in word)), None)
        if unreadable is not None:
            _show_error(f"{unreadable!a} is not UTF-8 text. Type it again.")
            return FAILED
        try:
            with warnings.catch_warnings(action="error", category=getpass.GetPassWarning):
                warnings.showwarning = _show_warning
                result = super().main(args, **extra)
            if sys.stdout is not None:
                sys.stdout.flush()  # at exit it would be too late to explain an error
        except click.ClickException as error:
            told = io.StringIO()
            error.show(told)
            click.echo(printable(told.getvalue(), keep="\n"), err=True, nl=False)
            return FAILED
        except (click.Abort, KeyboardInterrupt):
            _show_error("Interrupted.")
            return INTERRUPTED
        except BrokenPipeError:
            _drop_output()  # its reader has closed it
            return FAILED
        except Exception as error:  # users get one line, whatever went wrong
            if os.environ.get("OPTARENA_DEBUG", "0") not in {"", "0"}:
                sys.excepthook = _print_trace
                raise
            _drop_output()
            return _explained(error)
        return result if isinstance(result, int) else 0


def _drop_output() -> None:
    # Or Python would complain at exit about what standard output does not take.
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_trace(*error: Any) -> None:  # noqa: ANN401 - what Python gives
    # A server's text may be in it.
    sys.stderr.write(printable("".join(traceback.format_exception(*error)), keep="\n"))


def _show_error(message: str, kind: str = "error") -> None:
    from optarena.cli.console import show_error  # noqa: PLC0415 # brings rich, for which a service need not wait

    show_error(message, kind=kind)


def _show_warning(message: Warning | str, *place: Any, **others: Any) -> None:  # noqa: ANN401 # Python's call
    del place, others  # a line of this package says nothing to users
    _show_error(str(message), kind="warning")


def _explained(error: Exception) -> int:
    from optarena.cli.console import show_error, show_problems  # noqa: PLC0415 # as above
    from optarena.client import ApiProblem  # noqa: PLC0415 # brings a web client, which few commands need

    if isinstance(error, InvalidDocument):
        show_problems(error.problems)
    elif isinstance(error, ApiProblem) and error.errors:
        show_problems(error.errors)
    elif isinstance(error, OSError) and error.filename:
        remedy = " Free space there, or name another place." if error.errno in _FULL else ""
        show_error(f"{error.filename}: {error.strerror}.{remedy}")
    elif isinstance(error, OptArenaError):
        show_error(str(error))
    elif isinstance(error, OSError) and error.strerror:
        is_full = error.errno in _FULL
        remedy = "Free space where it writes (output, $TMPDIR, $HOME)" if is_full else "Remove the cause"
        remedy += ". Then run the command again; OPTARENA_DEBUG=1 shows where it happened."
        show_error(f"The operating system reports: {error.strerror}. {remedy}")
    elif isinstance(error, getpass.GetPassWarning):
        show_error("There is no terminal on which to ask for the password. Set OPTARENA_PASSWORD.")
    else:
        kind = type(error).__name__
        show_error(f"{kind}: {error} This is a bug; run again with OPTARENA_DEBUG=1 and report the output.")
    return FAILED


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="optarena", prog_name="optarena")
def main() -> None:
    """Benchmarks, environments and verified leaderboards for compiler optimisation.

    The server is --url or $OPTARENA_URL, your token --token, $OPTARENA_TOKEN or the one of `optarena login`.
    """
