"""Frames on a socket pair: a length and that many bytes, with descriptors if needed; and plain steps.

A plain step is one whose actions are numbers, in frames of a fixed layout. Most steps are of this kind, and
messages for them would take longer to make and to read than many passes run. A frame begins with a byte
that no message begins with, and a version. All numbers are little endian. The reply to a plain step is
plain, too, unless it is an error: then it is the usual message.
"""

from __future__ import annotations

import array
import errno
import math
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Self

from optarena.limits import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, StepReply, StepRequest

_HEADER: Final = struct.Struct("<I")
WAKEFUL_SECONDS: Final = 200e-6
YIELD_SECONDS: Final = 50e-6  # to give up the processor takes longer only if another process gets it
MAX_LONG_WAITS: Final = 4
# so long the processor counts as needed by others; giving it up takes one of their turns
BUSY_SECONDS: Final = 0.05
_FEW_THREADS: Final = 4
_LOADS_BYTES: Final = 64
_MOST_MILLISECONDS: Final = 2**31 - 1
_CHUNK: Final = 1 << 16
_AT_ONCE: Final = int(socket.MSG_DONTWAIT)
_MAX_DESCRIPTORS: Final = 64
_INT_BYTES: Final = array.array("i").itemsize
_ANCILLARY_BYTES: Final = socket.CMSG_SPACE(_MAX_DESCRIPTORS * _INT_BYTES)


class BrokenFrame(Exception):
    """The received bytes are not a frame: the peer died while sending, or uses another protocol."""


def send(
    sock: socket.socket, data: bytes, descriptors: Sequence[int] = (), deadline: float | None = None
) -> None:
    # The deadline is a time of `time.monotonic`, and holds for the whole frame; None for no limit.
    if len(data) > MAX_MESSAGE_BYTES:
        raise ValueError(f"message of {len(data)} bytes, at most {MAX_MESSAGE_BYTES} are allowed")
    frame: bytes | memoryview = _HEADER.pack(len(data)) + data
    while True:
        try:
            if descriptors:
                sent, descriptors = send_descriptors(sock, frame, descriptors, _AT_ONCE), ()
            else:
                sent = sock.send(frame, _AT_ONCE)
            if sent == len(frame):
                return
            frame = memoryview(frame)[sent:]
        except BlockingIOError:
            _sleep(_poller(sock, select.POLLOUT), deadline)


def send_descriptors(
    sock: socket.socket, data: bytes | memoryview, descriptors: Sequence[int], flags: int = 0
) -> int:
    rights = array.array("i", descriptors)
    return sock.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)], flags)


