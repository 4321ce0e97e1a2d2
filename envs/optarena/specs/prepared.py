"""A measurement in two parts: any machine prepares it, and only one with the device makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optarena.actions import Action
    from optarena.specs.live import LiveEnv
    from optarena.specs.results import Measurement, MeasurementPlan

    Job = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedMeasure:
    """A ``measure`` of an ``EnvironmentSpec`` whose second part needs nothing of the episode.

    Runners without the device replay, check and prepare; one with the device gets the job alone, so it needs
    no compiler.

    Attributes:
        prepare: Makes the job, as JSON data, from an episode's present state and the actions that led to it.
        measure: Carries a job out.
    """

    prepare: Callable[[LiveEnv, Sequence[Action]], Job]
    measure: Callable[[Job, MeasurementPlan], Measurement]

    def __call__(self, env: LiveEnv, actions: Sequence[Action], plan: MeasurementPlan) -> Measurement:
        """Both parts on this machine."""
        return self.measure(self.prepare(env, actions), plan)
