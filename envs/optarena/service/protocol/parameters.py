"""The session parameters that every service knows, whatever its compiler."""

from __future__ import annotations

import base64
import json
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from optarena.limits import MAX_TIME_FACTOR, WORKLOAD_OUTPUT_BYTES, WORKLOAD_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.service.session import CompilationSession

VERIFY: Final = "verify"
"""Parameter whose reply is empty, or says what is invalid in the present state."""
RUN_PROGRAM: Final = "service.run_program"
"""Parameter that runs the program in its present state; the functions below write its value and reply."""
READINGS: Final = "service.readings"
"""Parameter whose reply is what a copy by replay must not measure anew; the copy gets it as its value."""
READ_ONLY: Final = frozenset({VERIFY, RUN_PROGRAM, READINGS})
"""Parameters that a session's copy is not sent again: they change nothing, or it gets the latest anyway."""
_PREFIX: Final = "service.benchmark_cache."
_NUMBER: Final = re.compile("[0-9]{1,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun:
    """The result of a program: its output up to the limit, and its exit code; or why it cannot be run."""

    stdout: bytes
    exit_code: int
    output_truncated: bool
    failure: str


class SizedCache(Protocol):
    """The part of a benchmark cache that parameters use."""

    max_size_in_bytes: int

    @property
    def size_in_bytes(self) -> int:
        """The size of its content."""


def is_cache_parameter(key: str) -> bool:
    """Whether a parameter is the benchmark cache's, not the session's."""
    return key.startswith(_PREFIX)


def handle_cache_parameter(cache: SizedCache, key: str, value: str) -> str | None:
    """Query the benchmark cache or set its limit.

    Returns:
        The queried or new number, as text; None if the parameter is not one of the cache's.

    Raises:
        ValueError: The value is not a number of bytes.
    """
    if key == f"{_PREFIX}set_max_size_in_bytes":
        cache.max_size_in_bytes = _number(key, value)
        return str(cache.max_size_in_bytes)
    if key == f"{_PREFIX}get_max_size_in_bytes":
        return str(cache.max_size_in_bytes)
    if key == f"{_PREFIX}get_size_in_bytes":
        return str(cache.size_in_bytes)
    return None


def _number(key: str, value: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise ValueError(f"{key}: expected a number of bytes, at most 15 digits, got {value[:80]!r}")
    return int(value)


def handle_session_parameter(
    session: CompilationSession, key: str, value: str, before_program: Callable[[float], None]
) -> str | None:
    """The reply of the session, or else that of its base class.

    Args:
        session: The session.
        key: The parameter's name.
        value: The parameter's value.
        before_program: Called with the seconds that a program may run, before it runs.

    Raises:
        ValueError: The value cannot be used.
        NotImplementedError: The session cannot run programs.
    """
    if key == READINGS:  # nobody asked for it before, so the session must not answer it in its own way
        return _readings(session, value)
    reply = session.handle_session_parameter(key, value)
    if reply is None and key == VERIFY:
        return session.verify()
    if reply is None and key == RUN_PROGRAM:
        return _run_program(session, value, before_program)
    return reply


def _readings(session: CompilationSession, value: str) -> str:
    if not value:
        return session.readings()
    session.take_readings(value)
    return ""


def program_order(arguments: Sequence[str], stdin: bytes, *, seconds: float, output_bytes: int) -> str:
    """The value of ``RUN_PROGRAM``: JSON, bytes in base 64."""
    order = {"arguments": list(arguments), "stdin": base64.b64encode(stdin).decode()}
    return json.dumps({**order, "seconds": seconds, "output_bytes": output_bytes})


def program_run(reply: str) -> ProgramRun:
    """The result in a reply to ``RUN_PROGRAM``.

    Raises:
        ValueError: The reply has another form.
    """
    read = _object(reply)
    try:
        return ProgramRun(
            stdout=_bytes(read["stdout"]),
            exit_code=operator.index(read["exit_code"]),
            output_truncated=bool(read["output_truncated"]),
            failure=str(read["failure"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{RUN_PROGRAM}: a field is missing or wrong: {error!r}") from error


def _run_program(session: CompilationSession, value: str, before_program: Callable[[float], None]) -> str:
    order = _object(value)
    arguments = order.get("arguments")
    if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
        raise ValueError(f"{RUN_PROGRAM}: arguments must be a list of texts")
    if any("\ud800" <= one <= "\udfff" for argument in arguments for one in argument):
        raise ValueError(f"{RUN_PROGRAM}: an argument has a lone surrogate, which is not valid text")
    stdin = _bytes(order.get("stdin", ""))
    seconds = _limit(order, "seconds", WORKLOAD_SECONDS, most=WORKLOAD_SECONDS * MAX_TIME_FACTOR)
    output_bytes = int(_limit(order, "output_bytes", WORKLOAD_OUTPUT_BYTES, most=WORKLOAD_OUTPUT_BYTES))
    before_program(seconds)
    stdout, exit_code, failure = b"", 0, ""
    try:
        stdout, exit_code = session.run_program(arguments, stdin)
    except ValueError as error:
        failure = str(error) or type(error).__name__
    reply = {
        "stdout": base64.b64encode(stdout[:output_bytes]).decode(),
        "exit_code": exit_code,
        "output_truncated": len(stdout) > output_bytes,
        "failure": failure,
    }
    return json.dumps(reply)


def _bytes(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except ValueError as error:
        raise ValueError(f"{RUN_PROGRAM}: expected bytes in base 64: {error}") from error


def _limit(order: dict[str, Any], name: str, usual: float, *, most: float) -> float:
    value = order.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
        raise ValueError(f"{RUN_PROGRAM}: {name} must be a number above 0, at most {most}, got {value!r}")
    return value


def _object(text: str) -> dict[str, Any]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{RUN_PROGRAM}: expected JSON: {error}") from error
    if not isinstance(read, dict):
        raise ValueError(f"{RUN_PROGRAM}: expected a JSON object, got {text[:80]!r}")  # noqa: TRY004 - the value is wrong, not the argument's type
    return read
