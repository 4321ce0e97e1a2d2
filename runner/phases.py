"""Which phases a lease has been through, and which of them the database knows."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

from runner import conf, services
from runner.states import PHASES, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runner.services import Lease


class Phases:
    """The phases of one lease.

    Those of its first second wait for the first beat of its heart, or for its end: most replays of small
    programs end by then, and are not held up by a write for each phase. Each phase keeps its time.

    The heart's thread reads what the replay's thread writes.

    """

    def __init__(self) -> None:
        self._present = (State.LEASED, 0)
        self._written = State.LEASED
        self._entered: dict[State, float] = {}
        self._quiet_until = time.monotonic() + conf.PROGRESS_SECONDS

    def enter(self, phase: State, total: int) -> bool:
        """Be in a phase; False if an earlier attempt was further: a state never goes back.

        Args:
            phase: The phase.
            total: How many actions, workloads or metrics it has; 0 if that is not known yet.
        """
        present, _ = self._present
        if PHASES.index(phase) < PHASES.index(present):
            return False
        if phase != present:
            self._entered[phase] = time.monotonic()
            self._present = (phase, total)
        return True

    @property
    def due(self) -> bool:
        """Whether the replay's thread should write the present phase at once."""
        return self._written != self._present[0] and time.monotonic() >= self._quiet_until

    def write(self, lease: Lease) -> None:
        """Have the database know the present phase, in any thread.

        Raises:
            LeaseLostError: The lease is no longer this worker's.
        """
        phase, total = self._present
        if self._written != phase:
            services.advance(lease=lease, to=phase, total=total, ages=self.ages())
            self._written = phase

    def ages(self) -> Mapping[State, timedelta]:
        """How long ago each phase was entered."""
        now = time.monotonic()
        return {phase: timedelta(seconds=now - entered) for phase, entered in self._entered.copy().items()}
