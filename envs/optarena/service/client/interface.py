"""The eight calls of a service as Python methods, with messages in and out, over any transport.

A connection raises the package's own errors, never a status code. A subclass says how one call is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, Self, TypeVar

from google.protobuf.message import Message

from optarena.errors import InvalidInput, ServiceError
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.frames import PlainOutcome, PlainStep

Reply = TypeVar("Reply", bound=Message)

# An action may break something in its process without a crash: it is gone after so many sessions.
MAX_SESSIONS: Final = 100
# Memory of a process that waits for the next session; what earlier ones have left counts against it.
MAX_SPARE_BYTES: Final = 1 << 26


class Connection(ABC):
    """The calls of a compiler service.

    Each takes a request and an optional timeout in seconds, returns the reply, and raises:

    * ``InvalidInput`` (a ``ValueError``): something in the request cannot be used; nothing has changed.
    * ``SessionNotFound``; ``FileNotFoundError`` for a benchmark or file that does not exist.
    * ``SessionCrashed``, ``SessionTimeout``, ``SessionOutOfMemory``, ``SessionLimitExceeded``,
      ``ServiceError``: the session is lost, and the connection is closed.
    * ``ServiceClosed``: the connection is closed, or belongs to the parent of this forked process.
    * ``NotImplementedError``, ``TypeError``: the service does not support this, or not in its present state.

    Attributes:
        first_values: What sessions that started as this one have observed before any action, by name; None if
            none did.
        existing: The observations that these have given and that exist in every state; None as above.
        ran_before: Whether the session's process had another session before.
    """

    first_values: dict[str, bytes | pb.Event] | None = None
    existing: set[str] | None = None
    ran_before: bool = False

    @abstractmethod
    def _call(self, method: str, request: Message, kind: type[Reply], timeout: float | None) -> Reply:
        """Make the call of this name in the ``.proto`` file; ``timeout`` None is the connection's default."""

    def get_version(
        self, request: pb.GetVersionRequest, *, timeout: float | None = None
    ) -> pb.GetVersionReply:
        """The versions of service and compiler."""
        return self._call("GetVersion", request, pb.GetVersionReply, timeout)

    def get_spaces(self, request: pb.GetSpacesRequest, *, timeout: float | None = None) -> pb.GetSpacesReply:
        """The action and observation spaces."""
        return self._call("GetSpaces", request, pb.GetSpacesReply, timeout)

    def start_session(
        self, request: pb.StartSessionRequest, *, timeout: float | None = None
    ) -> pb.StartSessionReply:
        """Start a session on a benchmark, given with its program or added before."""
        return self._call("StartSession", request, pb.StartSessionReply, timeout)

    def step(
        self,
        request: pb.StepRequest,
        *,
        timeout: float | None = None,
        cpu_seconds: float | None = None,  # noqa: ARG002 # only a process of our own can be limited
    ) -> pb.StepReply:
        """Apply actions, all or (if one is invalid) none, then observe.

        ``cpu_seconds`` limits the CPU time of each action and observation, instead of the limit of the
        session's process. A service elsewhere has limits of its own, and ignores it.
        """
        return self._call("Step", request, pb.StepReply, timeout)

    def step_plainly(
        self, step: PlainStep, *, timeout: float | None = None, cpu_seconds: float | None = None
    ) -> PlainOutcome:
        """The same as ``step`` for actions that are numbers, which takes less time over some transports."""
        return PlainOutcome.of(self.step(step.message(), timeout=timeout, cpu_seconds=cpu_seconds))

    def begin_plainly(self, step: PlainStep, *, timeout: float) -> bool:  # noqa: ARG002 # most transports cannot
        """Have a step begin; the connection's next call must be ``step_plainly`` with the same one.

        Returns whether it has begun. Nothing is raised: ``step_plainly`` says what was wrong.
        """
        return False

    def steps(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> tuple[list[pb.StepReply], ServiceError | InvalidInput | None]:
        """Apply actions, and observe after each; ``timeout`` is for each action.

        Returns:
            A reply for each action that was applied, fewer if the session ended; and the error in which the
            next one ended, None if there was none. If it is ``InvalidInput``, the session is still there.
        """
        replies: list[pb.StepReply] = []
        for action in request.action:
            one = type(request)(session_id=request.session_id, action=[action])
            one.observation_space.extend(request.observation_space)
            try:
                replies.append(self.step(one, timeout=timeout))
            except (ServiceError, InvalidInput) as error:
                return replies, error
            if replies[-1].end_of_session:
                break
        return replies, None

    def look_ahead(
        self, request: pb.StepRequest, *, timeout: float | None = None
    ) -> list[PlainOutcome | ServiceError]:
        """What each action would give as the only one of a step; ``timeout`` is for each.

        Returns:
            A reply for each action, or the error in which it ends. Raised are only errors of the session
            itself, which stays as it is, and ``InvalidInput``.
        """
        answers: list[PlainOutcome | ServiceError] = []
        for action in request.action:
            copy, session_id = self.fork(request.session_id)
            step = type(request)(session_id=session_id, action=[action])
            step.observation_space.extend(request.observation_space)
            try:
                answers.append(PlainOutcome.of(copy.step(step, timeout=timeout)))
            except ServiceError as error:
                answers.append(error)
            finally:
                copy.end(session_id)
        return answers

    def try_walks(
        self,
        request: pb.StepRequest,
        *,
        timeout: float | None = None,  # noqa: ARG002 # most sessions cannot
    ) -> list[list[PlainOutcome] | None]:
        """What each of some walks would give; each action of the request is a list of some.

        Returns:
            A reply for each action of a walk, or None for a walk that must be taken to find out. Raised are
            errors as by ``look_ahead``.
        """
        return [None] * len(request.action)

    def end_session(
        self, request: pb.EndSessionRequest, *, timeout: float | None = None
    ) -> pb.EndSessionReply:
        """End a session; returns how many the service still has, those of other clients included."""
        return self._call("EndSession", request, pb.EndSessionReply, timeout)

    def add_benchmark(
        self, request: pb.AddBenchmarkRequest, *, timeout: float | None = None
    ) -> pb.AddBenchmarkReply:
        """Put benchmarks into the service's cache."""
        return self._call("AddBenchmark", request, pb.AddBenchmarkReply, timeout)

    def send_session_parameter(
        self, request: pb.SendSessionParameterRequest, *, timeout: float | None = None
    ) -> pb.SendSessionParameterReply:
        """Set or query parameters of a session."""
        return self._call("SendSessionParameter", request, pb.SendSessionParameterReply, timeout)

    def fork(self, session_id: int) -> tuple[Connection, int]:
        """Copy a session; returns a connection to the copy and its id. Both live on independently."""
        request = pb.ForkSessionRequest(session_id=session_id)
        return self, self._call("ForkSession", request, pb.ForkSessionReply, None).session_id

    @property
    def confinement(self) -> Mapping[str, Any]:
        """How the session's process is confined, as JSON data; empty where that is not known."""
        return {}

    @property
    def memory_bytes(self) -> int | None:
        """The most memory that the session's process can have to itself; None where that is not known."""
        return None

    @abstractmethod
    def end(self, session_id: int) -> None:
        """End a session and free what it alone needs.

        Nothing is raised, whatever the service does. The call waits at most about two seconds for a service
        elsewhere.
        """

    @abstractmethod
    def close(self) -> None:
        """End what the connection owns; may be called twice, and from another thread during a call."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
