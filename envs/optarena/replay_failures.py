"""What ends a replay: a check that the sequence fails, told from a fault of the machinery."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from optarena.env.faults import is_fault
from optarena.errors import (
    InvalidAction,
    InvalidInput,
    PlatformNotSupported,
    ProgramFailed,
    ServiceError,
    SessionTimeout,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.service.processes.memory import MemoryWatch


class Failed(Exception):  # a replay never lets it out
    """The sequence fails a check."""

    def __init__(
        self, reason: str, detail: str, step: int | None = None, *, cpu_seconds: float | None = None
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.step = step
        self.cpu_seconds = cpu_seconds


def failure_of(error: ServiceError, memory: MemoryWatch, step: int | None, what: str) -> Failed:
    """The failure that a compiler's error stands for.

    Raises:
        ServiceError: The error says nothing about the sequence.
    """
    if is_fault(error, memory):
        raise error
    reason = f"env:{error.error_type}"
    return Failed(reason, f"In {what}: {error}", step, cpu_seconds=error.cpu_seconds)


@contextmanager
def reporting(memory: MemoryWatch, step: int | None, what: str) -> Iterator[None]:
    """Around a call of the session: what it answers is the sequence's, also a refusal."""
    try:
        with known_to_the_service(what, step):
            yield
    except PlatformNotSupported as error:
        # The session has started on this machine: what it says of the machine later proves nothing.
        raise Failed("env:service", f"In {what}: {error}", step) from error
    except ServiceError as error:
        raise failure_of(error, memory, step, what) from error


@contextmanager
def known_to_the_service(what: str, step: int | None = None) -> Iterator[None]:
    """If a service cannot do or check something, the sequence fails; it never passes."""
    try:
        yield
    except InvalidAction as error:
        raise Failed("user:invalid-action", f"In {what}: {error}", step) from error
    except (InvalidInput, NotImplementedError) as error:
        raise Failed("env:service", f"In {what}: {error}", step) from error


@contextmanager
def measuring(memory: MemoryWatch) -> Iterator[None]:
    """Around a measurement in processes of its own: only wrong output and time used up are the sequence's."""
    try:
        yield
    except SessionTimeout as error:
        raise failure_of(error, memory, None, "the measurement") from error
    except ProgramFailed as error:
        if not error.reason:  # an error of the environment's own
            raise
        raise Failed(error.reason, f"In the measurement: {error}") from error
