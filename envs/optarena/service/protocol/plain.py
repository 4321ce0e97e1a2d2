"""Plain steps: steps whose actions are numbers, in frames of a fixed layout between a session and its client.

Most steps are of this kind, and messages for them would take longer to make and to read than many passes
run. A frame begins with a byte that no message begins with, and a version. All numbers are little endian. The
reply to a plain step is plain, too, unless it is an error: then it is the usual message.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from google.protobuf.message import DecodeError

from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, StepReply, StepRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

MARK: Final = b"\0"
"""The first byte of a plain frame. A message begins with the number and type of a field, which are not 0."""
VERSION: Final = 1
_STEP: Final = struct.Struct("<cBQQIIII")
_REPLY: Final = struct.Struct("<cBQBI")
_VALUE: Final = struct.Struct("<BI")
_EVENT: Final = 0
_NUMBERS: Final = 1
_NO_EFFECT: Final = 1
_END: Final = 2
_SPACE: Final = 4
_FLAGS: Final = _NO_EFFECT | _END | _SPACE


class MalformedFrame(ValueError):
    """The bytes are not a plain frame of this version."""


def is_plain(frame: bytes) -> bool:
    """Whether a frame is a plain one, of whatever version."""
    return frame[:1] == MARK


@dataclass(frozen=True, slots=True)
class PlainStep:
    """A step whose actions are numbers.

    Attributes:
        session_id: The session.
        actions: The actions.
        observations: The indices of the observation spaces.
    """

    session_id: int
    actions: Sequence[int]
    observations: Sequence[int]

    def message(self) -> StepRequest:
        """As a message."""
        actions = [Event(int64_value=action) for action in self.actions]
        return StepRequest(session_id=self.session_id, action=actions, observation_space=self.observations)

    def packed(self, call_id: int, deadline_ms: int, cpu_ms: int) -> bytes:
        """As a frame, with the number of the call and its limits; 0 for no limit.

        Raises:
            MalformedFrame: A number is too large for a frame.
        """
        actions, observations = len(self.actions), len(self.observations)
        head = (MARK, VERSION, call_id, self.session_id, deadline_ms, cpu_ms, actions, observations)
        try:
            numbers = struct.pack(f"<{actions}q{observations}I", *self.actions, *self.observations)
            return _STEP.pack(*head) + numbers
        except struct.error as error:
            raise MalformedFrame(f"A number is too large: {error}") from error


@dataclass(frozen=True, slots=True)
class PlainCall:
    """A plain step as it arrives: the step, the number of the call, and its limits in milliseconds."""

    step: PlainStep
    call_id: int
    deadline_ms: int
    cpu_ms: int

    @classmethod
    def unpacked(cls, frame: bytes) -> Self:
        """What ``Step.packed`` gives.

        Raises:
            MalformedFrame: The frame is something else.
        """
        try:
            _, version, call_id, session_id, deadline, cpu, actions, observations = _STEP.unpack_from(frame)
            numbers = struct.unpack(f"<{actions}q{observations}I", frame[_STEP.size :])
        except struct.error as error:
            raise MalformedFrame(f"A plain step of {len(frame)} bytes cannot be read: {error}") from error
        if version != VERSION:
            raise MalformedFrame(f"A plain step is of version {version}, and not {VERSION}")
        return cls(PlainStep(session_id, numbers[:actions], numbers[actions:]), call_id, deadline, cpu)


@dataclass(frozen=True, slots=True)
class PlainOutcome:
    """The reply to a plain step.

    Attributes:
        end_of_session: Whether the session has ended.
        had_no_effect: Whether no action had an effect.
        values: The observations: integers of 64 bits one after the other, or an event.
        new_action_space: The action space from now on, if it is another one.
    """

    end_of_session: bool
    had_no_effect: bool
    values: Sequence[bytes | Event]
    new_action_space: ActionSpace | None = None

    @classmethod
    def of(cls, reply: StepReply, values: Sequence[bytes | Event] | None = None) -> Self:
        """What a message says; its own observations unless there are others beside it."""
        space = reply.new_action_space if reply.HasField("new_action_space") else None
        observed = list(reply.observation) if values is None else values
        return cls(reply.end_of_session, reply.action_had_no_effect, observed, space)

    def packed(self, call_id: int) -> bytes:
        """As a frame."""
        flags = self.end_of_session * _END + self.had_no_effect * _NO_EFFECT
        parts = [b""]
        for value in self.values:
            kind, data = (
                (_NUMBERS, value) if isinstance(value, bytes) else (_EVENT, value.SerializeToString())
            )
            parts += (_VALUE.pack(kind, len(data)), data)
        if self.new_action_space is not None:
            flags += _SPACE
            parts.append(self.new_action_space.SerializeToString())
        parts[0] = _REPLY.pack(MARK, VERSION, call_id, flags, len(self.values))
        return b"".join(parts)

    @classmethod
    def unpacked(cls, frame: bytes, call_id: int) -> Self:
        """What ``packed`` gives, as the reply to a call.

        Raises:
            MalformedFrame: The frame is something else.
        """
        try:
            _, version, told, flags, number = _REPLY.unpack_from(frame)
            if version != VERSION or told != call_id or flags > _FLAGS:
                raise MalformedFrame(f"a plain reply of version {version} to call {told}, with flags {flags}")
            values, place = _values(frame, number)
            space = ActionSpace.FromString(frame[place:]) if flags & _SPACE else None
        except (struct.error, DecodeError) as error:
            raise MalformedFrame(f"a plain reply of {len(frame)} bytes: {error}") from error
        if place != len(frame) and space is None:
            raise MalformedFrame(f"a plain reply of {len(frame)} bytes with {place} bytes of values")
        return cls(bool(flags & _END), bool(flags & _NO_EFFECT), values, space)


def _values(frame: bytes, number: int) -> tuple[list[bytes | Event], int]:
    """The values of a reply, and the place of what follows them."""
    values: list[bytes | Event] = []
    place = _REPLY.size
    for _ in range(number):
        kind, length = _VALUE.unpack_from(frame, place)
        place += _VALUE.size + length
        data = frame[place - length : place]
        if kind > _NUMBERS or place > len(frame):
            raise MalformedFrame(f"a value of kind {kind} and {length} bytes")
        values.append(data if kind == _NUMBERS else Event.FromString(data))
    return values, place
