"""The client's side of one session: which spaces there are, and calls by name instead of by index.

Knows messages and connections; rewards, episodes and gymnasium's rules live above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from optarena import limits
from optarena.isolation.limits import ProcessLimits
from optarena.service.connection import Connection, ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.spaces import ObservationSpec
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optarena.datasets.benchmark import Benchmark


@dataclass(frozen=True, slots=True, eq=False)
class ServiceInfo:
    """What a service offers; the same for every process of one session type."""

    compiler_version: str
    action_spaces: tuple[pb.ActionSpace, ...]
    observations: Mapping[str, ObservationSpec]

    def action_space_index(self, name: str) -> int:
        """The index of the action space of this name.

        Raises:
            UnknownName: There is none.
        """
        names = [space.name for space in self.action_spaces]
        if name not in names:
            raise unknown_name("action_space", name, names)
        return names.index(name)

    def observation(self, name: str) -> ObservationSpec:
        """The observation space of this name.

        Raises:
            UnknownName: There is none.
        """
        if name not in self.observations:
            raise unknown_name("observation_space", name, list(self.observations))
        return self.observations[name]


@lru_cache(maxsize=16)
def service_info(session_type: str) -> ServiceInfo:
    """Ask a fresh process of a session type what it offers; the answer is kept.

    Raises:
        PlatformNotSupported: The compiler does not run here.
        ServiceError: The service cannot be started.
    """
    connection = ManagedConnection.open(session_type)
    try:
        spaces = connection.get_spaces(pb.GetSpacesRequest())
        version = connection.get_version(pb.GetVersionRequest())
    finally:
        connection.close()
    observations = [
        ObservationSpec(index, message) for index, message in enumerate(spaces.observation_space_list)
    ]
    return ServiceInfo(
        compiler_version=version.compiler_version,
        action_spaces=tuple(spaces.action_space_list),
        observations={spec.name: spec for spec in observations},
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step answered; ``events`` are the observations asked for, by name."""

    events: Mapping[str, pb.Event]
    end_of_session: bool
    had_no_effect: bool
    new_action_space: pb.ActionSpace | None


class SessionClient:
    """One session in a process of its own; ended by ``close()``."""

    def __init__(self, connection: Connection, session_id: int, info: ServiceInfo) -> None:
        self.info = info
        self._connection = connection
        self._session_id = session_id

    @classmethod
    def start(
        cls,
        session_type: str,
        benchmark: Benchmark,
        *,
        action_space: int = 0,
        process_limits: ProcessLimits | None = None,
        sandbox: bool = False,
    ) -> SessionClient:
        """Start a fresh process with a session on a benchmark.

        Raises:
            InvalidInput: The program is not one that the compiler can read.
            ServiceError: The service cannot be started, or the compiler crashed on the program.
            SandboxUnavailable: A sandbox was asked for that this kernel does not have.
        """
        info = service_info(session_type)
        message = pb.Benchmark(uri=benchmark.uri, program=pb.File(contents=benchmark.program()))
        connection = ManagedConnection.open(
            session_type, limits=process_limits or ProcessLimits(), sandbox=sandbox
        )
        try:
            request = pb.StartSessionRequest(action_space=action_space, benchmark=message)
            reply = connection.start_session(request, timeout=limits.ACTION_WALL_SECONDS)
        except BaseException:
            connection.close()
            raise
        return cls(connection, reply.session_id, info)

    @property
    def sandbox(self) -> dict[str, Any]:
        """How the process is confined, as JSON data; empty where the connection does not know."""
        connection = self._connection
        return connection.sandbox.as_dict() if isinstance(connection, ManagedConnection) else {}

    def step(self, actions: Sequence[int], observations: Sequence[str] = ()) -> Outcome:
        """Apply actions, all or none, then observe.

        Raises:
            InvalidInput: An action is invalid; none was applied.
            ServiceError: The session's process died or was killed.
        """
        names = list(dict.fromkeys(observations))
        request = pb.StepRequest(
            session_id=self._session_id,
            action=[pb.Event(int64_value=action) for action in actions],
            observation_space=[self.info.observation(name).index for name in names],
        )
        units = max(1, len(actions) + len(names))
        reply = self._connection.step(request, timeout=limits.ACTION_WALL_SECONDS * units)
        return Outcome(
            events=dict(zip(names, reply.observation, strict=True)),
            end_of_session=reply.end_of_session,
            had_no_effect=reply.action_had_no_effect,
            new_action_space=reply.new_action_space if reply.HasField("new_action_space") else None,
        )

    def view(self, name: str) -> Any:  # noqa: ANN401 # of any space
        """One observation as plain Python.

        Raises:
            UnknownName: There is no such observation space.
            ServiceError: The session's process died or was killed.
        """
        return self.info.observation(name).view(self.step((), (name,)).events[name])

    def parameter(self, key: str, value: str = "") -> str:
        """Send one session parameter and return the reply.

        Raises:
            InvalidInput: The session knows no such parameter or value.
            ServiceError: The session's process died or was killed.
        """
        request = pb.SendSessionParameterRequest(
            session_id=self._session_id, parameter=[pb.SessionParameter(key=key, value=value)]
        )
        reply = self._connection.send_session_parameter(request, timeout=limits.ACTION_WALL_SECONDS)
        return str(reply.reply[0])

    def fork(self) -> SessionClient:
        """A session in exactly the same state, in a process of its own.

        Raises:
            ServiceError: The session's process died or was killed.
        """
        connection, session_id = self._connection.fork(self._session_id)
        return SessionClient(connection, session_id, self.info)

    def close(self) -> None:
        """End the session's process. May be called again."""
        self._connection.close()
