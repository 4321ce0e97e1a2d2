"""Events, members and spaces: of messages, of Python and of gymnasium."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from optarena.errors import InvalidInput
from optarena.service.converters import (
    Commandline,
    JsonDocument,
    NamedDiscrete,
    SizedSequence,
    as_choices,
    event_to_member,
    event_to_python,
    gymnasium_to_space,
    member_to_event,
    python_to_event,
    space_to_gymnasium,
)
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import check_event

BYTES = pb.Event(byte_tensor=pb.ByteTensor(shape=[2], value=b"\x00\xff"))


VALUES = [
    (True, "boolean_value"),
    (-3, "int64_value"),
    (2**63 - 1, "int64_value"),
    (0.1, "double_value"),
    ("ä\n", "string_value"),
    ([1, "a", [True]], "event_list"),
    ({"a": 1, "b": {"c": 2.5}}, "event_dict"),
    ([], "event_list"),
    (pb.Opaque(format="text", data=b"x"), "any_value"),
]
ARRAYS = [
    (np.array([[True, False], [False, True]]), "boolean_tensor"),
    (np.arange(6, dtype=np.uint8).reshape(2, 3), "byte_tensor"),
    (np.array([-(2**63), 2**63 - 1]), "int64_tensor"),
    (np.array([0.5, -1.5, np.nan], dtype=np.float32), "float_tensor"),
    (np.array([[[0.1]]]), "double_tensor"),
    (np.array(["a", "bc\0"], dtype=object), "string_tensor"),
    (np.zeros((0, 3), dtype=np.int64), "int64_tensor"),
    (np.array(7), "int64_tensor"),
]


def sent(event: pb.Event) -> pb.Event:
    return pb.Event.FromString(event.SerializeToString())


@pytest.mark.parametrize(("value", "kind"), VALUES)
def test_values_survive_the_way_there_and_back(value: Any, kind: str) -> None:
    event = python_to_event(value)
    assert event.WhichOneof("value") == kind
    back = event_to_python(sent(event))
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(("array", "kind"), ARRAYS)
def test_arrays_keep_shape_type_and_values(array: np.ndarray[Any, Any], kind: str) -> None:
    event = python_to_event(array)
    assert event.WhichOneof("value") == kind
    back = event_to_python(sent(event))
    assert (back.shape, back.dtype) == (array.shape, array.dtype)
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")
    back.flags.writeable = True


def test_every_kind_of_event_is_tried() -> None:
    tried = {kind for _, kind in VALUES + ARRAYS} | {"float_value"}
    assert tried == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["value"].fields}


def test_a_packed_message_of_unknown_type_is_refused_by_name() -> None:
    unknown = pb.Event(any_value=AnyMessage(type_url="type.googleapis.com/some.Thing"))
    with pytest.raises(InvalidInput, match=r"some\.Thing"):
        event_to_python(unknown)


@pytest.mark.parametrize(
    ("value", "event"),
    [
        (np.int32(3), pb.Event(int64_value=3)),
        (np.float32(0.1), pb.Event(float_value=0.1)),
        (np.bool_(True), pb.Event(boolean_value=True)),
        *((kind(b"\x00\xff"), BYTES) for kind in (bytes, bytearray, memoryview)),
    ],
)
def test_what_has_no_kind_of_its_own_is_sent_as_the_nearest(value: Any, event: pb.Event) -> None:
    assert python_to_event(value) == event


def test_an_event_may_have_no_value_or_a_type_id() -> None:
    assert event_to_python(pb.Event()) is None
    assert event_to_python(pb.Event(type_id="seconds", double_value=1.5)) == 1.5
    assert event_to_python(pb.Event(float_value=0.5)) == 0.5
    assert event_to_python(BYTES).tolist() == [0, 255]


@pytest.mark.parametrize(
    "value",
    [
        *(2**63, object(), {1: 2}, np.array([1j]), [object()], "\ud800"),
        *(np.array(["\ud800"], dtype=object), np.array([2**64 - 1])),
    ],
)
def test_what_cannot_be_sent_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match="cannot be sent"):
        python_to_event(value)


@pytest.mark.parametrize("shape", [[2**63], [2**64 - 1], [0, 2**63], [3, 3], [2]])
def test_a_shape_that_does_not_fit_its_values_is_refused(shape: list[int]) -> None:
    with pytest.raises(InvalidInput, match="but shape"):
        event_to_python(pb.Event(double_tensor=pb.DoubleTensor(shape=shape, value=[1.0])))


def test_a_packed_message_that_cannot_be_read_is_refused() -> None:
    broken = AnyMessage(type_url="type.googleapis.com/compiler_gym.Opaque", value=b"\xff")
    with pytest.raises(InvalidInput, match="not a compiler_gym"):
        event_to_python(pb.Event(any_value=broken))


Space = pb.Space
BIT = Space(boolean_value=pb.BooleanRange())
COUNT = Space(int64_value=pb.Int64Range(min=0))
UNION = Space(space_union=pb.ListSpace(space=[Space(discrete=pb.DiscreteSpace(n=3)), BIT, COUNT]))


@pytest.mark.parametrize(
    ("member", "space", "event"),
    [
        (np.int64(1), Space(discrete=pb.DiscreteSpace(n=2)), pb.Event(int64_value=1)),
        (np.asarray(1, np.int8), BIT, pb.Event(boolean_value=True)),
        (True, BIT, pb.Event(boolean_value=True)),
        (np.asarray(2**63 - 1), COUNT, pb.Event(int64_value=2**63 - 1)),
        (7.0, COUNT, pb.Event(int64_value=7)),
        (0.1, Space(float_value=pb.FloatRange()), pb.Event(float_value=0.1)),
        (-math.inf, Space(double_value=pb.DoubleRange()), pb.Event(double_value=-math.inf)),
        ("é", Space(string_value=pb.StringSpace()), pb.Event(string_value="é")),
        (
            "\xff",
            Space(byte_sequence=pb.ByteSequenceSpace()),
            pb.Event(byte_tensor=pb.ByteTensor(shape=[1], value=b"\xff")),
        ),
        ((1, True), UNION, pb.Event(boolean_value=True)),
        (
            np.zeros(0, np.int64),
            Space(int64_sequence=pb.Int64SequenceSpace()),
            pb.Event(int64_tensor=pb.Int64Tensor(shape=[0])),
        ),
        ((), Space(space_list=pb.ListSpace()), pb.Event(event_list=pb.ListEvent())),
    ],
)
def test_a_member_is_sent_as_its_space_asks(member: Any, space: pb.Space, event: pb.Event) -> None:
    assert member_to_event(member, space) == event


@pytest.mark.parametrize(
    ("member", "space"),
    [
        (2, Space(discrete=pb.DiscreteSpace(n=2))),
        (0.5, COUNT),
        (-1, COUNT),
        ("1", COUNT),
        (2, BIT),
        (math.nan, COUNT),
        (math.nan, Space(double_value=pb.DoubleRange(min=0))),
        (2**63, COUNT),
        (b"x", Space(string_value=pb.StringSpace())),
        ("\u0100", Space(byte_sequence=pb.ByteSequenceSpace())),
        ((3, 0), UNION),
        ((0, 5), UNION),
        (5, UNION),
        ((1,), Space(space_list=pb.ListSpace(space=[COUNT, COUNT]))),
        ({"a": 1}, Space(space_dict=pb.DictSpace(space={"b": COUNT}))),
        (None, COUNT),
        (1, Space()),
    ],
)
def test_what_is_no_member_is_refused(member: Any, space: pb.Space) -> None:
    with pytest.raises(InvalidInput):
        member_to_event(member, space)


def test_an_event_that_is_not_of_the_space_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected int64_value, got string_value"):
        event_to_member(pb.Event(string_value="x"), COUNT)


def test_a_sequence_without_its_shape_is_read() -> None:
    space = Space(int64_sequence=pb.Int64SequenceSpace())
    event = pb.Event(int64_tensor=pb.Int64Tensor(value=[1, 2]))
    assert event_to_member(event, space).tolist() == [1, 2]
    torn = pb.Event(int64_tensor=pb.Int64Tensor(shape=[3], value=[1, 2]))
    with pytest.raises(InvalidInput, match=r"expected shape \[2\], got \[3\]"):
        event_to_member(torn, space)


def test_of_a_union_the_first_space_that_has_the_value_is_named() -> None:
    assert event_to_member(pb.Event(int64_value=7), UNION) == (2, 7)
    assert event_to_member(pb.Event(int64_value=1), UNION) == (0, 1)


COMMANDLINE = Space()
COMMANDLINE.any_value.Pack(pb.CommandlineSpace(name=["-a", "-b"]))
SHORT = pb.Int64Range(min=0, max=5)
FOUR = pb.Int64Range(min=4, max=4)


def as_member(space: gymnasium.Space[Any], value: Any) -> Any:
    """What the value is as a member of the space: numbers become arrays of the space's type."""
    return np.asarray(value, dtype=space.dtype) if isinstance(space, gymnasium.spaces.Box) else value


