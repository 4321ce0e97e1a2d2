"""``python -m leaderboard.embedded``: run a command, or the whole server, on embedded servers."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NoReturn

from leaderboard.embedded.demo import run_demo
from leaderboard.embedded.process import death_signal_hook
from leaderboard.embedded.server import Server, listen
from leaderboard.embedded.stack import EmbeddedStack
from leaderboard.embedded.state import EmbeddedError, remove_state


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    _when_asked_to_end(_interrupt)
    try:
        code: int = options.run(options)
    except EmbeddedError as error:
        print(f"optarena: {error}", file=sys.stderr)  # noqa: T201 - a command line's answer
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _when_asked_to_end(handler: Callable[[int, FrameType | None], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m leaderboard.embedded", description=__doc__)
    parser.add_argument(
        "--state",
        type=Path,
        default=Path(os.environ.get("OPTARENA_STATE", ".optarena")),
        help="folder for everything that a run writes (default: $OPTARENA_STATE or .optarena)",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    execute = commands.add_parser(
        "exec", help="start PostgreSQL and Valkey, run a command (psql, say), stop them"
    )
    execute.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD ...")
    execute.set_defaults(run=_execute)
    demo = commands.add_parser("demo", help="run the whole server with results on its boards, until Ctrl-C")
    demo.add_argument("--once", action="store_true", help="stop after the board has been printed")
    demo.add_argument(
        "--budget",
        type=partial(_number, most=None, fault="not a number of sequences; give at least 1"),
        help="number of sequences that the live search may evaluate on each program (default: 30)",
    )
    demo.add_argument(
        "--admin", action="store_true", help="make a reviewer's account, and print how to log in"
    )
    demo.set_defaults(run=run_demo)
    serve = commands.add_parser("serve", help="run the whole server until Ctrl-C")
    serve.set_defaults(run=_serve)
    for command in (demo, serve):
        command.add_argument(
            "--port",
            type=partial(_number, most=65535, fault="not a port; give a number from 1 to 65535"),
            default=8000,
            help="port to listen on (default: 8000)",
        )
    clean = commands.add_parser("clean", help="remove the state folder and its files elsewhere")
    clean.set_defaults(run=_clean)
    return parser


def _execute(options: argparse.Namespace) -> int:
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise EmbeddedError("exec needs a command, for example: exec -- python manage.py check")
    with EmbeddedStack(options.state) as stack:
        early: list[int] = []
        _when_asked_to_end(lambda number, _: early.append(number))  # the command is told once it is there
        try:
            child = subprocess.Popen(  # noqa: S603 - the user's own command
                command,
                env=stack.environment() | stack.postgres.client_environment(),
                preexec_fn=death_signal_hook(signal.SIGTERM),  # noqa: PLW1509 - one call of libc
            )
        except OSError as error:
            _when_asked_to_end(_interrupt)
            raise EmbeddedError(f"{command[0]} cannot be run: {error.strerror}.") from error
        return _wait(child, early)


def _wait(child: subprocess.Popen[bytes], early: list[int]) -> int:
    # Ctrl-C reaches the command too. `early` has the signals that came while it was started.
    while True:
        try:
            _when_asked_to_end(_interrupt)
            if early:
                early.clear()
                child.terminate()
            code = child.wait()
        except KeyboardInterrupt:
            # A signal to this process alone has not reached the command; a second one does no harm.
            child.terminate()
            continue
        return 128 - code if code < 0 else code


def _number(text: str, most: int | None, fault: str) -> int:
    if not (text.isdecimal() and int(text) > 0 and (most is None or int(text) <= most)):
        raise argparse.ArgumentTypeError(f"{text!r} is {fault}")
    return int(text)


def _clean(options: argparse.Namespace) -> int:
    remove_state(options.state)
    return 0


def _serve(options: argparse.Namespace) -> int:
    with EmbeddedStack(options.state) as stack:
        # A proxy or a bookmark leads to the port that was named: another one would not be found.
        server = Server(stack, listener=listen(options.port, or_after=False))
        try:
            server.start()
            _say(f"Serving at {server.url}/ until Ctrl-C; logs in {stack.folder.logs}.")
            server.watch(_say)
        finally:
            server.stop()
    return 0


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command line's answer


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - a handler's signature
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
