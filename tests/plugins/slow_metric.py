"""A compiler whose first metric takes long to observe; and one whose memory never suffices."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import sorting

if TYPE_CHECKING:
    from optarena.service.proto.compiler_gym_service_pb2 import Event, ObservationSpace
    from optarena.specs import EnvironmentSpec

BURNT_SECONDS = 1.0
"""CPU time of one observation of the inversions."""


class SlowSession(sorting.SortSession):
    """Sorts quickly and counts slowly."""

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """As always, but the inversions take a while."""
        if observation_space.name == "inversions":
            until = time.process_time() + BURNT_SECONDS
            while time.process_time() < until:
                pass
        return super().get_observation(observation_space)


def environment(cpu_seconds: float) -> EnvironmentSpec:
    """Its environment, with this limit on the CPU time of the slow metric."""
    first, slow = sorting.METRICS
    metrics = (first, replace(slow, cpu_seconds=cpu_seconds))
    return replace(sorting.ENVIRONMENT, service="slow_metric:SlowSession", metrics=metrics)
