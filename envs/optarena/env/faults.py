"""Which errors of a service are faults of the infrastructure: they say nothing about the actions."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from optarena.errors import (
    InfrastructureFault,
    InvalidAnswer,
    ServiceError,
    SessionOutOfMemory,
    SessionTimeout,
)
from optarena.service.protocol.rpc_errors import LOST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.service.processes.memory import MemoryWatch

_KILLED: Final = "infra:killed"
_SHORT: Final = "infra:memory-pressure"
_BUSY: Final = "infra:machine-busy"
_INTERNAL: Final = "infra:internal"


def is_fault(error: ServiceError, memory: MemoryWatch) -> bool:
    """Whether the error of an action, of a workload or of a metric says nothing about the actions.

    A process that gets no memory has reached its own limit, unless the machine has none left.
    """
    return _is_loss(error) or (isinstance(error, SessionOutOfMemory) and bool(memory.shortage(own=True)))


@contextmanager
def faults(memory: MemoryWatch) -> Iterator[None]:
    """Turn every error of a service that leaves this block into a fault of the infrastructure.

    Raises:
        InfrastructureFault: With the reason.
    """
    try:
        yield
    except ServiceError as error:
        reason = _reason(error)
        is_own_limit = isinstance(error, SessionOutOfMemory)
        short = memory.shortage(own=is_own_limit)
        if short and (reason == _KILLED or is_own_limit):
            raise InfrastructureFault(f"{error} Memory was short: {short}.", reason=_SHORT) from error
        if isinstance(error, InfrastructureFault):
            raise
        raise InfrastructureFault(str(error), reason=reason) from error


def _reason(error: ServiceError) -> str:
    if isinstance(error, InfrastructureFault):
        return error.reason
    if isinstance(error, SessionTimeout):
        return _BUSY
    return _KILLED if _is_loss(error) else _INTERNAL


def _is_loss(error: ServiceError) -> bool:
    """Whether the session is lost, or never was; one that gives an invalid answer is there."""
    return isinstance(error, LOST) and not isinstance(error, InvalidAnswer)
