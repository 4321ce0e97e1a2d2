"""Members of gymnasium spaces and the events that stand for them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import InvalidInput
from optarena.service.converters import event_to_member, member_to_event, space_to_gymnasium
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import check_event
from tests.kit.message_strategies import same, spaces

Space = pb.Space
BIT = Space(boolean_value=pb.BooleanRange())
COUNT = Space(int64_value=pb.Int64Range(min=0))
UNION = Space(space_union=pb.ListSpace(space=[Space(discrete=pb.DiscreteSpace(n=3)), BIT, COUNT]))


@pytest.mark.parametrize("kind", spaces)
@given(data=st.data())
def test_samples_become_events_of_the_space_and_come_back(kind: str, data: st.DataObject) -> None:
    space = data.draw(spaces[kind])
    converted = space_to_gymnasium(space)
    converted.seed(data.draw(st.integers(0, 2**32 - 1)))
    event = member_to_event(converted.sample(), space)
    check_event(event, space)
    member = event_to_member(pb.Event.FromString(event.SerializeToString()), space)
    assert converted.contains(member)
    again = member_to_event(member, space)
    assert same(event_to_member(again, space), member)
    if "space_union" not in str(space):  # two of a union's spaces may have the same value
        assert same_event(again, event)


def same_event(one: pb.Event, other: pb.Event) -> bool:
    """Equal on the wire, whatever the order of a map."""
    return one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)


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
