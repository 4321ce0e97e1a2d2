"""Descriptions of failed steps, and which failures are faults of the infrastructure.

A fault of the infrastructure says nothing about the actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from optarena.actions import ActionTable, action_name
from optarena.errors import (
    InfrastructureFault,
    InvalidAnswer,
    InvalidInput,
    ServiceError,
    SessionOutOfMemory,
    SessionTimeout,
    ValueUnavailable,
)
from optarena.service.protocol.status import LOST

if TYPE_CHECKING:
    from optarena.service.processes.memory import MemoryWatch

_SHOWN: Final = 10


@contextmanager
def locate_failure(place: str) -> Iterator[None]:
    # Say where a compiler's failure happened.
    try:
        yield
    except ValueUnavailable:
        raise  # it names its value
    except ServiceError as error:
        error.args = (f"{place}: {error}",)
        raise


def count_begun(error: ServiceError, actions: Sequence[Any]) -> int:
    # The last of a step's actions that count as done failed; all count if the service does not say.
    return len(actions) if error.unit is None else min(max(error.unit, 1), len(actions))


def failure_details(
    error: ServiceError, table: ActionTable, actions: Sequence[Any], first: int, observed: Sequence[str]
) -> str:
    # `first` is the number of actions before these in the episode, `observed` what the step observes after
    # them.
    names = [f"action {first + index} ({action_name(table, action)})" for index, action in enumerate(actions)]
    return f"In {_place(error.unit, names, observed)}: {error}"


def as_failure(error: ServiceError | InvalidInput) -> ServiceError:
    # If an action is refused only after others were applied, the service made a mistake.
    return error if isinstance(error, ServiceError) else ServiceError(error.message)


def failure_info(error: ServiceError, details: str) -> dict[str, Any]:
    return {
        "action_had_no_effect": False,
        "new_action_space": False,
        "error_type": error.error_type,
        "error_details": details,
    }


def _place(unit: int | None, names: Sequence[str], observed: Sequence[str]) -> str:
    last = f" after {names[-1]}" if names else ""
    if unit is None:
        afterwards = [f"{', '.join(observed)}{last}"] if observed else []
        shown = names if len(names) <= _SHOWN else [*names[:_SHOWN], f"{len(names) - _SHOWN} more actions"]
        return " or ".join([*shown, *afterwards]) or "the session"
    if unit > len(names):
        name = observed[unit - len(names) - 1] if unit - len(names) <= len(observed) else "an observation"
        return f"{name}{last}"
    if not names:
        return "the session"
    return f"the session, before {names[0]}" if unit == 0 else names[unit - 1]


_KILLED: Final = "infra:killed"


def is_fault(error: ServiceError, memory: MemoryWatch) -> bool:
    # A process that gets no memory has reached its own limit, unless the machine has none left.
    return _is_loss(error) or (isinstance(error, SessionOutOfMemory) and bool(memory.shortage(own=True)))


@contextmanager
def faults(memory: MemoryWatch) -> Iterator[None]:
    try:
        yield
    except ServiceError as error:
        reason = _reason(error)
        is_own_limit = isinstance(error, SessionOutOfMemory)
        short = memory.shortage(own=is_own_limit)
        if short and (reason == _KILLED or is_own_limit):
            raise InfrastructureFault(
                f"{error} Memory was short: {short}.", reason="infra:memory-pressure"
            ) from error
        if isinstance(error, InfrastructureFault):
            raise
        raise InfrastructureFault(str(error), reason=reason) from error


def _reason(error: ServiceError) -> str:
    if isinstance(error, InfrastructureFault):
        return error.reason
    if isinstance(error, SessionTimeout):
        return "infra:machine-busy"
    return _KILLED if _is_loss(error) else "infra:internal"


def _is_loss(error: ServiceError) -> bool:
    # A session that gives an invalid answer is still there.
    return isinstance(error, LOST) and not isinstance(error, InvalidAnswer)
