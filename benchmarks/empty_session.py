"""The compiler of ``service.py``, in a module of its own: session processes import it after their fork."""

from __future__ import annotations

from typing import ClassVar

from optarena.service import CompilationSession
from optarena.service.proto import compiler_gym_service_pb2 as pb


class EmptySession(CompilationSession):
    """A compiler that does nothing, so that only the transport is measured."""

    action_spaces: ClassVar[list[pb.ActionSpace]] = [
        pb.ActionSpace(name="one", space=pb.Space(discrete=pb.DiscreteSpace(n=1)))
    ]
    observation_spaces: ClassVar[list[pb.ObservationSpace]] = [pb.ObservationSpace(name="zero")]

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:  # noqa: ARG002 # does nothing
        """Nothing."""
        return False, None, True

    def get_observation(self, observation_space: pb.ObservationSpace) -> pb.Event:  # noqa: ARG002 # there is one
        """Zero."""
        return pb.Event(int64_value=0)
