"""The time that a caller waits for the answer to a call."""

from __future__ import annotations

import time


class CallDeadline:
    """The caller's time limit, counted from the arrival of the call.

    Args:
        milliseconds: The limit; 0 for none.
    """

    def __init__(self, milliseconds: int) -> None:
        self._end = time.monotonic() + milliseconds / 1000 if milliseconds else None

    def time_remaining(self) -> float | None:
        """Seconds left, or None for no limit."""
        return None if self._end is None else self._end - time.monotonic()
