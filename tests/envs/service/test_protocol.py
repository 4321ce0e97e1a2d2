"""The messages, values against their spaces, and frames on socket pairs."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor import FieldDescriptor

import optarena.service.proto
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import frames
from optarena.service.protocol.messages import check_event, check_kind, index_range

if TYPE_CHECKING:
    import select

PROTO = Path(optarena.service.proto.__file__).parent
ROOT = PROTO.parents[2]
INTERFACE = Path(__file__).parent / "golden/interface.txt"
SCALARS = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_FLOAT: "float",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_SINT64: "sint64",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


def test_generated_modules_are_those_of_the_documented_commands(tmp_path: Path) -> None:
    header = (PROTO / "compiler_gym_service.proto").read_text().partition("syntax")[0]
    commands = re.findall(r"^//   python (.*)$", header, re.MULTILINE)
    folder = tmp_path / "envs" / PROTO.relative_to(ROOT)
    folder.mkdir(parents=True)
    for message_file in PROTO.glob("*.proto"):
        shutil.copy(message_file, folder)
    for command in commands:
        words = (
            [str(path.relative_to(tmp_path)) for path in tmp_path.glob(word)] or [word]
            for word in command.split()
        )
        subprocess.run([sys.executable, *itertools.chain(*words)], cwd=tmp_path, check=True)
    generated = {path.name: path.read_text() for path in folder.glob("*_pb2.py*")}
    assert generated == {path.name: path.read_text() for path in PROTO.glob("*_pb2.py*") if path.is_file()}
    assert len(generated) == 4


def type_name(field: FieldDescriptor) -> str:
    message = field.message_type
    if message is None:
        return SCALARS[field.type]
    if message.GetOptions().map_entry:
        return f"map<{type_name(message.fields_by_name['key'])},{type_name(message.fields_by_name['value'])}>"
    return message.full_name.removeprefix("compiler_gym.")


def line(field: FieldDescriptor) -> str:
    kind = type_name(field)
    repeated = "repeated " if field.is_repeated and not kind.startswith("map<") else ""
    group = f" ({field.containing_oneof.name})" if field.containing_oneof else ""
    return f"{field.number} {field.name} {repeated}{kind}{group}"


def test_every_message_has_the_numbers_and_types_of_the_interface() -> None:
    lines = [
        f"{name}: {'; '.join(map(line, sorted(message.fields, key=lambda each: each.number)))}".strip()
        for name, message in sorted(pb.DESCRIPTOR.message_types_by_name.items())
    ]
    golden = INTERFACE.read_text().splitlines()
    assert lines == [text for text in golden if not text.startswith("#")]


def test_the_service_has_the_eight_calls_of_the_interface() -> None:
    service = pb.DESCRIPTOR.services_by_name["CompilerGymService"]
    assert service.full_name == "compiler_gym.CompilerGymService"
    calls = "GetVersion GetSpaces StartSession ForkSession EndSession Step AddBenchmark SendSessionParameter"
    assert [method.name for method in service.methods] == calls.split()
    for method in service.methods:
        assert method.input_type.name == f"{method.name}Request"
        assert method.output_type.name == f"{method.name}Reply"


# Bytes worked out by hand: a tag is (number << 3 | wire type), and a sint64 is zigzag.
@pytest.mark.parametrize(
    ("message", "wire"),
    [
        (pb.GetVersionReply(service_version="1", compiler_version="22"), "0a0131 12023232"),
        (pb.EndSessionReply(remaining_sessions=2), "08 02"),
        (pb.Event(int64_value=-1), "28 01"),
        (pb.Event(int64_value=150), "28 ac02"),
        (pb.Event(boolean_value=False), "20 00"),
        (pb.Event(float_value=1.0), "35 0000803f"),
        (pb.Event(double_value=-2.0), "39 00000000000000c0"),
        (pb.Event(string_value="a"), "42 01 61"),
        (pb.Event(byte_tensor=pb.ByteTensor(shape=[2], value=b"\x00\xff")), "52 07 0a0102 120200ff"),
        (pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[-2, 1])), "5a 07 0a0102 12020302"),
        (
            pb.StepRequest(session_id=3, action=[pb.Event(int64_value=7)], observation_space=[0, 4]),
            "08 03 12 02 280e 1a 02 0004",
        ),
        (
            pb.StartSessionRequest(
                action_space=1, benchmark=pb.Benchmark(uri="u", program=pb.File(contents=b"p"))
            ),
            "10 01 22 08 0a0175 1203 0a0170",
        ),
        (pb.Space(named_discrete=pb.NamedDiscreteSpace(name=["x"])), "32 03 0a0178"),
        (pb.Space(int64_value=pb.Int64Range(min=0)), "42 02 0800"),
        (
            pb.Event(event_dict=pb.DictEvent(event={"k": pb.Event(boolean_value=True)})),
            "1a 09 0a07 0a016b 12022001",
        ),
        (pb.StepReply(action_had_no_effect=True, observation=[pb.Event()]), "10 01 22 00"),
        (
            Envelope(call_id=1, method="Step", deadline_ms=1000, payload=b"\x08\x03"),
            "08 01 12 04 53746570 18 e807 32 02 0803",
        ),
        (Envelope(call_id=2, status=5, message="no"), "08 02 20 05 2a 02 6e6f"),
    ],
)
def test_bytes_on_the_wire(message: pb.Event, wire: str) -> None:
    assert message.SerializeToString().hex() == wire.replace(" ", "")
    assert type(message).FromString(bytes.fromhex(wire)) == message


Event, Space = pb.Event, pb.Space
UP_TO_NINE = pb.Int64Range(min=0, max=9)
COMMANDLINE = Space()
COMMANDLINE.any_value.Pack(pb.CommandlineSpace(name=["-a", "-b"]))
PAIR = Space(
    space_list=pb.ListSpace(
        space=[Space(discrete=pb.DiscreteSpace(n=2)), Space(boolean_value=pb.BooleanRange())]
    )
)


def longs(*values: int) -> pb.Event:
    return Event(int64_tensor=pb.Int64Tensor(shape=[len(values)], value=values))


def events(*values: pb.Event) -> pb.Event:
    return Event(event_list=pb.ListEvent(event=values))


ONE, THREE = (Space(discrete=pb.DiscreteSpace(n=n)) for n in (1, 3))
SHORT = Space(string_value=pb.StringSpace(length_range=pb.Int64Range(max=3)))
FEW = Space(int64_sequence=pb.Int64SequenceSpace(length_range=UP_TO_NINE))
BLOBS = Space(bytes_sequence=pb.BytesSequenceSpace(length_range=UP_TO_NINE))
BOX = Space(int64_box=pb.Int64Box(low=longs(0, 0).int64_tensor, high=longs(9, 9).int64_tensor))
MEMBERS = [
    (Event(int64_value=2), THREE),
    (Event(int64_value=1), Space(named_discrete=pb.NamedDiscreteSpace(name=["a", "b"]))),
    (Event(int64_value=1), COMMANDLINE),
    (Event(boolean_value=True), Space(boolean_value=pb.BooleanRange())),
    (Event(int64_value=9), Space(int64_value=UP_TO_NINE)),
    (Event(int64_value=-(2**63)), Space(int64_value=pb.Int64Range())),
    (Event(float_value=0.5), Space(float_value=pb.FloatRange(min=0, max=1))),
    (Event(double_value=math.nan), Space(double_value=pb.DoubleRange())),
    (Event(string_value="abc"), SHORT),
    (
        longs(1, 2),
        Space(int64_sequence=pb.Int64SequenceSpace(length_range=UP_TO_NINE, scalar_range=UP_TO_NINE)),
    ),
    (
        Event(byte_tensor=pb.ByteTensor(shape=[2], value=b"ab")),
        Space(byte_sequence=pb.ByteSequenceSpace(length_range=UP_TO_NINE)),
    ),
    (events(Event(byte_tensor=pb.ByteTensor(shape=[1], value=b"x"))), BLOBS),
    (
        Event(string_tensor=pb.StringTensor(shape=[1], value=["x"])),
        Space(string_sequence=pb.StringSequenceSpace(length_range=UP_TO_NINE)),
    ),
    (longs(1, 2), BOX),
    (events(Event(int64_value=1), Event(boolean_value=False)), PAIR),
    (
        Event(event_dict=pb.DictEvent(event={"k": Event(int64_value=0)})),
        Space(space_dict=pb.DictSpace(space={"k": ONE})),
    ),
    (
        events(Event(int64_value=0), Event(int64_value=0)),
        Space(space_sequence=pb.SpaceSequenceSpace(length_range=UP_TO_NINE, space=ONE)),
    ),
    (Event(boolean_value=True), Space(space_union=PAIR.space_list)),
    (Event(int64_value=12345), Space()),
]
STRANGERS = [
    (Event(int64_value=3), THREE, "value: 3 is out of range, expected 0 to 2"),
    (Event(int64_value=-1), THREE, "-1 is out of range"),
    (Event(string_value="a"), THREE, "expected int64_value, got string_value"),
    (Event(), THREE, "expected int64_value, got no value"),
    (Event(int64_value=2), COMMANDLINE, "2 is out of range, expected 0 to 1"),
    (
        Event(int64_value=10),
        Space(int64_value=UP_TO_NINE),
        "10 is out of range, expected at least 0 and at most 9",
    ),
    (Event(double_value=math.nan), Space(double_value=pb.DoubleRange(min=0)), "nan is out of range"),
    (Event(string_value="abcd"), SHORT, "length of value: 4"),
    (longs(1, 10), Space(int64_sequence=pb.Int64SequenceSpace(scalar_range=UP_TO_NINE)), r"value\[1\]: 10"),
    (longs(*range(10)), FEW, "length of value: 10"),
    (longs(1, 2, 3), BOX, r"expected shape \[2\], got \[3\]"),
    (events(Event(int64_value=1)), PAIR, "expected 2 values, got 1"),
    (events(Event(int64_value=5), Event(boolean_value=False)), PAIR, r"value\[0\]: 5"),
    (
        Event(event_dict=pb.DictEvent(event={"j": Event(int64_value=0)})),
        Space(space_dict=pb.DictSpace(space={"k": Space()})),
        r"expected the keys \['k'\], got \['j'\]",
    ),
    (
        Event(string_value="x"),
        Space(space_union=PAIR.space_list),
        "expected int64_value, got string_value; or .*expected boolean_value",
    ),
    (events(Event(int64_value=0)), BLOBS, r"value\[0\]: expected byte_tensor"),
]


@pytest.mark.parametrize(("event", "space"), MEMBERS)
def test_members_are_accepted(event: pb.Event, space: pb.Space) -> None:
    check_event(event, space)
    check_kind(event, space)


@pytest.mark.parametrize(("event", "space", "message"), STRANGERS)
def test_strangers_are_named_with_what_is_allowed(event: pb.Event, space: pb.Space, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_event(event, space)


def test_every_kind_of_space_is_checked() -> None:
    kinds = {field.name for field in Space.DESCRIPTOR.oneofs_by_name["value"].fields}
    tested = {space.WhichOneof("value") for _, space in MEMBERS} - {None}
    same_code = {"boolean_sequence", "float_sequence", "double_sequence"}
    same_code |= {"boolean_box", "byte_box", "float_box", "double_box"}
    assert tested | same_code == kinds


def test_the_number_of_actions_is_known_for_every_space_of_indices() -> None:
    assert index_range(COMMANDLINE) == 2
    assert index_range(Space(discrete=pb.DiscreteSpace(n=4))) == 4
    assert index_range(Space(named_discrete=pb.NamedDiscreteSpace(name="abc"))) == 3
    assert index_range(PAIR) is None


def test_ranges_are_no_matter_of_kind() -> None:
    check_kind(longs(100, -1), BOX)
    check_kind(Event(int64_value=100), Space(int64_value=UP_TO_NINE))
    check_kind(Event(int64_value=100), COMMANDLINE)
    check_kind(Event(), Space())
    check_kind(longs(*range(20)), FEW)


@pytest.mark.parametrize(
    ("event", "space", "message"),
    [
        (Event(), BOX, "expected int64_tensor, got no value"),
        (longs(1, 2, 3), BOX, r"expected shape \[2\], got \[3\]"),
        (Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[1])), BOX, "with 1 values"),
        (
            Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[1])),
            Space(int64_sequence=pb.Int64SequenceSpace()),
            r"expected shape \[1\]",
        ),
        (Event(string_value="-a"), COMMANDLINE, "expected int64_value"),
        (events(Event(int64_value=1)), PAIR, "expected 2 values, got 1"),
        (events(Event(int64_value=1), Event(int64_value=1)), PAIR, r"value\[1\]: expected boolean_value"),
        (
            Event(int64_value=1),
            Space(space_union=pb.ListSpace(space=[BOX, PAIR])),
            "int64_tensor.*or.*event_list",
        ),
    ],
)
def test_a_value_of_another_kind_or_shape_is_refused(event: pb.Event, space: pb.Space, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_kind(event, space)


Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
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


@pytest.mark.parametrize("descriptors", [0, 1])
def test_the_deadline_holds_for_what_nobody_reads(pair: Pair, descriptors: int) -> None:
    read, write = os.pipe()
    with contextlib.suppress(BlockingIOError):
        while pair[0].send(bytes(4096), socket.MSG_DONTWAIT):
            pass
    with pytest.raises(TimeoutError):
        frames.send(pair[0], b"late", [write][:descriptors], time.monotonic() + 0.05)
    for each in (read, write):
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
    with pytest.raises(TimeoutError):
        frames.receive(pair[1], time.monotonic() + 0.3)
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
    monkeypatch.setattr(frames, "_patience", frames._SpinWait())
    monkeypatch.setattr(frames, "_FEW_THREADS", 100)  # the tests' own may be many
    monkeypatch.setattr(frames, "processors", lambda: 10_000)  # or others may wait for them
    times: list[float] = []

    def sched_yield() -> None:
        times.append(time.perf_counter())
        real()

    real = os.sched_yield
    monkeypatch.setattr(os, "sched_yield", sched_yield)
    return times


def test_a_peer_is_waited_for_asleep_while_others_wait_for_a_processor(
    pair: Pair, yields: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "processors", lambda: 0)  # of which this process takes one
    timer = threading.Timer(0.01, frames.send, (pair[0], b"late"))
    timer.start()
    assert frames.receive(pair[1], time.monotonic() + 20) == b"late"
    timer.join()
    assert not yields


def test_a_slow_peer_is_soon_waited_for_asleep(
    pair: Pair, yields: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    sleep = frames._sleep

    def send_and_sleep(poller: select.poll, deadline: float | None) -> None:
        time.sleep(0.01)  # a timer of a busy machine may send before the message is waited for
        frames.send(pair[0], b"late")
        sleep(poller, deadline)

    monkeypatch.setattr(frames, "_sleep", send_and_sleep)

    def receive_late() -> None:
        assert frames.receive(pair[1], time.monotonic() + 20) == b"late"

    for _ in range(frames.MAX_LONG_WAITS):
        receive_late()
    before = len(yields)
    for _ in range(5):
        receive_late()
    assert len(yields) == before
    for _ in range(20):  # after others have needed the processor, it is left to them for a moment
        frames.send(pair[0], b"soon")  # a wait that was short
        assert frames.receive(pair[1], time.monotonic() + 20) == b"soon"
        receive_late()
        if len(yields) > before:
            break
    assert len(yields) > before


def test_one_of_several_peers_is_waited_for_asleep(pair: Pair, yields: list[float]) -> None:
    timer = threading.Timer(0.01, frames.send, (pair[0], b"late"))
    timer.start()
    assert frames.receive(pair[1], time.monotonic() + 20, beside_others=True) == b"late"
    timer.join()
    assert not yields
    with pytest.raises(TimeoutError):
        frames.receive(pair[1], time.monotonic() + 0.01, beside_others=True)
