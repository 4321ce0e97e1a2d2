"""Events and Python values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import given
from hypothesis import strategies as st

from optarena.errors import InvalidInput
from optarena.service.converters import event_to_python, python_to_event
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.message_strategies import events, same, values


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


@given(values)
def test_any_value_survives_the_way_there_and_back_and_the_wire(value: Any) -> None:
    event = python_to_event(value)
    assert same(event_to_python(pb.Event.FromString(event.SerializeToString())), value)


@pytest.mark.parametrize("kind", events)
@given(data=st.data())
def test_an_event_of_any_kind_survives_the_way_there_and_back(kind: str, data: st.DataObject) -> None:
    event = data.draw(events[kind])
    value = event_to_python(event)
    back = python_to_event(value)
    assert same(event_to_python(back), value)
    assert back.WhichOneof("value") == {"float_value": "double_value"}.get(kind, kind)


def test_every_kind_of_event_is_tried() -> None:
    assert set(events) == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["value"].fields}


def test_a_type_id_changes_no_value() -> None:
    assert event_to_python(pb.Event(type_id="seconds", double_value=1.5)) == 1.5


@pytest.mark.parametrize("data", [bytearray(b"ab"), memoryview(b"ab")])
def test_whatever_holds_bytes_is_sent_as_bytes(data: Any) -> None:
    assert python_to_event(data) == python_to_event(b"ab")


@pytest.mark.parametrize("shape", [[2**63], [2**64 - 1], [0, 2**63], [3, 3]])
def test_a_monstrous_shape_is_refused(shape: list[int]) -> None:
    with pytest.raises(InvalidInput, match="but shape"):
        event_to_python(pb.Event(double_tensor=pb.DoubleTensor(shape=shape, value=[1.0])))


def test_a_packed_message_that_cannot_be_read_is_refused() -> None:
    broken = AnyMessage(type_url="type.googleapis.com/compiler_gym.Opaque", value=b"\xff")
    with pytest.raises(InvalidInput, match="not a compiler_gym"):
        event_to_python(pb.Event(any_value=broken))


@pytest.mark.parametrize("value", ["\ud800", np.array(["\ud800"], dtype=object), np.array([2**64 - 1])])
def test_what_the_wire_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match="cannot be sent"):
        python_to_event(value)


def test_a_single_precision_number_keeps_its_value() -> None:
    event = python_to_event(np.float32(0.1))
    assert np.float32(event_to_python(event)) == np.float32(0.1)
    assert event_to_python(event) != 0.1
