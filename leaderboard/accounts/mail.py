"""Sends messages beside the requests: how long one takes must not tell whether there was one to send."""

from __future__ import annotations

import atexit
import threading
from functools import cache, partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

_log = structlog.get_logger(__name__)
MOST_WAITING: Final = 100
"""Messages that wait to be sent; further ones are dropped, and their owners ask again."""
_END_SECONDS: Final = 2.0
"""How long a process that ends goes on sending: a mail server that hangs must not delay its end."""
_places: Final = threading.BoundedSemaphore(MOST_WAITING)
_messages: Final[SimpleQueue[Callable[[], object]]] = SimpleQueue()
_starting: Final = threading.Lock()


def later(send: Callable[[], object]) -> None:
    """Have a function called that sends one message, and return at once."""
    if not _places.acquire(blocking=False):
        _log.warning("a message was dropped", waiting=MOST_WAITING)
        return
    _messages.put(partial(_run, send))
    with _starting:
        _start()


@cache
def _start() -> None:
    """Start the thread that sends; there is one in a process."""
    # The interpreter waits for every other thread, however long it takes.
    threading.Thread(target=_send_all, name="mail", daemon=True).start()
    atexit.register(_end)


def _end() -> None:
    """Wait a moment for the messages that are left: they are sent one after the other."""
    ended = threading.Event()
    _messages.put(ended.set)
    if not ended.wait(_END_SECONDS):
        _log.warning("messages were not sent before the end", waiting=_messages.qsize())


def _send_all() -> None:
    while True:
        _messages.get()()


def _run(send: Callable[[], object]) -> None:
    try:
        send()
    except OSError as error:  # smtplib's errors are among them
        _log.warning("a message could not be sent", error=type(error).__name__)
    except Exception:  # noqa: BLE001 - nobody waits for the result, so that nothing else would tell
        _log.exception("a message could not be made")
    finally:
        _places.release()
