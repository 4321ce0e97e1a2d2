"""Keeps garbage collections short: all requests wait for a full one, which examines every object."""

from __future__ import annotations

import gc
import time
from typing import Final

SLOW_SECONDS: Final = 0.01


class Freezer:
    """Has no later collection examine what is there already.

    Caches fill after the start: the first pages of the manual, the figures of large boards. Once a full
    collection has taken long for their sake, they are exempt from it, too. Whatever else was alive then is
    still freed when nothing refers to it any more, unless it refers to itself: that is part of the requests
    of a moment, as often as caches have grown by so much.
    """

    def __init__(self) -> None:
        self._began = 0.0

    def start(self) -> None:
        """Exempt what was loaded, and watch collections from now on."""
        gc.collect()
        gc.freeze()
        gc.callbacks.append(self._watch)

    def stop(self) -> None:
        """Do not watch any more."""
        gc.callbacks.remove(self._watch)

    def _watch(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] < 2:  # noqa: PLR2004 - the oldest of three
            return
        if phase == "start":
            self._began = time.perf_counter()
        elif time.perf_counter() - self._began > SLOW_SECONDS:
            gc.freeze()
