"""The eight calls of a service, each written once; a subclass says how one call is made."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from google.protobuf.message import Message

from optarena.service.client.interface import Connection
from optarena.service.proto import compiler_gym_service_pb2 as pb

Reply = TypeVar("Reply", bound=Message)


class CallingConnection(Connection):
    """A connection that makes all of its calls in the same way."""

    @abstractmethod
    def _call(self, method: str, request: Message, kind: type[Reply], timeout: float | None) -> Reply:
        """Make one call.

        Args:
            method: Its name in the ``.proto`` file.
            request: The message to send.
            kind: The type of its reply.
            timeout: In seconds; None for the connection's default.
        """

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
        """Start one more session; FileNotFoundError if the service does not have the benchmark."""
        return self._call("StartSession", request, pb.StartSessionReply, timeout)

    def step(
        self,
        request: pb.StepRequest,
        *,
        timeout: float | None = None,
        cpu_seconds: float | None = None,  # noqa: ARG002 # only a process of our own can be limited
    ) -> pb.StepReply:
        """Apply actions, all or (if one is invalid) none, then observe."""
        return self._call("Step", request, pb.StepReply, timeout)

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

    def _fork_session(self, session_id: int) -> int:
        """Have the service copy a session; the copy's id."""
        request = pb.ForkSessionRequest(session_id=session_id)
        return self._call("ForkSession", request, pb.ForkSessionReply, None).session_id
