"""A compiler whose memory a pass has corrupted: its process then answers as if something else had failed.

Each action makes the answer to its own call one of ``LIES``: a message, or the plain reply that steps have.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final, NoReturn

import sorting

from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Event,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
)
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import frames
from optarena.service.protocol.status import StatusCode
from optarena.specs import NamedActions

_send = frames.send
NUMBER: Final = struct.pack("<q", 3)
_VERSION, _CALL, _FLAGS, _COUNT, _LENGTH = 1, 2, 10, 11, 16
"""Where a plain reply has them."""


def silent(channel: socket.socket) -> NoReturn:
    channel.shutdown(socket.SHUT_RDWR)
    while True:
        time.sleep(600)


def half(channel: socket.socket) -> NoReturn:
    """Close the channel in the middle of an answer."""
    channel.sendall(b"\x05\x00\x00\x00he")
    silent(channel)


def answered(**fields: object) -> Callable[[socket.socket, Envelope], None]:
    def send(channel: socket.socket, answer: Envelope) -> None:
        changed = Envelope(call_id=answer.call_id)
        for name, value in fields.items():
            setattr(changed, name, value)
        _send(channel, changed.SerializeToString())

    return send


def framed(change: Callable[[bytes], bytes]) -> Callable[[socket.socket, Envelope], None]:
    """Change the plain reply of a step that ended well."""

    def send(channel: socket.socket, answer: Envelope) -> None:
        whole = frames.PlainOutcome(end_of_session=False, had_no_effect=False, values=[NUMBER])
        _send(channel, change(whole.packed(answer.call_id)))

    return send


def named(error: str) -> Callable[[socket.socket, Envelope], None]:
    return answered(status=StatusCode.INTERNAL, error=error, message="It was not me.")


LIES: Final[dict[str, Callable[[socket.socket, Envelope], None]]] = {
    "close-the-channel": lambda channel, _: silent(channel),
    "half-an-answer": lambda channel, _: half(channel),
    "nonsense": lambda channel, _: _send(channel, b"hello"),
    "answer-to-another-call": answered(call_id=999),
    "answer-of-another-kind": answered(payload=b"\xff"),
    "no-answer-is-possible": answered(status=StatusCode.UNAVAILABLE),
    "no-such-session": answered(status=StatusCode.NOT_FOUND, message="Session not found: 1"),
    "no-such-file": answered(status=StatusCode.NOT_FOUND, message="/etc/optarena"),
    "no-permission": answered(status=StatusCode.PERMISSION_DENIED, message="/etc/optarena"),
    "wrong-type": answered(status=StatusCode.FAILED_PRECONDITION, message="a list"),
    "refused": answered(status=StatusCode.INVALID_ARGUMENT, message="not now"),
    "plain-answer-to-another-call": framed(lambda frame: changed(frame, _CALL, "<Q", 999)),
    "plain-answer-of-another-version": framed(lambda frame: changed(frame, _VERSION, "<B", 2)),
    "plain-answer-that-is-cut": framed(lambda frame: frame[:-1]),
    "plain-answer-and-more": framed(lambda frame: frame + b"\0"),
    "flags-that-do-not-exist": framed(lambda frame: changed(frame, _FLAGS, "<B", 8)),
    "action-space-that-is-none": framed(lambda frame: changed(frame, _FLAGS, "<B", 4) + b"\xff"),
    "more-values-than-there-are": framed(lambda frame: changed(frame, _COUNT, "<I", 2**32 - 1)),
    "value-that-is-too-long": framed(lambda frame: changed(frame, _LENGTH, "<I", 2**32 - 1)),
    "values-that-nobody-asked-for": framed(lambda frame: frame),
    "unimplemented": answered(status=StatusCode.UNIMPLEMENTED, message="not here"),
    **{
        name: named(name)
        for name in (
            "InfrastructureFault", "SessionKilled", "TransportError", "ServiceClosed", "SessionNotFound",
            "TooManySessions", "SandboxUnavailable", "InvalidInput", "UnknownName", "DeviceUnavailable",
        )
    },
}  # fmt: skip
NAMES: Final = tuple(LIES)


def changed(frame: bytes, place: int, form: str, value: int) -> bytes:
    """A frame with another number at a place."""
    other = bytearray(frame)
    struct.pack_into(form, other, place, value)
    return bytes(other)


def told(reply: bytes) -> Envelope:
    """The answer in a reply, which is a plain frame where a step has ended well."""
    if frames.is_plain(reply):
        (call_id,) = struct.unpack_from("<xxQ", reply)
        return Envelope(call_id=call_id)
    return Envelope.FromString(reply)


class LyingSession(sorting.SortSession):
    """Sorts nothing."""

    action_spaces: ClassVar[list[ActionSpace]] = [
        ActionSpace(name="lies", space=Space(named_discrete=NamedDiscreteSpace(name=NAMES)))
    ]

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        lie = LIES[NAMES[action.int64_value]]

        def send(
            sock: socket.socket, data: bytes, descriptors: Sequence[int] = (), deadline: float | None = None
        ) -> None:
            lie(sock, told(data))

        frames.send = send
        return False, None, False


ENVIRONMENT: Final = replace(
    sorting.ENVIRONMENT,
    service="lying:LyingSession",
    action_table=NamedActions("lies-v0", NAMES, "sort", descriptions=NAMES),
)


class NegativeSession(sorting.SortSession):
    """Its count of inversions is not one of those that it declares."""

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        if observation_space.name == "inversions":
            return Event(int64_value=-1)
        return super().get_observation(observation_space)


NEGATIVE: Final = replace(sorting.ENVIRONMENT, service="lying:NegativeSession")
