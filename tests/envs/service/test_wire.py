"""Frames on socket pairs: whole, large, slow, broken."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from typing import TYPE_CHECKING

import pytest

from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service.protocol import frames

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Two connected sockets."""
    left, right = socket.socketpair()
    with left, right:
        yield left, right


def test_a_frame_is_its_little_endian_length_and_its_bytes(pair: Pair) -> None:
    frames.send(pair[0], b"abc")
    assert pair[1].recv(100) == b"\x03\x00\x00\x00abc"


@pytest.mark.parametrize("size", [0, 1, 65_531, 65_532, 65_533, 5_000_000])
def test_frames_of_any_size_arrive_whole(pair: Pair, size: int) -> None:
    data = os.urandom(size)
    sender = threading.Thread(target=frames.send, args=(pair[0], data))
    sender.start()
    assert frames.receive(pair[1], time.monotonic() + 20) == data
    sender.join()


def test_descriptors_travel_with_a_large_frame_and_are_close_on_exec(pair: Pair) -> None:
    read, write = os.pipe()
    data = bytes(3_000_000)
    sender = threading.Thread(target=frames.send, args=(pair[0], data, [write]))
    sender.start()
    received = frames.receive_with_descriptors(pair[1])
    sender.join()
    assert received is not None
    frame, (descriptor,) = received
    assert frame == data
    assert not os.get_inheritable(descriptor)
    os.write(descriptor, b"x")
    assert os.read(read, 10) == b"x"
    for each in (read, write, descriptor):
        os.close(each)


def test_a_frame_in_small_pieces_is_put_together(pair: Pair) -> None:
    def trickle() -> None:
        for byte in struct.pack("<I", 3) + b"abc":
            pair[0].send(bytes([byte]))
            time.sleep(0.01)

    sender = threading.Thread(target=trickle)
    sender.start()
    assert frames.receive(pair[1], time.monotonic() + 20) == b"abc"
    sender.join()


def test_the_end_of_the_stream_is_none(pair: Pair) -> None:
    pair[0].close()
    assert frames.receive(pair[1]) is None
    assert frames.receive_with_descriptors(pair[1]) is None


@pytest.mark.parametrize(
    "piece", [b"\x03\x00", b"\x03\x00\x00\x00a", b"\x01\x00\x00\x00ab", b"\xff\xff\xff\xff"]
)
def test_what_is_no_frame_is_broken(pair: Pair, piece: bytes) -> None:
    pair[0].sendall(piece)
    pair[0].close()
    with pytest.raises(frames.BrokenFrame):
        frames.receive(pair[1], time.monotonic() + 5)


def test_the_deadline_holds_for_the_whole_frame(pair: Pair) -> None:
    stop = threading.Event()

    def trickle() -> None:
        pair[0].send(struct.pack("<I", 1000))
        while not stop.is_set():
            pair[0].send(b"x")
            time.sleep(0.05)

    sender = threading.Thread(target=trickle)
    sender.start()
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        frames.receive(pair[1], began + 0.3)
    assert time.monotonic() - began < 5
    stop.set()
    sender.join()


def test_a_message_beyond_the_limit_is_not_sent(pair: Pair) -> None:
    class Huge(bytes):
        def __len__(self) -> int:
            return MAX_MESSAGE_BYTES + 1

    with pytest.raises(ValueError, match="at most"):
        frames.send(pair[0], Huge())


@pytest.fixture
def yields(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times at which this process gave up the processor while it waited."""
    monkeypatch.setattr(frames, "_patience", frames._SpinWait())
    monkeypatch.setattr(frames, "_FEW_THREADS", 100)  # the tests' own may be many
    times: list[float] = []

    def sched_yield() -> None:
        times.append(time.perf_counter())
        real()

    real = os.sched_yield
    monkeypatch.setattr(os, "sched_yield", sched_yield)
    return times


def test_a_slow_peer_is_soon_waited_for_asleep(pair: Pair, yields: list[float]) -> None:
    def receive_late() -> None:
        timer = threading.Timer(0.01, frames.send, (pair[0], b"late"))
        timer.start()
        assert frames.receive(pair[1], time.monotonic() + 20) == b"late"
        timer.join()

    for _ in range(frames.MAX_LONG_WAITS):
        receive_late()
    before = len(yields)
    for _ in range(5):
        receive_late()
    assert len(yields) == before
    for _ in range(20):  # on a busy machine the late message may be there before it is waited for
        frames.send(pair[0], b"soon")  # a wait that was short
        assert frames.receive(pair[1], time.monotonic() + 20) == b"soon"
        receive_late()
        if len(yields) > before:
            break
    assert len(yields) > before


def test_a_processor_that_others_need_is_left_to_them(
    pair: Pair, yields: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "YIELD_SECONDS", 0.0)  # it always takes longer, as on a busy machine
    monkeypatch.setattr(frames, "BUSY_SECONDS", 60.0)
    for _ in range(3):
        timer = threading.Timer(0.01, frames.send, (pair[0], b"late"))
        timer.start()
        assert frames.receive(pair[1], time.monotonic() + 20) == b"late"
        timer.join()
    assert len(yields) == 1
