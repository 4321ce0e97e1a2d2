"""The main program of a service written as a script: its arguments, and its end as an exit code.

Scripts reach it through ``optarena.service.runtime.create_and_run_compiler_gym_service``.
"""

from __future__ import annotations

import argparse
import ipaddress
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NoReturn

from optarena.errors import InvalidInput, OptArenaError
from optarena.limits import MAX_MESSAGE_BYTES, MAX_SESSIONS
from optarena.service import timeouts
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.client.zygote import start_early
from optarena.service.session_process import session_types

if TYPE_CHECKING:
    from optarena.service.session import CompilationSession

_LOOPBACK: Final = "127.0.0.1"
_LARGEST_PORT: Final = 65_535
_SMALLEST_MESSAGE_BYTES: Final = 1024
_LARGEST_MESSAGE_BYTES: Final = 2**31 - 1  # the largest integer that gRPC accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    flag: str
    kind: type[str | int | float | bool | Path]
    help: str
    metavar: str | None = None

    @property
    def name(self) -> str:
        return self.flag.lstrip("-").replace("-", "_")


OPTIONS: Final = (
    Option(flag="--port", kind=int, metavar="N", help="TCP port; 0 for any that is free."),
    Option(flag="--unix", kind=Path, metavar="PATH", help="Unix socket."),
    Option(flag="--bind", kind=str, metavar="ADDRESS", help=f"Address of the TCP port. [{_LOOPBACK}]"),
    Option(
        flag="--working_dir",
        kind=Path,
        metavar="DIR",
        help="Write port.txt and pid.txt there; without --unix this selects a TCP port.",
    ),
    Option(
        flag="--token-file",
        kind=Path,
        metavar="FILE",
        help=f"File with the token that every call must carry. [${TOKEN_VARIABLE}]",
    ),
    Option(
        flag="--max-sessions",
        kind=int,
        metavar="N",
        help=f"Sessions at a time. [{MAX_SESSIONS}, or as many as memory holds]",
    ),
    Option(
        flag="--idle-seconds",
        kind=float,
        metavar="S",
        help="End sessions without a call for this time. "
        f"[over TCP {timeouts.TCP_IDLE_SECONDS:g}, else never]",
    ),
    Option(flag="--max-message-bytes", kind=int, metavar="N", help=f"Largest message. [{MAX_MESSAGE_BYTES}]"),
    Option(flag="--grace-seconds", kind=float, metavar="S", help="Time for running calls at the end. [5]"),
    Option(flag="--sandbox", kind=bool, help="Confine the sessions, for untrusted programs."),
    Option(
        flag="--allow-files",
        kind=bool,
        help="Read file:/// programs for every caller, not only for this user's own.",
    ),
    Option(flag="--in-process", kind=bool, help="All sessions in one process, for debugging."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    # How to run a service; see OPTIONS. None means the default.

    port: int | None = None
    unix: Path | None = None
    bind: str | None = None
    working_dir: Path | None = None
    token_file: Path | None = None
    max_sessions: int | None = None
    idle_seconds: float | None = None
    max_message_bytes: int | None = None
    grace_seconds: float | None = None
    sandbox: bool = False
    allow_files: bool = False
    in_process: bool = False
    verbosity: int = 0

    def __post_init__(self) -> None:
        _in_range("--port", self.port, 0, _LARGEST_PORT)
        _in_range("--max-sessions", self.max_sessions, 1, None)
        _in_range("--idle-seconds", self.idle_seconds, 0.001, timeouts.LONGEST_IDLE_SECONDS)
        _in_range("--grace-seconds", self.grace_seconds, 0, timeouts.LONGEST_GRACE_SECONDS)
        _in_range(
            "--max-message-bytes", self.max_message_bytes, _SMALLEST_MESSAGE_BYTES, _LARGEST_MESSAGE_BYTES
        )
        if self.unix is not None and not self.unix.name:
            message = f"--unix {str(self.unix)!r} does not name a file."
            remedy = "Give the path of the socket to create."
            raise InvalidInput(message, field="unix", value=str(self.unix), remedy=remedy)
        _not_both("--unix", self.unix, "--port", self.port)
        _not_both("--unix", self.unix, "--bind", self.bind)
        isolating: dict[str, object] = {
            "--sandbox": self.sandbox or None,
            "--max-sessions": self.max_sessions,
            "--idle-seconds": self.idle_seconds,
        }
        for flag, value in isolating.items():
            _not_both("--in-process", self.in_process or None, flag, value)
        _ = self.address

    @property
    def transport(self) -> Literal["tcp", "unix", "private"]:
        # "private" is a Unix socket in a folder of its own.
        if self.unix is not None:
            return "unix"
        given = (self.port, self.bind, self.working_dir)
        return "private" if all(value is None for value in given) else "tcp"

    @property
    def ends_idle_after(self) -> float | None:
        default = timeouts.TCP_IDLE_SECONDS if self.transport == "tcp" else None
        return default if self.idle_seconds is None else self.idle_seconds

    @property
    def address(self) -> str:
        text = _LOOPBACK if self.bind in (None, "localhost") else str(self.bind).strip("[]")
        try:
            return str(ipaddress.ip_address(text))
        except ValueError:
            message = f"--bind {self.bind!r} is not an address."
            remedy = "Give an IPv4 or IPv6 address; 0.0.0.0 means all of this machine."
            raise InvalidInput(message, field="bind", value=self.bind, remedy=remedy) from None

    @property
    def is_public(self) -> bool:
        return self.transport == "tcp" and not ipaddress.ip_address(self.address).is_loopback

    def token(self) -> str:
        if self.token_file is None:
            return _usable_token(f"${TOKEN_VARIABLE}", os.environ.get(TOKEN_VARIABLE, "").strip())
        try:
            text = self.token_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not a text"
            raise _bad_token(f"--token-file {self.token_file}", f"cannot be read: {why}") from error
        if not text:
            raise _bad_token(f"--token-file {self.token_file}", "is empty")
        return _usable_token(f"--token-file {self.token_file}", text)


def _usable_token(where: str, text: str) -> str:
    if not all("!" <= one <= "~" for one in text):
        raise _bad_token(where, "has a token with spaces or characters beyond ASCII")
    return text


def _bad_token(where: str, why: str) -> InvalidInput:
    message, remedy = f"{where} {why}.", "Put one word of ASCII characters there."
    return InvalidInput(message, field="token_file", remedy=remedy)


def _in_range(flag: str, value: float | None, least: float, most: float | None) -> None:
    if value is None or (value >= least and (most is None or value <= most)):
        return
    allowed = f"from {least:g} on" if most is None else f"{least:g} to {most:.0f}"
    message, remedy = f"{flag} {value} is out of range.", f"Allowed are numbers {allowed}."
    raise InvalidInput(message, field=flag, value=value, remedy=remedy)


def _not_both(first: str, first_value: object, second: str, second_value: object) -> None:
    if first_value is not None and second_value is not None:
        message, remedy = f"{first} and {second} exclude each other.", "Leave one of them out."
        raise InvalidInput(message, field=second, value=second_value, remedy=remedy)


FAILED: Final = 2


def create_and_run_compiler_gym_service(compilation_session_type: type[CompilationSession]) -> NoReturn:
    if session_types.is_from_file(compilation_session_type):
        message = "The script starts its service even when a session only imports it."
        remedy = 'Call create_and_run_compiler_gym_service below: if __name__ == "__main__":'
        name = compilation_session_type.__qualname__
        raise InvalidInput(message, field="session_type", value=name, remedy=remedy)
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
    # SystemExit with 2, and one line on standard error, for an argument that cannot be used; with 0 for
    # --help.
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
        # Only one line, without the usage that the base class prints.
        _fail(message)


def _fail(message: str) -> NoReturn:
    text = " ".join(message.split())
    print(f"{Path(sys.argv[0]).name}: error: {text}", file=sys.stderr)  # noqa: T201 # a program's main
    raise SystemExit(FAILED)
