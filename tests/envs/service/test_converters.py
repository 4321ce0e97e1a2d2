"""Messages and Python values."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from optarena.errors import InvalidInput
from optarena.service.converters import event_to_python, python_to_event, space_to_gymnasium
from optarena.service.proto import compiler_gym_service_pb2 as pb

Space = pb.Space
COMMANDLINE = Space()
COMMANDLINE.any_value.Pack(pb.CommandlineSpace(name=["-a", "-b"]))
SHORT = pb.Int64Range(min=0, max=5)
FOUR = pb.Int64Range(min=4, max=4)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "boolean_value"),
        (-3, "int64_value"),
        (2**63 - 1, "int64_value"),
        (0.1, "double_value"),
        ("ä\n", "string_value"),
        ([1, "a", [True]], "event_list"),
        ({"a": 1, "b": {"c": 2.5}}, "event_dict"),
        ([], "event_list"),
        (pb.Opaque(format="text", data=b"x"), "any_value"),
    ],
)
def test_values_survive_the_way_there_and_back(value: Any, kind: str) -> None:
    event = python_to_event(value)
    assert event.WhichOneof("value") == kind
    back = event_to_python(event)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([[True, False], [False, True]]), "boolean_tensor"),
        (np.arange(6, dtype=np.uint8).reshape(2, 3), "byte_tensor"),
        (np.array([-(2**63), 2**63 - 1]), "int64_tensor"),
        (np.array([0.5, -1.5], dtype=np.float32), "float_tensor"),
        (np.array([[[0.1]]]), "double_tensor"),
        (np.array(["a", "bc\0"], dtype=object), "string_tensor"),
        (np.zeros((0, 3), dtype=np.int64), "int64_tensor"),
        (np.array(7), "int64_tensor"),
    ],
)
def test_arrays_keep_shape_type_and_values(array: np.ndarray[Any, Any], kind: str) -> None:
    event = python_to_event(array)
    assert event.WhichOneof("value") == kind
    back = event_to_python(event)
    assert (back.shape, back.dtype) == (array.shape, array.dtype)
    assert np.array_equal(back, array)
    back.flags.writeable = True


def test_bytes_become_an_array_of_bytes() -> None:
    assert event_to_python(python_to_event(b"\x00\xff")).tolist() == [0, 255]


def test_numpy_scalars_are_sent_as_their_python_kind() -> None:
    assert python_to_event(np.int32(3)) == pb.Event(int64_value=3)
    assert python_to_event(np.float32(0.5)) == pb.Event(float_value=0.5)
    assert python_to_event(np.bool_(True)) == pb.Event(boolean_value=True)


def test_an_event_without_a_value_is_none() -> None:
    assert event_to_python(pb.Event()) is None


def test_a_tensor_whose_shape_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="3 values, but shape"):
        event_to_python(pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[1, 2, 3])))


def test_a_packed_message_of_unknown_type_is_refused_by_name() -> None:
    unknown = pb.Event(any_value=AnyMessage(type_url="type.googleapis.com/some.Thing"))
    with pytest.raises(InvalidInput, match=r"some\.Thing"):
        event_to_python(unknown)


@pytest.mark.parametrize("value", [2**63, object(), {1: 2}, np.array([1j]), [object()]])
def test_what_cannot_be_sent_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match="cannot be sent"):
        python_to_event(value)


def as_member(space: gymnasium.Space[Any], value: Any) -> Any:
    """What the value is as a member of the space: numbers become arrays of the space's type."""
    return np.asarray(value, dtype=space.dtype) if isinstance(space, gymnasium.spaces.Box) else value


def tensor(*values: int) -> pb.Int64Tensor:
    return pb.Int64Tensor(shape=[len(values)], value=values)


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
]


@pytest.mark.parametrize(("space", "member", "stranger"), SPACES)
def test_spaces_contain_their_members_only(space: pb.Space, member: Any, stranger: Any) -> None:
    converted = space_to_gymnasium(space)
    assert as_member(converted, member) in converted
    if stranger is not None:
        assert as_member(converted, stranger) not in converted


@pytest.mark.parametrize(
    ("space", "dtype"),
    [
        (Space(boolean_sequence=pb.BooleanSequenceSpace()), np.int8),
        (Space(int64_sequence=pb.Int64SequenceSpace()), np.int64),
        (Space(float_sequence=pb.FloatSequenceSpace()), np.float32),
        (Space(double_sequence=pb.DoubleSequenceSpace()), np.float64),
    ],
)
def test_sequences_of_any_length_are_stacked(space: pb.Space, dtype: type) -> None:
    converted = space_to_gymnasium(space)
    assert isinstance(converted, gymnasium.spaces.Sequence)
    assert converted.sample().dtype == dtype


@pytest.mark.parametrize(
    ("space", "dtype"),
    [
        (
            Space(
                boolean_box=pb.BooleanBox(
                    low=pb.BooleanTensor(shape=[1], value=[False]),
                    high=pb.BooleanTensor(shape=[1], value=[True]),
                )
            ),
            np.int8,
        ),
        (
            Space(
                byte_box=pb.ByteBox(
                    low=pb.ByteTensor(shape=[1], value=b"\x00"), high=pb.ByteTensor(shape=[1], value=b"\xff")
                )
            ),
            np.uint8,
        ),
        (
            Space(
                float_box=pb.FloatBox(
                    low=pb.FloatTensor(shape=[1], value=[0]), high=pb.FloatTensor(shape=[1], value=[1])
                )
            ),
            np.float32,
        ),
        (
            Space(
                double_box=pb.DoubleBox(
                    low=pb.DoubleTensor(shape=[1], value=[0]), high=pb.DoubleTensor(shape=[1], value=[1])
                )
            ),
            np.float64,
        ),
    ],
)
def test_boxes_keep_their_type_and_can_be_sampled(space: pb.Space, dtype: type) -> None:
    converted = space_to_gymnasium(space)
    assert isinstance(converted, gymnasium.spaces.Box)
    assert converted.dtype == dtype
    assert converted.sample() in converted


def test_every_kind_of_space_has_a_form_in_gymnasium() -> None:
    kinds = {field.name for field in Space.DESCRIPTOR.oneofs_by_name["value"].fields}
    tested = {space.WhichOneof("value") for space, _, _ in SPACES}
    elsewhere = {f"{element}_sequence" for element in ("boolean", "float", "double")}
    elsewhere |= {f"{element}_box" for element in ("boolean", "byte", "float", "double")}
    assert tested | elsewhere == kinds


def test_a_space_without_a_value_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no form in gymnasium"):
        space_to_gymnasium(Space())
