"""Spaces of messages and of gymnasium."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import InvalidInput
from optarena.service.converters import (
    Commandline,
    JsonDocument,
    NamedDiscrete,
    SizedSequence,
    as_choices,
    gymnasium_to_space,
    space_to_gymnasium,
)
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.message_strategies import gymnasium_spaces, spaces

Space = pb.Space
COMMANDLINE = Space()
COMMANDLINE.any_value.Pack(pb.CommandlineSpace(name=["-a", "-b"]))
SHORT = pb.Int64Range(min=0, max=5)
FOUR = pb.Int64Range(min=4, max=4)


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


def test_a_space_without_a_value_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no equivalent in gymnasium"):
        space_to_gymnasium(Space())


def test_every_kind_of_space_is_tried() -> None:
    assert set(spaces) == {field.name for field in Space.DESCRIPTOR.oneofs_by_name["value"].fields}


@pytest.mark.parametrize("kind", spaces)
@given(data=st.data())
def test_a_space_of_any_kind_survives_the_way_there_and_back(kind: str, data: st.DataObject) -> None:
    converted = space_to_gymnasium(data.draw(spaces[kind]))
    message = gymnasium_to_space(converted)
    assert space_to_gymnasium(message) == converted
    assert gymnasium_to_space(space_to_gymnasium(message)) == message
    assert Space.FromString(message.SerializeToString()) == message


@given(gymnasium_spaces)
def test_a_gymnasium_space_survives_the_way_there_and_back(space: gymnasium.Space[Any]) -> None:
    assert space_to_gymnasium(gymnasium_to_space(space)) == space


@pytest.mark.parametrize("space", [space for space, _, _ in SPACES if not space.HasField("byte_sequence")])
def test_the_message_that_comes_back_is_the_same(space: pb.Space) -> None:
    assert gymnasium_to_space(space_to_gymnasium(space)).WhichOneof("value") in {
        space.WhichOneof("value"),
        "int64_box",  # a sequence of fixed length is one
        "space_sequence",  # every sequence of texts is one
        "bytes_sequence",
    }


def test_names_come_back() -> None:
    named = Space(named_discrete=pb.NamedDiscreteSpace(name="ab"))
    assert gymnasium_to_space(space_to_gymnasium(named)) == named
    assert gymnasium_to_space(space_to_gymnasium(COMMANDLINE)) == COMMANDLINE
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


def test_long_texts_and_wide_numbers_can_be_sampled() -> None:
    for space in (
        Space(string_value=pb.StringSpace()),
        Space(byte_sequence=pb.ByteSequenceSpace()),
        Space(int64_value=pb.Int64Range(min=0)),
        Space(int64_box=pb.Int64Box(low=tensor(-(2**63), 0), high=tensor(5, 2**63 - 1))),
    ):
        converted = space_to_gymnasium(space)
        assert converted.contains(
            np.asarray(converted.sample()) if converted.shape is not None else converted.sample()
        )


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
