"""Keeps the sessions that a client holds: a service may end those without a call for some time."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput, ServiceClosed, SessionCrashed, SessionNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

_CHECKS: Final = 4
"""How often in the time that a session may be without a call it is looked at."""


class SessionToucher:
    """Touches the sessions of one connection. Thread-safe.

    Args:
        touch: Makes a call to the session of a number that changes nothing.
        seconds: How long a session may be without a call.
    """

    def __init__(self, touch: Callable[[int], object], seconds: float) -> None:
        self._touch = touch
        self._seconds = seconds
        self._last: dict[int, float] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def called(self, session_id: int | None) -> None:
        """Note that a call to a session that is held has ended; None for a call to no session."""
        if session_id is None:
            return
        with self._lock:
            self._last[session_id] = time.monotonic()
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._work, daemon=True, name="touching sessions")
                self._thread.start()

    def ended(self, session_id: int | None) -> None:
        """Note that a session is no longer held, or is called now; None for a call to no session."""
        with self._lock:
            if session_id is not None:
                self._last.pop(session_id, None)

    def close(self) -> None:
        """Touch nothing any more."""
        self._closed.set()

    def _work(self) -> None:
        while not self._closed.wait(self._seconds / _CHECKS):
            before = time.monotonic() - self._seconds
            with self._lock:
                idle = [(number, last) for number, last in self._last.items() if last < before]
            for number, last in idle:
                self._try(number, last)

    def _try(self, session_id: int, last: float) -> None:
        """Touch a session; if it is still there, a touch that fails is repeated at the next check."""
        try:
            self._touch(session_id)
        except (SessionNotFound, ServiceClosed, SessionCrashed, InvalidInput, NotImplementedError) as error:
            logger.info("session %d is gone, or cannot be touched: %s", session_id, error)
            self.ended(session_id)  # whoever holds it gets the error of its next call
        except Exception as error:  # noqa: BLE001 # or the thread would end, and touch no session any more
            logger.info("session %d could not be touched: %s", session_id, error)
            with self._lock:
                if session_id in self._last:  # the touch was noted as a call
                    self._last[session_id] = last
