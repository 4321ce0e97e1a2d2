"""The one error tree of the published package.

Every error a user can meet is one of these. A message names what was given, what is allowed and what
to do; nothing here imports another module of the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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
        """An error as a problem of a document; of the error's own field if none is given."""
        remedy = error.remedy or "Correct the value."
        return cls(field=field or error.field, message=error.message, remedy=remedy, row=row, value=value)


_MORE: Final = Problem(
    field="document",
    message="There are more problems. The rest of the document was not checked.",
    remedy="Correct the listed ones first.",
)


class InvalidDocument(InvalidInput):
    """A CSV or JSON document with one or more problems, listed in ``problems``.

    If the reading was stopped (``is_complete`` is False), the last problem says so.
    """

    def __init__(self, problems: list[Problem], *, is_complete: bool = True) -> None:
        first = problems[0]
        least = "" if is_complete else "at least "
        more = f" (and {least}{len(problems) - 1} more)" if len(problems) > 1 else ""
        where = f"row {first.row}: " if first.row is not None else ""
        message = f"{where}{first.field}: {first.message}{more}"
        super().__init__(message, field=first.field, value=first.value, remedy=first.remedy)
        self.is_complete = is_complete
        self.problems = problems if is_complete else [*problems, _MORE]


class PlatformNotSupported(OptArenaError):
    """This machine cannot run the environment; the message names the container and remote service."""


class DeviceUnavailable(PlatformNotSupported):
    """A device that the benchmark runs on cannot be used here; the message names what is missing."""


class DeviceBusy(DeviceUnavailable):
    """The device is there, but other measurements of this machine used it for too long."""


class CountersUnavailable(DeviceUnavailable):
    """The hardware counters of a device cannot be read here; the message ends in the reason in brackets.

    Such errors are made by :meth:`because`; between processes they travel as their message.
    """

    @classmethod
    def because(cls, reason: str, message: str) -> CountersUnavailable:
        """The error for a reason in a word: ``no-device``, ``no-library``, ``no-privilege``."""
        return cls(f"{message} [{reason}]")

    @property
    def reason(self) -> str:
        """The reason in a word; empty if the message has none."""
        return str(self).rpartition("[")[2].removesuffix("]") if str(self).endswith("]") else ""


class StoreFault(OptArenaError):
    """A store of outcomes cannot be read or written now; the work goes on without it."""


class StoreWarning(UserWarning):
    """A store of outcomes failed, or had a row that is wrong; the results are right nevertheless."""


class SandboxUnavailable(OptArenaError):
    """The kernel lacks a required part of the sandbox, so untrusted work is refused."""


class ServiceError(OptArenaError):
    """The compiler service failed.

    Attributes:
        error_type: The stable short name shown in ``info``.
        unit: The unit of work of a call that failed, counted from 1: first its actions, then what it
            observes; 0 before any of them, None if unknown.
        cpu_seconds: CPU time that the failed process used in its life; None if unknown.
    """

    error_type = "service"
    unit: int | None = None
    cpu_seconds: float | None = None


class InfrastructureFault(ServiceError):
    """Something around the compiler failed, which says nothing about the actions or the program.

    ``reason`` is the id of a reason of the family ``infra``; see ``optarena.specs.results``.
    """

    error_type = "infrastructure"

    def __init__(self, message: str, *, reason: str = "infra:killed") -> None:
        super().__init__(message)
        self.reason = reason


class ServiceClosed(ServiceError):
    """The service, or the connection to it, is closed."""


class TooManySessions(ServiceError):
    """The service has no room for another session, but is otherwise healthy."""


class TransportError(ServiceError):
    """The service does not answer, or does not speak the protocol."""


class InvalidAnswer(TransportError):
    """The service answers with something that it does not declare, such as a value out of its range."""


class ValueUnavailable(ServiceError):
    """A value cannot be computed within its limits, or the compiler failed on it. The episode goes on.

    Attributes:
        error_type: The short name of what happened: ``timeout``, ``out-of-memory``, ``crash``.
        field: ``observation_space`` or ``reward_space``.
        value: The name of the value; empty if the service does not say.
        remedy: What the caller can do about it.
    """

    field = "observation_space"
    value = ""
    remedy = (
        "Make the environment with larger limits=ProcessLimits(cpu_seconds_per_call=…, memory_bytes=…), or "
        "ask for another value."
    )

    def __init__(self, message: str, *, error_type: str = ServiceError.error_type) -> None:
        super().__init__(message)
        self.error_type = error_type

    def about(self, name: str) -> ValueUnavailable:
        """The same error, which names its value; the first name counts."""
        if not self.value:
            self.value = name
            reason = str(self).rstrip(".")
            self.args = (f"{name} cannot be computed: {reason}. {self.remedy}",)
        return self

    def of_reward(self, name: str) -> ValueUnavailable:
        """The error of a reward, one of whose baselines this is about."""
        error = ValueUnavailable(
            f"There is no reward {name} for this program. {self} reset(options={{'reward_space': None}}) "
            "goes without a reward.",
            error_type=self.error_type,
        )
        error.field, error.value = "reward_space", name
        return error


class SessionNotFound(ServiceError, LookupError):
    """The session does not exist in the service."""


class SessionCrashed(ServiceError):
    """The session's process died while it worked; ``signal`` is None if it ended by itself."""

    error_type = "crash"

    def __init__(self, message: str, *, signal: int | None = None) -> None:
        super().__init__(message)
        self.signal = signal


class SessionKilled(InfrastructureFault, SessionCrashed):
    """The session's process was killed from outside, or was lost with its zygote."""

    error_type = "crash"

    def __init__(self, message: str, *, signal: int | None = None, reason: str = "infra:killed") -> None:
        InfrastructureFault.__init__(self, message, reason=reason)
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
    """The optimised program does not do what its workload records, so its run time is meaningless.

    Attributes:
        reason: The reason id (see ``optarena.specs.results``) where one is known.
    """

    error_type = "semantics"

    def __init__(self, message: str, *, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason
