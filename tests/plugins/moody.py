"""A compiler that fails in each replay, but never twice in the same step: the time of day decides."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, ClassVar, Final

from optarena.service import CompilationSession
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Benchmark,
    Event,
    Int64Range,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)
from optarena.specs import EnvironmentSpec, Metric, NamedActions

if TYPE_CHECKING:
    from pathlib import Path

STEPS: Final = 400
_STEPS_A_SECOND: Final = 50
"""Two replays within 8 s fail in different steps if one begins at least 0.02 s after the other."""


class MoodySession(CompilationSession):
    """Counts its steps, and aborts in the one whose time it is."""

    compiler_version = "moody 1.0"
    action_spaces: ClassVar[list[ActionSpace]] = [
        ActionSpace(name="all", space=Space(named_discrete=NamedDiscreteSpace(name=["tick"])))
    ]
    observation_spaces: ClassVar[list[ObservationSpace]] = [
        ObservationSpace(name="digest", space=Space(string_value=StringSpace()), deterministic=True),
        ObservationSpace(name="steps", space=Space(int64_value=Int64Range(min=0)), deterministic=True),
    ]

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        """Note the step in which it will abort."""
        super().__init__(working_directory, action_space, benchmark)
        self.steps = 0
        self.last = int(time.monotonic() * _STEPS_A_SECOND) % STEPS

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        if self.steps == self.last:
            os.abort()
        self.steps += 1
        return False, None, True

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """The number of steps, as text or as a number."""
        if observation_space.name == "digest":
            return Event(string_value=str(self.steps))
        return Event(int64_value=self.steps)


ENVIRONMENT: Final = EnvironmentSpec(
    slug="moody-v0",
    title="Moody",
    service="moody:MoodySession",
    compiler=MoodySession.compiler_version,
    action_table=NamedActions("moody-v0", ("tick",), "moody", descriptions=("It counts.",)),
    metrics=(Metric(name="steps", title="Steps", unit="steps", observation="steps"),),
    rewards={},
    digest_observation="digest",
    observation_space="digest",
    dataset="moody-v0",
)