def tensor(*values: int) -> pb.Int64Tensor:
    return pb.Int64Tensor(shape=[len(values)], value=values)


def box(name: str, low: Any, high: Any) -> pb.Space:
    """A box of one element."""
    kind, tensor_of = getattr(pb, f"{name.capitalize()}Box"), getattr(pb, f"{name.capitalize()}Tensor")
    low, high = (tensor_of(shape=[1], value=bound if name == "byte" else [bound]) for bound in (low, high))
    return Space(**{f"{name}_box": kind(low=low, high=high)})


SPACES = [
    (Space(discrete=pb.DiscreteSpace(n=3)), 2, 3),
    (Space(named_discrete=pb.NamedDiscreteSpace(name="ab")), 1, 2),
    (COMMANDLINE, 1, 2),
    (Space(boolean_value=pb.BooleanRange()), True, None),
    (Space(int64_value=pb.Int64Range(min=0)), 5, -1),
    (Space(int64_value=pb.Int64Range()), -(2**63), None),
    (Space(float_value=pb.FloatRange(min=0, max=1)), 0.5, 1.5),
    (Space(double_value=pb.DoubleRange()), -math.inf, None),
    (Space(string_value=pb.StringSpace(length_range=SHORT)), "a\n;", "too long"),
    (
        Space(byte_sequence=pb.ByteSequenceSpace(length_range=FOUR)),
        np.zeros(4, np.uint8),
        np.zeros(3, np.uint8),
    ),
    (Space(byte_sequence=pb.ByteSequenceSpace(length_range=SHORT)), "\xff\x00", "\u0100"),
    (Space(int64_sequence=pb.Int64SequenceSpace(length_range=FOUR)), np.arange(4), np.arange(5)),
    (Space(int64_box=pb.Int64Box(low=tensor(0, 0), high=tensor(9, 9))), np.array([9, 0]), np.array([10, 0])),
    (
        Space(space_list=pb.ListSpace(space=[Space(discrete=pb.DiscreteSpace(n=2)), COMMANDLINE])),
        (1, 1),
        (1, 2),
    ),
    (Space(space_dict=pb.DictSpace(space={"k": COMMANDLINE})), {"k": 0}, {"j": 0}),
    (Space(space_union=pb.ListSpace(space=[COMMANDLINE, COMMANDLINE])), (1, 1), (2, 1)),
    (Space(space_sequence=pb.SpaceSequenceSpace(space=COMMANDLINE)), (0, 1, 1), (0, 2)),
    (Space(string_sequence=pb.StringSequenceSpace()), ("a", "b"), ("\x80",)),
    (Space(bytes_sequence=pb.BytesSequenceSpace()), ("\xff",), ("\u0100",)),
    (Space(boolean_sequence=pb.BooleanSequenceSpace(length_range=FOUR)), np.ones(4), np.full(4, 2)),
    (Space(float_sequence=pb.FloatSequenceSpace(length_range=FOUR)), np.zeros(4), np.zeros(5)),
    (Space(double_sequence=pb.DoubleSequenceSpace(length_range=FOUR)), np.zeros(4), np.zeros(5)),
    (box("boolean", False, True), np.array([1]), np.array([2])),
    (box("byte", b"\x02", b"\xff"), np.array([2]), np.array([1])),
    (box("float", -0.5, 1.0), np.array([0.25]), np.array([1.5])),
    (box("double", 0.1, 0.2), np.array([0.1]), np.array([0.3])),
    (
        Space(space_dict=pb.DictSpace(space={"k": Space(space_list=pb.ListSpace(space=[UNION, BIT]))})),
        {"k": ((2, 7), True)},
        {"k": ((3, 0), True)},
    ),
]


@pytest.mark.parametrize(("space", "member", "stranger"), SPACES)
def test_spaces_contain_their_members_only_which_travel_as_events(
    space: pb.Space, member: Any, stranger: Any
) -> None:
    converted = space_to_gymnasium(space)
    if stranger is not None:
        assert as_member(converted, stranger) not in converted
    converted.seed(7)
    for one in (as_member(converted, member), *(converted.sample() for _ in range(5))):
        assert one in converted
        event = member_to_event(one, space)
        check_event(event, space)
        back = event_to_member(sent(event), space)
        assert back in converted
        assert member_to_event(back, space) == event


@pytest.mark.parametrize("space", [space for space, _, _ in SPACES])
def test_spaces_survive_the_way_there_and_back(space: pb.Space) -> None:
    converted = space_to_gymnasium(space)
    message = gymnasium_to_space(converted)
    assert space_to_gymnasium(Space.FromString(message.SerializeToString())) == converted
    assert gymnasium_to_space(space_to_gymnasium(message)) == message


def test_every_kind_of_space_is_tried() -> None:
    kinds = {field.name for field in Space.DESCRIPTOR.oneofs_by_name["value"].fields}
    assert {space.WhichOneof("value") for space, _, _ in SPACES} == kinds


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("boolean", np.int8), ("int64", np.int64), ("float", np.float32), ("double", np.float64)],
)
def test_sequences_of_any_length_are_stacked_and_boxes_keep_their_type(name: str, dtype: type) -> None:
    kind = name.capitalize()
    sequence = space_to_gymnasium(Space(**{f"{name}_sequence": getattr(pb, f"{kind}SequenceSpace")()}))
    assert isinstance(sequence, gymnasium.spaces.Sequence)
    assert sequence.sample().dtype == space_to_gymnasium(box(name, 0, 1)).dtype == dtype
    assert space_to_gymnasium(box("byte", b"\x00", b"\xff")).dtype == np.uint8


def test_a_space_without_a_value_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no equivalent in gymnasium"):
        space_to_gymnasium(Space())


def test_names_come_back() -> None:
    for named in (Space(named_discrete=pb.NamedDiscreteSpace(name="ab")), COMMANDLINE):
        assert gymnasium_to_space(space_to_gymnasium(named)) == named
    assert NamedDiscrete("ab") != Commandline("ab")
    assert space_to_gymnasium(COMMANDLINE) == Commandline(["-a", "-b"])


def test_missing_bounds_stay_missing() -> None:
    for space in (
        Space(int64_value=pb.Int64Range()),
        Space(double_value=pb.DoubleRange(min=0)),
        Space(int64_sequence=pb.Int64SequenceSpace(length_range=pb.Int64Range(min=2))),
        Space(string_value=pb.StringSpace(length_range=pb.Int64Range(max=3))),
    ):
        back = gymnasium_to_space(space_to_gymnasium(space))
        assert space_to_gymnasium(back) == space_to_gymnasium(space)
        assert "min: 0\n" not in str(back).replace("min: 0\n", "", 1)
        assert back.ByteSize() <= space.ByteSize() + 4  # an empty range is still a message


@pytest.mark.parametrize(
    ("space", "kind"),
    [
        (gymnasium.spaces.Box(-5, 5, (2,), np.int16), "int64_box"),
        (gymnasium.spaces.Box(0, 1, (2,), np.float16), "float_box"),
        (gymnasium.spaces.Box(0, 1, (2,), np.int8), "boolean_box"),
        (gymnasium.spaces.Box(0, 1, (), np.int8), "boolean_value"),
        (gymnasium.spaces.Box(0, 2, (), np.int8), "int64_value"),
        (gymnasium.spaces.MultiBinary((2, 3)), "boolean_box"),
        (gymnasium.spaces.MultiDiscrete([2, 3], start=[0, -1]), "int64_box"),
        (gymnasium.spaces.Text(5, charset="01"), "string_value"),
        (gymnasium.spaces.Sequence(gymnasium.spaces.Discrete(2)), "space_sequence"),
        (gymnasium.spaces.Sequence(gymnasium.spaces.Box(0, 1, ()), stack=True), "float_sequence"),
    ],
)
def test_a_message_is_wider_where_it_cannot_say_the_same(space: gymnasium.Space[Any], kind: str) -> None:
    message = gymnasium_to_space(space)
    assert message.WhichOneof("value") == kind
    wider = space_to_gymnasium(message)
    for seed in range(5):
        space.seed(seed)
        member = space.sample()
        assert as_member(wider, member) in wider


