"""Frames on a socket pair: a length and that many bytes, with descriptors beside them where needed.

Knows bytes only, and neither messages nor processes.
"""

from __future__ import annotations

import array
import os
import select
import socket
import struct
import threading
import time
from typing import TYPE_CHECKING, Final

from optarena.limits import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADER: Final = struct.Struct("<I")
_WAKEFUL_SECONDS: Final = 200e-6
_FEW_THREADS: Final = 4
_CHUNK: Final = 1 << 16
_MAX_DESCRIPTORS: Final = 64
_INT_BYTES: Final = array.array("i").itemsize
_ANCILLARY_BYTES: Final = socket.CMSG_SPACE(_MAX_DESCRIPTORS * _INT_BYTES)


class BrokenFrame(Exception):
    """What arrived is no frame: the peer died in the middle of one, or speaks something else."""


def send(sock: socket.socket, data: bytes, descriptors: Sequence[int] = ()) -> None:
    """Send one frame; the socket's timeout, if any, holds for the whole of it.

    Raises:
        ValueError: The data is larger than a message may be.
        OSError: The peer is gone (``BrokenPipeError``), or too slow (``TimeoutError``).
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise ValueError(f"message of {len(data)} bytes, at most {MAX_MESSAGE_BYTES} are allowed")
    frame = _HEADER.pack(len(data)) + data
    if descriptors:
        sent = send_descriptors(sock, frame, descriptors)
        frame = frame[sent:]
    sock.sendall(frame)


def send_descriptors(sock: socket.socket, data: bytes, descriptors: Sequence[int]) -> int:
    """Send some data with descriptors beside it; answers how many bytes went."""
    rights = array.array("i", descriptors)
    return sock.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])


def receive_descriptors(sock: socket.socket, size: int) -> tuple[bytes, list[int]]:
    """Receive some data and the descriptors beside it, which are all close-on-exec."""
    data, ancillary, _, _ = sock.recvmsg(size, _ANCILLARY_BYTES, socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, rights in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(rights[: len(rights) - len(rights) % _INT_BYTES])
    return data, descriptors.tolist()


def limit(sock: socket.socket, deadline: float | None) -> None:
    """Set a socket's timeout to what is left until a time of ``time.monotonic``; None for no limit.

    Raises:
        TimeoutError: Nothing is left.
    """
    if deadline is None:
        if sock.gettimeout() is not None:
            sock.settimeout(None)
        return
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError
    sock.settimeout(remaining)


def await_soon(sock: socket.socket) -> None:
    """Wait for data without sleeping, but not for long, and only while nobody else wants the processor.

    To wake a sleeping process takes longer than most calls. A server of many threads has others to run.
    """
    descriptor = sock.fileno()
    if descriptor < 0 or threading.active_count() > _FEW_THREADS:  # closed: who receives is told
        return
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    ends = time.perf_counter() + _WAKEFUL_SECONDS
    while not poller.poll(0) and time.perf_counter() < ends:
        os.sched_yield()


def receive(sock: socket.socket, deadline: float | None = None, *, more_follow: bool = False) -> bytes | None:
    """Receive one frame; None if the peer has ended the stream.

    Args:
        sock: Its timeout is changed.
        deadline: A time of ``time.monotonic``, or None to wait for ever.
        more_follow: The peer may send a second frame without being asked; nothing of it is taken.

    Raises:
        TimeoutError: The deadline has passed.
        BrokenFrame: The stream ended inside the frame, or the frame is too large.
    """
    await_soon(sock)
    limit(sock, deadline)
    try:
        data = sock.recv(_HEADER.size if more_follow else _CHUNK)
        return bytes(_rest(sock, data, deadline)) if data else None
    except ConnectionError:
        return None


def receive_with_descriptors(sock: socket.socket) -> tuple[bytes, list[int]] | None:
    """Receive one frame and its descriptors, without a deadline; None at the end of the stream.

    Raises:
        BrokenFrame: As :func:`receive`.
    """
    await_soon(sock)
    try:
        data, descriptors = receive_descriptors(sock, _CHUNK)
        return (bytes(_rest(sock, data, None)), descriptors) if data else None
    except ConnectionError:
        return None


def _rest(sock: socket.socket, data: bytes, deadline: float | None) -> memoryview | bytes:
    """The frame that begins with this data, received to its end."""
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
        limit(sock, deadline)
        count = sock.recv_into(view[have:])
        if not count:
            raise BrokenFrame("the stream ended inside a frame")
        have += count
    return view


def _more(sock: socket.socket, size: int, deadline: float | None) -> bytes:
    limit(sock, deadline)
    data = sock.recv(size)
    if not data:
        raise BrokenFrame("the stream ended inside a frame")
    return data
