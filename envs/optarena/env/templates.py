"""Sessions before any action, kept so that the next episode on the same program gets a copy of one.

A copy of a process is exact, and takes a fraction of the time of parsing the program in a new one. The
template makes copies while the agent works on another one, but not in its first steps. One is ready, and one
on its way, so that an episode starts at once even if the one before was short.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from optarena.errors import OptArenaError, ServiceError
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.service.client.connection import ManagedConnection
    from optarena.service.client.copying import PendingCopy

MAX_TEMPLATES: Final = 4
"""The programs of one backend that have a template; each has three processes, itself and two copies."""


@dataclass(slots=True)
class _Template:
    connection: ManagedConnection
    reply: pb.StartSessionReply
    pending: PendingCopy | None = None
    ready: tuple[ManagedConnection, int] | None = None
    first_values: dict[str, bytes | pb.Event] = field(default_factory=dict)

    def copy(self) -> tuple[ManagedConnection, pb.StartSessionReply]:
        """A copy, made already if possible."""
        if self.ready is None:
            was_late = self.pending is not None and not self.pending.has_greeted
            self.ready = self._finished()
            if was_late:  # the episodes are short: from now on another copy is on its way
                self.pending = self.connection.begin_copy(self.reply.session_id, ahead=True)
        (copy, session_id), self.ready = self.ready, None
        copy.first_values = self.first_values
        if copy.has_ended or not copy.worker.zygote.is_alive():  # killed while it waited, now or soon
            copy.close()
            raise ServiceError("The copy of a session has ended before it was used.")
        reply = pb.StartSessionReply()
        reply.CopyFrom(self.reply)
        reply.session_id = session_id
        return copy, reply

    def _finished(self) -> tuple[ManagedConnection, int]:
        pending, self.pending = self.pending, None
        return self.connection.finish_copy(pending or self.connection.begin_copy(self.reply.session_id))

    def prepare(self) -> None:
        """Have the next copies made, without waiting for one."""
        if self.ready is None and self.pending is not None and self.pending.has_greeted:
            self.ready = self._finished()
        if self.pending is None:
            self.pending = self.connection.begin_copy(self.reply.session_id, ahead=True)

    def close(self) -> None:
        if self.ready is not None:
            self.ready[0].close()
        if self.pending is not None:
            self.pending.close()
        self.connection.close()


class Templates:
    """The templates of a backend. Thread-safe; those of the programs used last are kept.

    A program gets a template when it is used again while it is among the last programs: episodes on many
    programs in turn have none.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal handler may close during a copy
        self._kept: OrderedDict[str, _Template | None] = OrderedDict()
        self._closed = False

    def take(self, key: str) -> tuple[ManagedConnection, pb.StartSessionReply] | None:
        """A copy of a program's template; None if it has none, or its template has died.

        Args:
            key: What the session depends on.
        """
        with self._lock:
            template = self._kept.get(key)
            if template is None:
                return None
            self._kept.move_to_end(key)
            try:
                return template.copy()
            except (OptArenaError, OSError):  # it was killed, or no further process can be made
                self._drop(key, template)
                return None

    def prepare(self) -> None:
        """Have the template that was used last make its next copy."""
        with self._lock:
            key = next(reversed(self._kept), None)
            template = None if key is None else self._kept[key]
            if key is None or template is None:
                return
            try:
                template.prepare()
            except (OptArenaError, OSError):
                self._drop(key, template)

    def _drop(self, key: str, template: _Template) -> None:
        self._kept[key] = None
        template.close()

    def offer(self, key: str, connection: ManagedConnection, reply: pb.StartSessionReply) -> None:
        """Show a session that has just started; if its program is used again, a copy becomes its template."""
        if not connection.worker.starts_alike:
            return
        with self._lock:
            if self._closed:
                return
            if key in self._kept and self._kept[key] is None:
                copy, session_id = connection.finish_copy(connection.begin_copy(reply.session_id, ahead=True))
                kept = pb.StartSessionReply()
                kept.CopyFrom(reply)
                kept.session_id = session_id
                self._kept[key] = _Template(copy, kept)
            self._kept.setdefault(key, None)
            self._kept.move_to_end(key)
            while len(self._kept) > MAX_TEMPLATES:
                _, oldest = self._kept.popitem(last=False)
                if oldest is not None:
                    oldest.close()

    def close(self) -> None:
        """End all templates; there will be no more."""
        with self._lock:
            self._closed = True
            kept, self._kept = self._kept, OrderedDict()
        for template in kept.values():
            if template is not None:
                template.close()