def receive_descriptors(sock: socket.socket, size: int) -> tuple[bytes, list[int]]:
    # The descriptors are all close-on-exec.
    data, ancillary, _, _ = sock.recvmsg(size, _ANCILLARY_BYTES, socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, rights in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(rights[: len(rights) - len(rights) % _INT_BYTES])
    return data, descriptors.tolist()


def limit(sock: socket.socket, deadline: float | None) -> None:
    # The deadline is a time of `time.monotonic`; None for no limit.
    if deadline is None:
        if sock.gettimeout() is not None:
            sock.settimeout(None)
        return
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError
    sock.settimeout(remaining)


def has_come(sock: socket.socket) -> bool:
    # Whether receiving would not wait: something has come, or the stream has ended, or the socket is closed.
    try:
        return bool(_poller(sock).poll(0))
    except OSError:
        return True


def _poller(sock: socket.socket, event: int = select.POLLIN) -> select.poll:
    # A socket's own time limit would take one more call of the system to set it, and one with each use.
    poller = select.poll()
    if (descriptor := sock.fileno()) < 0:
        raise OSError(errno.EBADF, "the socket is closed")
    poller.register(descriptor, event)
    return poller


def _sleep(poller: select.poll, deadline: float | None) -> None:
    if deadline is None:
        poller.poll()
        return
    milliseconds = min(math.ceil(1000 * (deadline - time.monotonic())), _MOST_MILLISECONDS)
    if milliseconds <= 0 or not poller.poll(milliseconds):
        raise TimeoutError


@lru_cache(maxsize=1)
def loads_file() -> int:
    # A descriptor that is never closed, to read how many processes run with one call; -1 without it.
    with suppress(OSError):
        return os.open("/proc/loadavg", os.O_RDONLY | os.O_CLOEXEC)
    return -1


@lru_cache(maxsize=1)
def processors() -> int:
    # Those of the machine, as in that file. To count them takes longer than many passes.
    return os.cpu_count() or 1


def _is_crowded() -> bool:
    # Whether more processes run, or wait for a processor, than there are processors.
    try:
        running = os.pread(loads_file(), _LOADS_BYTES, 0).split()[3].partition(b"/")[0]
        return int(running) > processors()
    except (OSError, IndexError, ValueError):
        return False


class _SpinWait:
    # To wake a sleeping process takes longer than most calls. Not to sleep pays only if data comes soon, and
    # costs others their time if they need the processor. So it is done unless the last waits were all long,
    # or others wait for a processor: to give it up for a moment shows this only of processes in the same
    # group of the scheduler, and mostly each session of a terminal, or of this package, is one.

    def __init__(self) -> None:
        self.long_waits = 0
        self._busy_until = 0.0

    def wait(self, sock: socket.socket, deadline: float | None) -> None:
        # Until something has come, or the stream has ended.
        poller = _poller(sock)
        begin = time.monotonic()
        may_spin = (
            self.long_waits < MAX_LONG_WAITS
            and begin > self._busy_until
            and threading.active_count() <= _FEW_THREADS
            and not _is_crowded()
        )
        if not (may_spin and self._comes_soon(poller, begin)):
            _sleep(poller, deadline)
        is_short = time.monotonic() < begin + WAKEFUL_SECONDS
        self.long_waits = 0 if is_short else self.long_waits + 1

    def _comes_soon(self, poller: select.poll, begin: float) -> bool:
        now = begin
        while now < begin + WAKEFUL_SECONDS:
            before = time.monotonic()
            os.sched_yield()
            now = time.monotonic()
            if poller.poll(0):
                return True
            if now - before > YIELD_SECONDS:  # somebody else needed the processor, and got it
                self._busy_until = now + BUSY_SECONDS
                break
        return False


_patience: Final = _SpinWait()  # of this process: one agent or one session, mostly


def receive(
    sock: socket.socket,
    deadline: float | None = None,
    *,
    more_follow: bool = False,
    beside_others: bool = False,
) -> bytes | None:
    # None if the peer has ended the stream. With `more_follow`, the peer may send a second frame on its own,
    # of which nothing is read. Peers that work at once need the processor: with `beside_others` it sleeps.
    size = _HEADER.size if more_follow else _CHUNK
    if deadline is not None and time.monotonic() >= deadline:
        raise TimeoutError  # whether something has come by chance or not
    try:
        try:
            data = sock.recv(size, _AT_ONCE)  # of several begun calls, most are answered
            _patience.long_waits = 0
        except BlockingIOError:
            if beside_others:
                _sleep(_poller(sock), deadline)
            else:
                _patience.wait(sock, deadline)
            data = sock.recv(size)
        if len(data) > _HEADER.size and _HEADER.unpack_from(data)[0] == len(data) - _HEADER.size:
            return data[_HEADER.size :]  # as nearly always
        return bytes(_rest(sock, data, deadline)) if data else None
    except ConnectionError:
        return None


def receive_with_descriptors(sock: socket.socket) -> tuple[bytes, list[int]] | None:
    # Without a deadline; None at the end of the stream.
    try:
        _patience.wait(sock, None)
        data, descriptors = receive_descriptors(sock, _CHUNK)
        return (bytes(_rest(sock, data, None)), descriptors) if data else None
    except ConnectionError:
        return None


def _rest(sock: socket.socket, data: bytes, deadline: float | None) -> memoryview | bytes:
    while len(data) < _HEADER.size:
        data += _more(sock, _HEADER.size - len(data), deadline)
    (length,) = _HEADER.unpack_from(data)
    if length > MAX_MESSAGE_BYTES:
        raise BrokenFrame(f"frame of {length} bytes")
    have = len(data) - _HEADER.size
    if have == length:
        return data[_HEADER.size :]
    if have > length:
        raise BrokenFrame("more than one frame")
    frame = bytearray(length)
    frame[:have] = data[_HEADER.size :]
    view = memoryview(frame)
    while have < length:
        _sleep(_poller(sock), deadline)
        count = sock.recv_into(view[have:])
        if not count:
            raise BrokenFrame("the stream ended inside a frame")
        have += count
    return view


def _more(sock: socket.socket, size: int, deadline: float | None) -> bytes:
    _sleep(_poller(sock), deadline)
    data = sock.recv(size)
    if not data:
        raise BrokenFrame("the stream ended inside a frame")
    return data


# the first byte of a plain frame; a message begins with a field's number and type, which are not 0
MARK: Final = b"\0"
VERSION: Final = 1
_STEP_FORMAT: Final = "<cBQQIIII"
_STEP: Final = struct.Struct(_STEP_FORMAT)
_REPLY: Final = struct.Struct("<cBQBI")
_VALUE: Final = struct.Struct("<BI")
_REPLY_BYTES: Final = _REPLY.size
_VALUE_BYTES: Final = _VALUE.size
_EVENT: Final = 0
_NUMBERS: Final = 1
_NO_EFFECT: Final = 1
_END: Final = 2
_SPACE: Final = 4
_FLAGS: Final = _NO_EFFECT | _END | _SPACE


class MalformedFrame(ValueError):
    """The bytes are not a plain frame of this version."""


def is_plain(frame: bytes) -> bool:
    # Of whatever version.
    return frame[:1] == MARK


@dataclass(slots=True)  # to make a frozen one takes many times as long, and each step makes some
class PlainStep:
    session_id: int
    actions: Sequence[int]
    observations: Sequence[int]

    def message(self) -> StepRequest:
        from optarena.service.proto.compiler_gym_service_pb2 import Event, StepRequest  # noqa: PLC0415 # as below

        actions = [Event(int64_value=action) for action in self.actions]
        return StepRequest(session_id=self.session_id, action=actions, observation_space=self.observations)

    def packed(self, call_id: int, deadline_ms: int, cpu_ms: int) -> bytes:
        # 0 for no limit.
        actions, observations = len(self.actions), len(self.observations)
        head = (MARK, VERSION, call_id, self.session_id, deadline_ms, cpu_ms, actions, observations)
        try:
            layout = f"{_STEP_FORMAT}{actions}q{observations}I"
            return struct.pack(layout, *head, *self.actions, *self.observations)
        except struct.error as error:
            raise MalformedFrame(f"A number is too large: {error}") from error


@dataclass(frozen=True, slots=True)
class PlainCall:
    step: PlainStep
    call_id: int
    deadline_ms: int
    cpu_ms: int

    @classmethod
    def unpacked(cls, frame: bytes) -> Self:
        try:
            _, version, call_id, session_id, deadline, cpu, actions, observations = _STEP.unpack_from(frame)
            numbers = struct.unpack(f"<{actions}q{observations}I", frame[_STEP.size :])
        except struct.error as error:
            raise MalformedFrame(f"A plain step of {len(frame)} bytes cannot be read: {error}") from error
        if version != VERSION:
            raise MalformedFrame(f"A plain step is of version {version}, and not {VERSION}")
        return cls(PlainStep(session_id, numbers[:actions], numbers[actions:]), call_id, deadline, cpu)


@dataclass(slots=True)
class PlainOutcome:
    # The reply to a plain step; `values` are integers of 64 bits one after the other, or an event.

    end_of_session: bool
    had_no_effect: bool
    values: Sequence[bytes | Event]
    new_action_space: ActionSpace | None = None

    @classmethod
    def of(cls, reply: StepReply, values: Sequence[bytes | Event] | None = None) -> Self:
        # A message's own observations, unless there are others beside it.
        space = reply.new_action_space if reply.HasField("new_action_space") else None
        observed = list(reply.observation) if values is None else values
        return cls(reply.end_of_session, reply.action_had_no_effect, observed, space)

    def packed(self, call_id: int) -> bytes:
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
        try:
            _, version, told, flags, number = _REPLY.unpack_from(frame)
            if version != VERSION or told != call_id or flags > _FLAGS:
                raise MalformedFrame(f"a plain reply of version {version} to call {told}, with flags {flags}")
            values: list[bytes | Event] = []
            place = _REPLY_BYTES
            for _ in range(number):
                kind, length = _VALUE.unpack_from(frame, place)
                begin = place + _VALUE_BYTES
                place = begin + length
                data = frame[begin:place]
                if kind > _NUMBERS or len(data) < length:
                    raise MalformedFrame(f"a value of kind {kind} and {length} bytes")
                values.append(data if kind else _message("Event", data))
            space = _message("ActionSpace", frame[place:]) if flags & _SPACE else None
        except struct.error as error:
            raise MalformedFrame(f"a plain reply of {len(frame)} bytes: {error}") from error
        if place != len(frame) and space is None:
            raise MalformedFrame(f"a plain reply of {len(frame)} bytes with {place} bytes of values")
        return cls(bool(flags & _END), bool(flags & _NO_EFFECT), values, space)


def _message(kind: str, data: bytes) -> Any:  # noqa: ANN401 # a message of this kind
    # Loaded late: whoever starts a zygote has none yet, and should not have to wait for them.
    from google.protobuf.message import DecodeError  # noqa: PLC0415 # as said

    from optarena.service.proto import compiler_gym_service_pb2  # noqa: PLC0415 # as said

    try:
        return getattr(compiler_gym_service_pb2, kind).FromString(data)
    except DecodeError as error:
        raise MalformedFrame(f"a plain reply with {kind}, of {len(data)} bytes: {error}") from error
