"""The main program of a service written as a script: its arguments, and its end as an exit code.

Scripts reach it through ``optarena.service.runtime.create_and_run_compiler_gym_service``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.errors import InvalidInput, OptArenaError
from optarena.service.runtime.early import start_early
from optarena.service.runtime.serve_options import OPTIONS, ServeOptions
from optarena.service.session_process import session_types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.service.session import CompilationSession

FAILED: Final = 2


def create_and_run_compiler_gym_service(compilation_session_type: type[CompilationSession]) -> NoReturn:
    """Run a service of this compiler until the process is asked to end; reads the command line's arguments.

    Raises:
        SystemExit: With 0 after SIGTERM or SIGINT; with 2, and one line on standard error, if the service
            cannot be run.
        InvalidInput: The script calls this at import, which its sessions' processes do, too.
    """
    if session_types.is_from_file(compilation_session_type):
        raise InvalidInput(
            "The script starts its service even when a session only imports it.",
            field="session_type",
            value=compilation_session_type.__qualname__,
            remedy='Call create_and_run_compiler_gym_service below: if __name__ == "__main__":',
        )
    options = parse_arguments(sys.argv[1:])
    try:
        if not options.in_process:
            start_early(session_types.name_of(compilation_session_type))
        from optarena.service.runtime.serving import serve  # noqa: PLC0415 # brings grpc

        code = serve(compilation_session_type, options)
    except (OptArenaError, OSError) as error:
        _fail(str(error))
    raise SystemExit(code)


def parse_arguments(arguments: Sequence[str]) -> ServeOptions:
    """The options of a command line.

    Raises:
        SystemExit: With 2, and one line on standard error, for an argument that cannot be used; with 0 for
            ``--help``.
    """
    parser = _Parser(description="Run the compiler service of this program.", allow_abbrev=False)
    for option in OPTIONS:
        if option.kind is bool:
            parser.add_argument(option.flag, dest=option.name, action="store_true", help=option.help)
        else:
            parser.add_argument(
                option.flag, dest=option.name, type=option.kind, metavar=option.metavar, help=option.help
            )
    parser.add_argument(
        "-v", "--v", dest="verbosity", type=int, default=0, metavar="N", help="How much to log: 0, 1 or 2."
    )
    for flag in ("--alsologtostderr", "--logtostderr"):
        parser.add_argument(flag, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--logbuflevel", type=int, help=argparse.SUPPRESS)
    given = vars(parser.parse_args(arguments))
    for ignored in ("alsologtostderr", "logtostderr", "logbuflevel"):
        given.pop(ignored)
    try:
        return ServeOptions(**given)
    except InvalidInput as error:
        _fail(str(error))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print only one line, without the usage that the base class prints."""
        _fail(message)


def _fail(message: str) -> NoReturn:
    text = " ".join(message.split())
    print(f"{Path(sys.argv[0]).name}: error: {text}", file=sys.stderr)  # noqa: T201 # a program's main
    raise SystemExit(FAILED)