@pytest.mark.parametrize(
    ("space", "remedy"),
    [
        (gymnasium.spaces.Discrete(3, start=1), "Start it at 0"),
        (gymnasium.spaces.Text(3, charset="äö"), "Latin-1"),
        (gymnasium.spaces.Box(0, 2**64 - 1, (2,), np.uint64), "at most"),
        (gymnasium.spaces.Graph(gymnasium.spaces.Discrete(2), None), "Use Discrete"),
        (gymnasium.spaces.Sequence(gymnasium.spaces.Box(0, 1, (2,)), stack=True), "stack=False"),
    ],
)
def test_what_no_message_can_describe_is_refused_with_a_remedy(
    space: gymnasium.Space[Any], remedy: str
) -> None:
    with pytest.raises(InvalidInput, match=remedy):
        gymnasium_to_space(space)


@pytest.mark.parametrize(
    "space",
    [
        Space(discrete=pb.DiscreteSpace(n=0)),
        Space(int64_value=pb.Int64Range(min=1, max=0)),
        Space(int64_box=pb.Int64Box(low=tensor(1), high=tensor(1, 2))),
        Space(space_union=pb.ListSpace()),
        Space(string_value=pb.StringSpace(length_range=pb.Int64Range(min=3, max=2))),
    ],
)
def test_a_space_that_contradicts_itself_is_refused(space: pb.Space) -> None:
    with pytest.raises(InvalidInput):
        space_to_gymnasium(space)


def test_sequences_keep_to_their_lengths() -> None:
    numbers = space_to_gymnasium(
        Space(int64_sequence=pb.Int64SequenceSpace(length_range=pb.Int64Range(min=2, max=3)))
    )
    assert isinstance(numbers, SizedSequence)
    assert [np.zeros(size, np.int64) in numbers for size in range(5)] == [False, False, True, True, False]
    assert {len(numbers.sample()) for _ in range(50)} == {2, 3}
    assert [0, 0] not in numbers


def test_an_action_space_of_several_choices_is_told_by_its_bounds() -> None:
    choices = gymnasium.spaces.MultiDiscrete([3, 5])
    message = gymnasium_to_space(choices)
    assert not message.HasField("type_id")
    assert as_choices(space_to_gymnasium(message)) == choices
    for other in (
        gymnasium.spaces.Box(-1, 3, (2,), np.int64),
        gymnasium.spaces.Box(0, 3, (2, 2), np.int64),
        gymnasium.spaces.Box(0, np.iinfo(np.int64).max, (2,), np.int64),
        gymnasium.spaces.Box(0, 1, (2,), np.float32),
        gymnasium.spaces.Discrete(4),
    ):
        assert as_choices(other) is other


def test_a_packed_json_document_is_a_space_of_documents() -> None:
    message = Space()
    message.any_value.Pack(pb.Opaque(format="json://networkx/MultiDiGraph", data=b"{}"))
    space = space_to_gymnasium(message)
    assert space == JsonDocument("json://networkx/MultiDiGraph") != JsonDocument("json://")
    assert all(space.contains(value) for value in (space.sample(), [1, "a"], None))
    assert not space.contains(b"bytes")
    message.any_value.Pack(pb.Opaque(format="bits", data=b"{}"))
    with pytest.raises(InvalidInput, match="no equivalent in gymnasium"):
        space_to_gymnasium(message)
