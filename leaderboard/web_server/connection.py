"""One connection: which deadline it is under, and how fast its answer leaves.

The thread of the loop calls everything here but ``service`` and what the application writes.
"""

from __future__ import annotations

import fcntl
import socket
import sys
import termios
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from django.db import close_old_connections
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import HTTPChannel

from leaderboard.web_server.requests import RefusalTask, RefusedRequest, RequestReader

if TYPE_CHECKING:
    from leaderboard.web_server.limits import ConnectionLimits

_TURN_BYTES: Final = 1024 * 1024
"""What one connection may send before the others have their turn."""


class WebConnection(HTTPChannel):  # type: ignore[misc] # waitress ships no types
    """A client's connection."""

    parser_class = RequestReader
    error_task_class = RefusalTask
    request: RequestReader | None
    close_when_flushed: bool

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as inherited
        now = time.monotonic()
        self.since = now
        """When the present wait for the client began: for a head, a body, or the next request."""
        self.queued: float | None = None
        self._served = 0
        self._partial: RequestReader | None = None
        self._in_body = False
        self._unread = False
        self._drain_until: float | None = None
        self._turn = 0
        self._sent = 0
        self._window = (now, 0)
        super().__init__(*arguments, **options)

    @property
    def limits(self) -> ConnectionLimits:
        """The server's limits."""
        limits: ConnectionLimits = self.server.limits
        return limits

    @property
    def address(self) -> str:
        """The client's address."""
        return str(self.addr[0]) if self.addr else ""

    @property
    def waits_for_client(self) -> bool:
        """Whether the server has nothing to do for it until more bytes arrive."""
        return not self.requests and not self.total_outbufs_len

    @property
    def body_on_its_way(self) -> int:
        """The length of the body that is being received."""
        return int(self._partial.content_length) if self._in_body and self._partial is not None else 0

    @property
    def pending_bytes(self) -> int:
        """The bytes of its answers in memory; a file that is being sent is not."""
        return sum(len(one) for one in list(self.outbufs) if not isinstance(one, ReadOnlyFileBasedBuffer))

    # --- reading ---

    def handle_read(self) -> None:
        """Read what has arrived; what follows a refused head is forgotten."""
        if self._drain_until is None:
            super().handle_read()
        else:
            with suppress(OSError):
                self.recv(self.adj.recv_bytes)

    def received(self, data: bytes) -> bool:
        """Take what has arrived, and notice the beginning of a head and of a body."""
        taken = bool(super().received(data))
        now = time.monotonic()
        if self.request is not self._partial:
            self._partial, self._in_body, self.since = self.request, False, now
        if self._partial is not None and self._partial.headers_finished and not self._in_body:
            self._in_body, self.since = True, now
            if not self.server.has_room_for(self):
                self.refuse(
                    RefusedRequest("unavailable", "Too many bodies are being received at the moment.")
                )
        return taken

    def refuse(self, reason: RefusedRequest) -> None:
        """Answer without the application, and close."""
        request = self.request or RequestReader(self.adj)
        request.error, request.completed = reason, True
        self.request = self._partial = None
        self._in_body, request.unread = False, True
        with self.requests_lock:
            self.requests.append(request)
            first = len(self.requests) == 1
        if first:
            self.service()

    # --- the application ---

    def service(self) -> None:
        """Run the application for one request."""
        self.queued = None
        self._unread = self.requests[0].unread
        try:
            super().service()
        finally:
            # The end of a file's answer, at which Django would do this, comes in another thread.
            close_old_connections()
            self._served += 1
            self.since = time.monotonic()

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return
        self.server.thread_waits(self)
        try:
            super()._flush_outbufs_below_high_watermark()
        finally:
            self.server.thread_goes_on(self)

    # --- writing ---

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 - inherited
        """Send as much as the client takes, and as much as the turn allows."""
        if self._turn <= 0:
            return 0
        sent = int(super().send(data, do_close=do_close))
        self._turn -= sent
        self._sent += sent
        return sent

    def _flush_some(self, do_close: bool = True) -> bool:  # noqa: FBT001, FBT002 - inherited
        self._turn = _TURN_BYTES
        return bool(super()._flush_some(do_close=do_close))

    def handle_write(self) -> None:
        """Send; a connection with an unread body is closed only after the client has read the answer.

        Closing it at once would reset it, and the client would see a broken connection and no answer.
        """
        lingers = self._unread and self.close_when_flushed
        if lingers:
            self.close_when_flushed = False
        super().handle_write()
        if lingers and self.total_outbufs_len:
            self.close_when_flushed = True
        elif lingers and self.connected and not self.will_close:
            self._drain_until = time.monotonic() + self.limits.drain_seconds
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)

    # --- deadlines ---

    def overdue(self, now: float) -> str | None:
        """The deadline that it has missed: ``head``, ``body``, ``idle``, ``answer`` or ``drain``."""
        if self._drain_until is not None:
            return "drain" if now > self._drain_until else None
        if self.total_outbufs_len:
            return "answer" if self._stalled(now) else None
        self._window = (now, self._taken())
        if self.requests:
            return None
        waited = now - self.since
        if self._in_body:
            return "body" if waited > self.limits.body_time(self.body_on_its_way) else None
        if self._partial is not None or not self._served:
            return "head" if waited > self.limits.head_seconds else None
        return "idle" if waited > self.limits.idle_seconds else None

    def close_overdue(self, deadline: str) -> None:
        """Close it; a client that has sent too slowly is told."""
        if deadline in {"head", "body"} and self._partial is not None:
            self.refuse(RefusedRequest("body-timeout", f"The request's {deadline} did not arrive in time."))
        else:
            self.handle_close()

    def _stalled(self, now: float) -> bool:
        began, taken = self._window
        if now - began < self.limits.stall_seconds:
            return False
        self._window = (now, self._taken())
        return self._window[1] - taken < self.limits.answer_rate * (now - began)

    def _taken(self) -> int:
        """The bytes that the client's machine has acknowledged.

        What the kernel still holds is not progress; it may be megabytes, and makes room for more in leaps.
        """
        try:
            held = fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4))
        except (OSError, ValueError):  # it has just been closed
            return self._sent
        return self._sent - int.from_bytes(held, sys.byteorder)
