"""The history of a session: all that is needed to repeat it in a fresh one.

It consists of plain messages, and knows neither services nor connections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optarena.service.proto.compiler_gym_service_pb2 import (
    Benchmark,
    Event,
    SendSessionParameterRequest,
    SessionParameter,
    StepRequest,
)
from optarena.service.protocol.parameters import READ_ONLY, READINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

Call = StepRequest | SendSessionParameterRequest


@dataclass(slots=True)
class SessionHistory:
    """How a session was started, and its later calls; observations are not part of it.

    Attributes:
        benchmark: The program.
        action_space: Index of the action space.
        calls: Steps and parameters, in order, without session ids.
    """

    benchmark: Benchmark
    action_space: int
    calls: list[Call] = field(default_factory=list)

    def record_step(self, actions: Iterable[Event]) -> None:
        """Record that these actions were applied."""
        request = StepRequest(action=actions)
        if request.action:
            self.calls.append(request)

    def record_parameters(self, parameters: Iterable[SessionParameter]) -> None:
        """Record that these parameters were sent, except those that change nothing."""
        changing = [parameter for parameter in parameters if parameter.key not in READ_ONLY]
        if changing:
            self.calls.append(SendSessionParameterRequest(parameter=changing))

    def with_readings(self, readings: str) -> list[Call]:
        """The calls that bring a new session into this state, in which another one has measured something."""
        parameter = SessionParameter(key=READINGS, value=readings)
        return [*self.calls, *([SendSessionParameterRequest(parameter=[parameter])] if readings else ())]

    def copy(self) -> SessionHistory:
        """A history that grows on its own; the messages are shared and never changed."""
        return SessionHistory(self.benchmark, self.action_space, list(self.calls))
