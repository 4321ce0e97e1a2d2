"""Sends messages beside the requests: how long one takes must not tell whether there was one to send."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

_log = structlog.get_logger(__name__)
MOST_WAITING: Final = 100
"""Messages that wait to be sent; further ones are dropped, and their owners ask again."""
_places: Final = threading.BoundedSemaphore(MOST_WAITING)
_sender: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def later(send: Callable[[], object]) -> None:
    """Have a function called that sends one message, and return at once."""
    if not _places.acquire(blocking=False):
        _log.warning("a message was dropped", waiting=MOST_WAITING)
        return
    _sender.submit(_run, send)


def _run(send: Callable[[], object]) -> None:
    try:
        send()
    except OSError as error:  # smtplib's errors are among them
        _log.warning("a message could not be sent", error=type(error).__name__)
    except Exception:  # noqa: BLE001 - nobody waits for the result, so that nothing else would tell
        _log.exception("a message could not be made")
    finally:
        _places.release()
