"""Faults in random order, spread over the work by its progress, so that every run has as many."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from faults.kinds import kinds

if TYPE_CHECKING:
    from faults.arena import Arena
    from faults.kinds import Fault

HUNT_SECONDS: Final = 20.0
"""For so long a fault waits for its victim, which may live for milliseconds; then others go first."""
_SPREAD: Final = 0.8
"""The last fault begins when this part of the work is done, so that all meet some."""


class Storm:
    """The faults of one run.

    Args:
        arena: What they are done to.
        number: How many there are at least; each kind comes once in any case.
        most_kinds: So many kinds are drawn; all if None.
        work: The number of replays over which they are spread.
        seed: Draws their order, their times and their victims.
    """

    def __init__(self, arena: Arena, *, number: int, most_kinds: int | None, work: int, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - to be drawn again, not to be secret
        every = kinds(arena)
        if most_kinds is not None:
            every = self._rng.sample(every, min(most_kinds, len(every)))
        more = self._rng.choices(every, [one.weight for one in every], k=max(0, number - len(every)))
        self.planned: list[Fault] = self._rng.sample([*every, *more], len(every) + len(more))
        self._times = sorted(self._rng.uniform(0, work * _SPREAD) for _ in self.planned)
        self._active: list[Fault] = []
        self._hunting_since: float | None = None
        self.begun: Counter[str] = Counter({one.name: 0 for one in every})
        self.missed: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        """Whether all faults have come and gone."""
        return not self.planned and not self._active

    @property
    def hunts(self) -> bool:
        """Whether a fault waits for its victim."""
        return self._hunting_since is not None

    def step(self, ended: int) -> None:
        """Undo what lasted long enough, and begin what is due.

        Args:
            ended: How many replays have ended.
        """
        self._active = [one for one in self._active if not one.end()]
        if not self.planned or ended < self._times[len(self._times) - len(self.planned)]:
            return
        due = self.planned[0]
        if due not in self._active and due.begin(self._rng):
            self._active.append(due)
            self.begun[due.name] += 1
            self._hunting_since = None
            del self.planned[0]
        else:
            self._postpone(due)

    def _postpone(self, due: Fault) -> None:
        """Hunt on for a while; then let the next fault go first."""
        now = time.monotonic()
        self._hunting_since = self._hunting_since or now
        if now - self._hunting_since < HUNT_SECONDS:
            return
        self._hunting_since = None
        del self.planned[0]
        if self.missed[due.name] < self.begun[due.name] + 2:
            self.planned.append(due)
        self.missed[due.name] += 1

    def calm(self) -> None:
        """Undo everything at once."""
        for one in self._active:
            one.undo()
        self._active = []
