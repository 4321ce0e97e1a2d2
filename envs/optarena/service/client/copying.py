"""Copies of sessions: the client's side of a process that copies itself, and copies by replay."""

from __future__ import annotations

import contextlib
import os
import select
import socket
from typing import TYPE_CHECKING

from optarena.service.processes import progress, resources
from optarena.service.processes.outputs import stderr_file
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.parameters import READINGS

if TYPE_CHECKING:
    from optarena.service.client.interface import Connection
    from optarena.service.client.zygote import Worker, Zygote
    from optarena.service.protocol.history import SessionHistory


class PendingCopy:
    """What a copy that a process makes of itself is given: a channel, its output, and its progress.

    Ended by :meth:`adopted` or :meth:`close`. A copy whose channel is closed ends itself.

    Raises:
        InfrastructureFault: This process has no descriptors left.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        with resources.taken() as kept:
            self._ours, self._theirs = map(kept.enter_context, socket.socketpair())
            self._stderr = kept.enter_context(stderr_file())
            self._progress = kept.enter_context(progress.progress_file())

    @property
    def theirs(self) -> list[int]:
        """The descriptors for the copy."""
        return [self._theirs.fileno(), self._stderr.fileno(), self._progress.fileno()]

    @property
    def has_greeted(self) -> bool:
        """Whether the copy is there, or has died: :meth:`adopted` need not wait."""
        poll = select.poll()
        poll.register(self._ours, select.POLLIN)
        return bool(poll.poll(0))

    def close_theirs(self) -> None:
        """Close this process's end of the copy's channel, once the copy has it."""
        self._theirs.close()

    def adopted(self, zygote: Zygote) -> Worker:
        """The copy as a worker of its zygote.

        Raises:
            ServiceError: The copy has died.
        """
        worker = zygote.adopt(self._ours, self._stderr)
        worker.progress = self._progress
        return worker

    def close(self) -> None:
        """Give the copy up; nothing happens in a process forked from the owner's."""
        if self._owner != os.getpid():
            return
        self._theirs.close()
        with contextlib.suppress(OSError):  # the copy has ended
            self._ours.shutdown(socket.SHUT_RDWR)  # close alone is not seen while a forked process holds it
        self._ours.close()
        self._stderr.close()
        self._progress.close()


def readings_request(session_id: int) -> pb.SendSessionParameterRequest:
    """The call that asks a session what it has measured."""
    return pb.SendSessionParameterRequest(
        session_id=session_id, parameter=[pb.SessionParameter(key=READINGS)]
    )


def replayed(history: SessionHistory, connection: Connection, readings: str) -> int:
    """Repeat on a new connection what was done to a session; returns the copy's session id.

    Args:
        history: What was done.
        connection: The copy's.
        readings: What the session has measured, which the copy does not measure anew.
    """
    start = pb.StartSessionRequest(benchmark=history.benchmark, action_space=history.action_space)
    copy_id = connection.start_session(start).session_id
    for call in history.with_readings(readings):
        if isinstance(call, pb.StepRequest):
            connection.step(pb.StepRequest(session_id=copy_id, action=call.action))
        else:
            connection.send_session_parameter(
                pb.SendSessionParameterRequest(session_id=copy_id, parameter=call.parameter)
            )
    return copy_id
