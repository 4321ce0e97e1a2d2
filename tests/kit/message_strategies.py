"""Hypothesis strategies: events and spaces of every kind, values and gymnasium spaces."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from optarena.service.converters import Commandline, NamedDiscrete, SizedSequence
from optarena.service.proto import compiler_gym_service_pb2 as pb

INT64 = (-(2**63), 2**63 - 1)
longs = st.integers(*INT64)
doubles = st.floats(allow_nan=True, allow_infinity=True)
floats = st.floats(width=32, allow_nan=True, allow_infinity=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)  # UTF-8 has no surrogates
shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
names = st.lists(texts, min_size=1, max_size=4)
arrays = st.one_of(
    hnp.arrays(np.bool_, shapes),
    hnp.arrays(np.uint8, shapes),
    hnp.arrays(np.int64, shapes),
    hnp.arrays(np.float32, shapes),
    hnp.arrays(np.float64, shapes),
    hnp.arrays(np.object_, shapes, elements=texts),
)
messages = st.builds(pb.Opaque, format=texts, data=st.binary(max_size=5))
scalars = st.one_of(st.booleans(), longs, doubles, texts, arrays, messages)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def same(one: Any, other: Any) -> bool:
    """Whether two values are of the same types and equal; NaN equals itself."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        numbers = one.dtype.kind == "f"
        return (one.shape, one.dtype) == (other.shape, other.dtype) and np.array_equal(
            one, other, equal_nan=numbers
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


@st.composite
def tensors(draw: st.DrawFn, kind: type[Any], elements: st.SearchStrategy[Any]) -> Any:
    """A tensor message with a shape that fits."""
    shape = draw(shapes)
    size = math.prod(shape)
    if kind is pb.ByteTensor:
        return kind(shape=shape, value=draw(st.binary(min_size=size, max_size=size)))
    return kind(shape=shape, value=draw(st.lists(elements, min_size=size, max_size=size)))


@st.composite
def packed(draw: st.DrawFn) -> pb.Event:
    event = pb.Event()
    event.any_value.Pack(draw(messages))
    return event


def _event(kind: str, strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[pb.Event]:
    return st.builds(lambda value: pb.Event(**{kind: value}), strategy)


_plain_events = {
    "boolean_value": _event("boolean_value", st.booleans()),
    "int64_value": _event("int64_value", longs),
    "float_value": _event("float_value", floats),
    "double_value": _event("double_value", doubles),
    "string_value": _event("string_value", texts),
    "boolean_tensor": _event("boolean_tensor", tensors(pb.BooleanTensor, st.booleans())),
    "byte_tensor": _event("byte_tensor", tensors(pb.ByteTensor, st.nothing())),
    "int64_tensor": _event("int64_tensor", tensors(pb.Int64Tensor, longs)),
    "float_tensor": _event("float_tensor", tensors(pb.FloatTensor, floats)),
    "double_tensor": _event("double_tensor", tensors(pb.DoubleTensor, doubles)),
    "string_tensor": _event("string_tensor", tensors(pb.StringTensor, texts)),
    "any_value": packed(),
}


def _containers_of_events(inner: st.SearchStrategy[pb.Event]) -> dict[str, st.SearchStrategy[pb.Event]]:
    lists = st.builds(pb.ListEvent, event=st.lists(inner, max_size=3))
    dicts = st.builds(pb.DictEvent, event=st.dictionaries(texts, inner, max_size=3))
    return {"event_list": _event("event_list", lists), "event_dict": _event("event_dict", dicts)}


_shallow_events = st.one_of(
    *_plain_events.values(), *_containers_of_events(st.one_of(*_plain_events.values())).values()
)
events = {**_plain_events, **_containers_of_events(_shallow_events)}
"""Events by kind; those that hold others hold two levels of them."""


@st.composite
def ranges(draw: st.DrawFn, kind: type[Any], bounds: st.SearchStrategy[Any]) -> Any:
    """A range with none, one or both of its bounds."""
    low, high = sorted([draw(bounds), draw(bounds)])
    given = {"min": low} if draw(st.booleans()) else {}
    return kind(**given, **({"max": high} if draw(st.booleans()) else {}))


lengths = ranges(pb.Int64Range, st.integers(0, 6))
long_ranges = ranges(pb.Int64Range, longs)
byte_ranges = ranges(pb.Int64Range, st.integers(0, 255))
boolean_ranges = ranges(pb.BooleanRange, st.booleans())
# Beyond these gymnasium's own samples overflow.
single_floats = st.floats(-(2.0**100), 2.0**100, width=32).map(lambda number: number + 0.0)  # 0 for -0
double_floats = st.floats(-1e300, 1e300).map(lambda number: number + 0.0)
float_ranges = ranges(pb.FloatRange, single_floats)
double_ranges = ranges(pb.DoubleRange, double_floats)


@st.composite
def boxes(draw: st.DrawFn, name: str, elements: st.SearchStrategy[Any]) -> pb.Space:
    shape = draw(shapes)
    size = math.prod(shape)
    pairs = draw(st.lists(st.tuples(elements, elements).map(sorted), min_size=size, max_size=size))
    tensor, box = getattr(pb, f"{name}Tensor"), getattr(pb, f"{name}Box")
    low: Any
    high: Any
    low, high = ([pair[index] for pair in pairs] for index in (0, 1))
    if name == "Byte":
        low, high = bytes(low), bytes(high)
    bounds = {"low": tensor(shape=shape, value=low), "high": tensor(shape=shape, value=high)}
    return pb.Space(**{f"{name.lower()}_box": box(**bounds)})


@st.composite
def commandlines(draw: st.DrawFn) -> pb.Space:
    space = pb.Space()
    space.any_value.Pack(pb.CommandlineSpace(name=draw(names)))
    return space


def _space(kind: str, strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[pb.Space]:
    return st.builds(lambda value: pb.Space(**{kind: value}), strategy)


def _sequence(kind: str, message: type[Any], limits: st.SearchStrategy[Any]) -> st.SearchStrategy[pb.Space]:
    return _space(kind, st.builds(message, length_range=lengths, scalar_range=limits))


_plain_spaces = {
    "discrete": _space("discrete", st.builds(pb.DiscreteSpace, n=st.integers(1, 9))),
    "named_discrete": _space("named_discrete", st.builds(pb.NamedDiscreteSpace, name=names)),
    "any_value": commandlines(),
    "boolean_value": _space("boolean_value", boolean_ranges),
    "int64_value": _space("int64_value", long_ranges),
    "float_value": _space("float_value", float_ranges),
    "double_value": _space("double_value", double_ranges),
    "string_value": _space("string_value", st.builds(pb.StringSpace, length_range=lengths)),
    "boolean_sequence": _sequence("boolean_sequence", pb.BooleanSequenceSpace, boolean_ranges),
    "byte_sequence": _sequence("byte_sequence", pb.ByteSequenceSpace, byte_ranges),
    "int64_sequence": _sequence("int64_sequence", pb.Int64SequenceSpace, long_ranges),
    "float_sequence": _sequence("float_sequence", pb.FloatSequenceSpace, float_ranges),
    "double_sequence": _sequence("double_sequence", pb.DoubleSequenceSpace, double_ranges),
    "bytes_sequence": _space("bytes_sequence", st.builds(pb.BytesSequenceSpace, length_range=lengths)),
    "string_sequence": _space("string_sequence", st.builds(pb.StringSequenceSpace, length_range=lengths)),
    "boolean_box": boxes("Boolean", st.booleans()),
    "byte_box": boxes("Byte", st.integers(0, 255)),
    "int64_box": boxes("Int64", longs),
    "float_box": boxes("Float", single_floats),
    "double_box": boxes("Double", double_floats),
}


def _containers_of_spaces(inner: st.SearchStrategy[pb.Space]) -> dict[str, st.SearchStrategy[pb.Space]]:
    lists = st.builds(pb.ListSpace, space=st.lists(inner, max_size=3))
    unions = st.builds(pb.ListSpace, space=st.lists(inner, min_size=1, max_size=3))
    dicts = st.builds(pb.DictSpace, space=st.dictionaries(texts, inner, max_size=3))
    sequences = st.builds(pb.SpaceSequenceSpace, length_range=lengths, space=inner)
    return {
        "space_list": _space("space_list", lists),
        "space_union": _space("space_union", unions),
        "space_dict": _space("space_dict", dicts),
        "space_sequence": _space("space_sequence", sequences),
    }


_shallow_spaces = st.one_of(
    *_plain_spaces.values(), *_containers_of_spaces(st.one_of(*_plain_spaces.values())).values()
)
spaces = {**_plain_spaces, **_containers_of_spaces(_shallow_spaces)}
"""Spaces by kind; those that hold others hold two levels of them."""


@st.composite
def number_boxes(draw: st.DrawFn) -> gymnasium.spaces.Box:
    dtype: Any = draw(st.sampled_from([np.uint8, np.int64, np.float32, np.float64]))
    low, high = sorted(draw(st.lists(st.integers(0, 255), min_size=2, max_size=2)))
    return gymnasium.spaces.Box(low, high, draw(shapes), dtype)


_plain_gymnasium_spaces = st.one_of(
    st.integers(1, 9).map(gymnasium.spaces.Discrete),
    names.map(NamedDiscrete),
    names.map(Commandline),
    number_boxes(),
    st.integers(0, 5).map(
        lambda n: gymnasium.spaces.Text(n + 3, min_length=n, charset="".join(map(chr, range(128))))
    ),
)
gymnasium_spaces = st.recursive(
    _plain_gymnasium_spaces,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(gymnasium.spaces.Tuple),
        st.dictionaries(texts, inner, max_size=3).map(gymnasium.spaces.Dict),
        st.lists(inner, min_size=1, max_size=3).map(gymnasium.spaces.OneOf),
        st.builds(
            lambda space, n: SizedSequence(space, min_length=n, max_length=n + 2), inner, st.integers(0, 3)
        ),
    ),
    max_leaves=5,
)
"""Gymnasium spaces that messages describe exactly."""
