"""A compiler that answers plain steps by itself if they have one action, and says how it was called."""

from __future__ import annotations

import ctypes
import json
import os
import socket
from typing import TYPE_CHECKING, Final

from fake_compiler import FakeSession

from optarena.service.proto.compiler_gym_service_pb2 import Event
from optarena.service.protocol import frames

if TYPE_CHECKING:
    from optarena.service.session import PlainCalls

_MOST: Final = 1 << 16
_LENGTH: Final = 4
UNIT: Final = 33
"""The unit of work that it notes."""


class AnsweringSession(FakeSession):
    """Answers with its number, the CPU time it may use, and that which the frame names."""

    def answer_steps(self, calls: PlainCalls) -> None:
        with socket.socket(fileno=os.dup(calls.channel)) as channel:
            while frames.is_plain(frame := channel.recv(_MOST, socket.MSG_PEEK)[_LENGTH:]):
                call = frames.PlainCall.unpacked(frame)
                if len(call.step.actions) != 1:
                    return
                channel.recv(_LENGTH + len(frame))
                ctypes.c_uint64.from_address(calls.progress).value = UNIT
                told = json.dumps([calls.session_id, calls.cpu_seconds, call.cpu_ms])
                outcome = frames.PlainOutcome(False, False, [Event(string_value=told)])
                frames.send(channel, outcome.packed(call.call_id))
