"""Starts what takes longest about a service while the rest of it is still being imported."""

from __future__ import annotations

import threading
from contextlib import suppress

from optarena.errors import OptArenaError
from optarena.service.client.zygote import Zygote


def start_early(session_type: str) -> None:
    """Begin to start the process from which the sessions of a type are forked, and return at once.

    Whoever needs the process waits for it. If it cannot be started, that is reported when it is needed.
    """
    threading.Thread(target=_start, args=(session_type,), daemon=True, name="early").start()


def _start(session_type: str) -> None:
    with suppress(OptArenaError, OSError):
        Zygote.shared(session_type)
