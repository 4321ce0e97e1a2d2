"""Keeps garbage collections short: all requests wait for a full one, which examines every object."""

from __future__ import annotations

import gc
import time
from typing import Final

SLOW_SECONDS: Final = 0.01
REST_SECONDS: Final = 60.0
"""The next request may wait for a collection at rest, so there is at most one in this time."""


class Freezer:
    """Has no later collection examine what is there already.

    Caches fill after the start: the first pages of the manual, the figures of large boards. Once a full
    collection has taken long for their sake, they are exempt from it, too, as soon as no request is being
    answered: what refers to itself and is exempt would never be freed.
    """

    def __init__(self) -> None:
        self._began = 0.0
        self._is_due = False
        self._next = 0.0

    def start(self) -> None:
        """Exempt what was loaded, and watch collections from now on."""
        gc.collect()
        gc.freeze()
        gc.callbacks.append(self._watch)

    def stop(self) -> None:
        """Do not watch any more."""
        gc.callbacks.remove(self._watch)

    def rest(self) -> None:
        """Exempt what is kept, if it makes collections long; for moments at which no request is answered."""
        now = time.monotonic()
        if not self._is_due or now < self._next:
            return
        self._is_due, self._next = False, now + REST_SECONDS
        gc.collect()
        if self._is_due:  # it took long with nothing but what is kept
            gc.freeze()
            self._is_due = False

    def _watch(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] < 2:  # noqa: PLR2004 - the oldest of three
            return
        if phase == "start":
            self._began = time.perf_counter()
        elif time.perf_counter() - self._began > SLOW_SECONDS:
            self._is_due = True
