"""Keeps garbage collections short: all requests wait for a full one, which examines every object."""

from __future__ import annotations

import gc
import os
from typing import Final

from optarena.service.processes.memory import own_memory

QUIET_SECONDS: Final = 1.0
"""Nobody waits for a collection after so long without a request, most likely."""
MOST_GROWTH_BYTES: Final = 64 * 2**20
"""However busy the server is, it collects once its memory has grown by so much."""
MOST_YOUNG: Final = 10
"""Collections of the younger objects after which a full one is worth its time; Python's own number."""
MOST_EXAMINED: Final = 100_000
"""Objects that a collection examines in some ten milliseconds."""
MOST_OVERDUE: Final = 1_000
"""Collections of the younger objects after which a full one happens in any case: a server that never rests
would keep all garbage that refers to itself."""


class Freezer:
    """Does full collections between requests, where nobody is likely to wait for one.

    Caches fill after the start: the first pages of the manual, the figures of large boards. Once they make
    collections long, later ones no longer examine what is there. What is exempt and refers to itself would
    never be freed, so this, too, is done only while no request is being answered.
    """

    def __init__(self) -> None:
        self._thresholds = gc.get_threshold()
        self._memory = 0

    def start(self) -> None:
        """Exempt what was loaded, and leave full collections to moments at rest, as long as those come."""
        gc.collect()
        gc.freeze()
        young, middle, _ = self._thresholds
        gc.set_threshold(young, middle, MOST_OVERDUE)
        self._memory = _own_memory()

    def stop(self) -> None:
        """Leave full collections to Python again."""
        gc.set_threshold(*self._thresholds)

    def rest(self, quiet_seconds: float) -> None:
        """Collect if it is worth it; for moments at which no request is being answered.

        Args:
            quiet_seconds: The time since the last request.
        """
        is_quiet = quiet_seconds >= QUIET_SECONDS and gc.get_count()[2] >= MOST_YOUNG
        if not is_quiet and _own_memory() - self._memory < MOST_GROWTH_BYTES:
            return
        gc.collect()
        if len(gc.get_objects()) > MOST_EXAMINED:
            gc.freeze()
        self._memory = _own_memory()


def _own_memory() -> int:
    """Bytes of this process's memory; always 0 where the system does not say."""
    return own_memory(os.getpid()) or 0
