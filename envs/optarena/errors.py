"""The one error tree of the published package.

Every error a user can meet is one of these. A message names what was given, what is allowed and what
to do; nothing here imports another module of the package.
"""

from __future__ import annotations

from dataclasses import dataclass


class OptArenaError(Exception):
    """Base of all errors raised by ``optarena``."""


class InvalidInput(OptArenaError, ValueError):
    """A value given by the caller cannot be used.

    Args:
        message: What is wrong, in one sentence.
        field: The name of the offending field or argument.
        value: The offending value (shortened where long).
        remedy: What the caller can do about it.
    """

    def __init__(self, message: str, *, field: str = "", value: object = None, remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.message = message
        self.field = field
        self.value = value
        self.remedy = remedy


class UnknownName(InvalidInput, LookupError):
    """A benchmark, dataset, environment, space or action name that does not exist."""


class ToolMissing(InvalidInput):
    """A program that the request needs, such as a linker or a compiler, is missing or unsuitable here."""


class InvalidAction(InvalidInput):
    """An action that is not in the current action space. The episode is unchanged."""


class InvalidCommandline(InvalidInput):
    """A command line that is not one of the environment's text form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with a document: where, what was given, what to do.

    Attributes:
        row: 1-based row of a CSV document or 0-based index of a JSON list; None for the whole document.
        field: Column or key.
        value: The value given, as text, shortened.
        message: What is wrong.
        remedy: What to do; every problem has one.
    """

    field: str
    message: str
    remedy: str
    row: int | None = None
    value: str = ""

    def __post_init__(self) -> None:
        if not self.remedy:
            raise ValueError(f"The problem of {self.field!r} has no remedy: {self.message}")

    @classmethod
    def of(cls, error: InvalidInput, *, field: str = "", row: int | None = None, value: str = "") -> Problem:
        """An error as a problem of a document.

        Args:
            error: The error.
            field: The field; the error's own if empty.
            row: The row of the record.
            value: What was given, as text.
        """
        remedy = error.remedy or "Correct the value."
        return cls(field=field or error.field, message=error.message, remedy=remedy, row=row, value=value)


class InvalidDocument(InvalidInput):
    """A CSV or JSON document with one or more problems, all of them listed in ``problems``."""

    def __init__(self, problems: list[Problem]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        where = f"row {first.row}: " if first.row is not None else ""
        super().__init__(
            f"{where}{first.field}: {first.message}{more}",
            field=first.field,
            value=first.value,
            remedy=first.remedy,
        )
        self.problems = problems


class PlatformNotSupported(OptArenaError):
    """This machine cannot run the environment; the message names the container and remote service."""


class DeviceUnavailable(PlatformNotSupported):
    """A device that the benchmark runs on cannot be used here; the message names what is missing."""


class SandboxUnavailable(OptArenaError):
    """The kernel lacks a required part of the sandbox, so untrusted work is refused."""


class ServiceError(OptArenaError):
    """The compiler service failed.

    Attributes:
        error_type: The stable short name shown in ``info``.
        unit: The unit of work of a call that failed, counted from 1: first its actions, then what it
            observes; 0 before any of them, None if unknown.
    """

    error_type = "service"
    unit: int | None = None


class ServiceClosed(ServiceError):
    """The service, or the connection to it, is closed."""


class TooManySessions(ServiceError):
    """The service has no room for another session, but is otherwise healthy."""


class TransportError(ServiceError):
    """The service does not answer, or does not speak the protocol."""


class SessionNotFound(ServiceError, LookupError):
    """The session does not exist in the service."""


class SessionCrashed(ServiceError):
    """The session's process died while it worked.

    Args:
        message: What happened.
        signal: The signal that killed the process, None if it ended by itself.
    """

    error_type = "crash"

    def __init__(self, message: str, *, signal: int | None = None) -> None:
        super().__init__(message)
        self.signal = signal


class SessionTimeout(ServiceError, TimeoutError):
    """The session used up the CPU or wall time allowed for a call, and was killed."""

    error_type = "timeout"


class SessionOutOfMemory(ServiceError, MemoryError):
    """The session reached its memory limit."""

    error_type = "out-of-memory"


class SessionLimitExceeded(ServiceError):
    """The program exceeded the limit on its number of instructions."""

    error_type = "ir-growth"


class ProgramFailed(ServiceError):
    """The optimised program does not do what its workload records, so its run time is meaningless."""

    error_type = "semantics"
