"""Values against spaces, on messages."""

from __future__ import annotations

import math

import pytest

from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import check_event, check_kind, index_range

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


MEMBERS = [
    (Event(int64_value=2), Space(discrete=pb.DiscreteSpace(n=3))),
    (Event(int64_value=1), Space(named_discrete=pb.NamedDiscreteSpace(name=["a", "b"]))),
    (Event(int64_value=1), COMMANDLINE),
    (Event(boolean_value=True), Space(boolean_value=pb.BooleanRange())),
    (Event(int64_value=9), Space(int64_value=UP_TO_NINE)),
    (Event(int64_value=-(2**63)), Space(int64_value=pb.Int64Range())),
    (Event(float_value=0.5), Space(float_value=pb.FloatRange(min=0, max=1))),
    (Event(double_value=math.nan), Space(double_value=pb.DoubleRange())),
    (Event(string_value="abc"), Space(string_value=pb.StringSpace(length_range=pb.Int64Range(max=3)))),
    (
        longs(1, 2),
        Space(int64_sequence=pb.Int64SequenceSpace(length_range=UP_TO_NINE, scalar_range=UP_TO_NINE)),
    ),
    (
        Event(byte_tensor=pb.ByteTensor(shape=[2], value=b"ab")),
        Space(byte_sequence=pb.ByteSequenceSpace(length_range=UP_TO_NINE)),
    ),
    (
        events(Event(byte_tensor=pb.ByteTensor(shape=[1], value=b"x"))),
        Space(bytes_sequence=pb.BytesSequenceSpace(length_range=UP_TO_NINE)),
    ),
    (
        Event(string_tensor=pb.StringTensor(shape=[1], value=["x"])),
        Space(string_sequence=pb.StringSequenceSpace(length_range=UP_TO_NINE)),
    ),
    (
        longs(1, 2),
        Space(int64_box=pb.Int64Box(low=longs(0, 0).int64_tensor, high=longs(9, 9).int64_tensor)),
    ),
    (events(Event(int64_value=1), Event(boolean_value=False)), PAIR),
    (
        Event(event_dict=pb.DictEvent(event={"k": Event(int64_value=0)})),
        Space(space_dict=pb.DictSpace(space={"k": Space(discrete=pb.DiscreteSpace(n=1))})),
    ),
    (
        events(Event(int64_value=0), Event(int64_value=0)),
        Space(
            space_sequence=pb.SpaceSequenceSpace(
                length_range=UP_TO_NINE, space=Space(discrete=pb.DiscreteSpace(n=1))
            )
        ),
    ),
    (Event(boolean_value=True), Space(space_union=PAIR.space_list)),
    (Event(int64_value=12345), Space()),
]
STRANGERS = [
    (
        Event(int64_value=3),
        Space(discrete=pb.DiscreteSpace(n=3)),
        "value: 3 is out of range, expected 0 to 2",
    ),
    (Event(int64_value=-1), Space(discrete=pb.DiscreteSpace(n=3)), "-1 is out of range"),
    (
        Event(string_value="a"),
        Space(discrete=pb.DiscreteSpace(n=3)),
        "expected int64_value, got string_value",
    ),
    (Event(), Space(discrete=pb.DiscreteSpace(n=3)), "expected int64_value, got no value"),
    (Event(int64_value=2), COMMANDLINE, "2 is out of range, expected 0 to 1"),
    (
        Event(int64_value=10),
        Space(int64_value=UP_TO_NINE),
        "10 is out of range, expected at least 0 and at most 9",
    ),
    (Event(double_value=math.nan), Space(double_value=pb.DoubleRange(min=0)), "nan is out of range"),
    (
        Event(string_value="abcd"),
        Space(string_value=pb.StringSpace(length_range=pb.Int64Range(max=3))),
        "length of value: 4",
    ),
    (longs(1, 10), Space(int64_sequence=pb.Int64SequenceSpace(scalar_range=UP_TO_NINE)), r"value\[1\]: 10"),
    (
        longs(*range(10)),
        Space(int64_sequence=pb.Int64SequenceSpace(length_range=UP_TO_NINE)),
        "length of value: 10",
    ),
    (
        longs(1, 2, 3),
        Space(int64_box=pb.Int64Box(low=longs(0, 0).int64_tensor, high=longs(9, 9).int64_tensor)),
        r"expected shape \[2\], got \[3\]",
    ),
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
    (
        events(Event(int64_value=0)),
        Space(bytes_sequence=pb.BytesSequenceSpace(length_range=UP_TO_NINE)),
        r"value\[0\]: expected byte_tensor",
    ),
]


@pytest.mark.parametrize(("event", "space"), MEMBERS)
def test_members_are_accepted(event: pb.Event, space: pb.Space) -> None:
    check_event(event, space)


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


@pytest.mark.parametrize(("event", "space"), MEMBERS)
def test_members_have_the_kind_of_their_space(event: pb.Event, space: pb.Space) -> None:
    check_kind(event, space)


BOX = Space(int64_box=pb.Int64Box(low=longs(0, 0).int64_tensor, high=longs(9, 9).int64_tensor))


def test_ranges_are_no_matter_of_kind() -> None:
    check_kind(longs(100, -1), BOX)
    check_kind(Event(int64_value=100), Space(int64_value=UP_TO_NINE))
    check_kind(Event(int64_value=100), COMMANDLINE)
    check_kind(Event(), Space())
    check_kind(longs(*range(20)), Space(int64_sequence=pb.Int64SequenceSpace(length_range=UP_TO_NINE)))


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
