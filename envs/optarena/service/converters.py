"""Messages and Python values: events as plain Python or numpy, spaces as gymnasium's. Client side only.

The session's process has no numpy and never imports this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message

from optarena.errors import InvalidInput
from optarena.service.events import index_range
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.any_pb2 import Any as AnyMessage

LONGEST: Final = 2**31 - 1
"""Length of a text whose space does not limit it."""
_ASCII: Final = "".join(map(chr, range(128)))
_LATIN1: Final = "".join(map(chr, range(256)))

_TENSORS: Final[dict[str, tuple[str, type[Any]]]] = {
    "boolean": ("boolean_tensor", np.bool_),
    "byte": ("byte_tensor", np.uint8),
    "int64": ("int64_tensor", np.int64),
    "float": ("float_tensor", np.float32),
    "double": ("double_tensor", np.float64),
    "string": ("string_tensor", np.object_),
}
"""The event and the numpy type of each element type."""
_DTYPES: Final = dict(_TENSORS.values())
_RANGES: Final[dict[str, tuple[Any, Any]]] = {
    "boolean": (False, True),
    "byte": (0, 255),
    "int64": (np.iinfo(np.int64).min, np.iinfo(np.int64).max),
    "float": (-np.inf, np.inf),
    "double": (-np.inf, np.inf),
}


def event_to_python(event: pb.Event) -> Any:  # noqa: ANN401 # whatever the event holds
    """The value of an event.

    Returns:
        ``bool``, ``int``, ``float`` or ``str`` for a scalar; a numpy array of the tensor's shape for a
        tensor (``uint8`` for bytes, ``object`` for strings); a list or a dict of values; the message
        packed in an ``any_value``; None for an event without a value.

    Raises:
        InvalidInput: A tensor's shape does not fit its values, or a packed message's type is not known.
    """
    kind = event.WhichOneof("value")
    if kind is None:
        return None
    value = getattr(event, kind)
    if kind == "event_list":
        return [event_to_python(item) for item in value.event]
    if kind == "event_dict":
        return {key: event_to_python(item) for key, item in value.event.items()}
    if kind == "any_value":
        return _unpacked(value)
    return _array(kind, value) if kind in _DTYPES else value


def python_to_event(value: Any) -> pb.Event:  # noqa: ANN401 # whatever can be sent
    """The event that holds a value: the inverse of :func:`event_to_python`.

    Args:
        value: A scalar (numpy's too), text, bytes, a numpy array, a message, or a sequence or mapping of
            such. A Python ``float`` becomes a double.

    Raises:
        InvalidInput: Values of this type cannot be sent, or an integer does not fit 64 bits.
    """
    try:
        return _event(value)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{value!r} cannot be sent: {error}.", value=value) from error


def space_to_gymnasium(space: pb.Space) -> gymnasium.Space[Any]:
    """The gymnasium space of a service's space.

    Indices (named or not, and command lines) are ``Discrete``; numbers are ``Box`` of shape ``()``; texts
    and byte strings of no fixed length are ``Text`` (bytes as Latin-1); a sequence of fixed length is a
    ``Box``, any other a stacked ``Sequence``; lists, dicts and unions are ``Tuple``, ``Dict`` and
    ``OneOf``.

    Raises:
        InvalidInput: The space has no value, or holds a message that is no space.
    """
    kind = space.WhichOneof("value")
    n = index_range(space)
    if n is not None:
        return gymnasium.spaces.Discrete(n)
    if kind in _CONVERTERS:
        return _CONVERTERS[kind](space)
    element, _, form = (kind or "").partition("_")
    if form == "value" and element in _RANGES:
        return _scalar_box(element, getattr(space, str(kind)))
    if form == "box":
        return _box(element, getattr(space, str(kind)))
    if form == "sequence":
        return _sequence(element, getattr(space, str(kind)))
    raise InvalidInput(f"The space {space} has no form in gymnasium.", value=kind)


def _array(kind: str, tensor: Any) -> np.ndarray[Any, Any]:  # noqa: ANN401 # one of six messages
    raw = tensor.value
    flat = (
        np.frombuffer(raw, np.uint8).copy() if isinstance(raw, bytes) else np.array(list(raw), _DTYPES[kind])
    )
    try:
        return flat.reshape([int(size) for size in tensor.shape])
    except ValueError as error:
        raise InvalidInput(f"The {kind} has {flat.size} values, but shape {list(tensor.shape)}.") from error


def _unpacked(packed: AnyMessage) -> Message:
    try:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(packed.TypeName())
    except KeyError as error:
        raise InvalidInput(f"The type {packed.type_url!r} of a packed message is not known.") from error
    message: Message = message_factory.GetMessageClass(descriptor)()
    packed.Unpack(message)
    return message


def _event(value: Any) -> pb.Event:  # noqa: ANN401, PLR0911 # one line a type
    if isinstance(value, (bool, np.bool_)):
        return pb.Event(boolean_value=bool(value))
    if isinstance(value, (int, np.integer)):
        return pb.Event(int64_value=int(value))
    if isinstance(value, np.float32):
        return pb.Event(float_value=float(value))
    if isinstance(value, (float, np.floating)):
        return pb.Event(double_value=float(value))
    if isinstance(value, str):
        return pb.Event(string_value=str(value))
    if isinstance(value, bytes):
        return pb.Event(byte_tensor=pb.ByteTensor(shape=[len(value)], value=value))
    if isinstance(value, np.ndarray):
        return _tensor(value)
    if isinstance(value, Message):
        event = pb.Event()
        event.any_value.Pack(value)
        return event
    return _container(value)


def _container(value: Any) -> pb.Event:  # noqa: ANN401 # checked here
    if isinstance(value, Mapping):
        return pb.Event(event_dict=pb.DictEvent(event={key: _event(item) for key, item in value.items()}))
    if isinstance(value, Sequence):
        return pb.Event(event_list=pb.ListEvent(event=[_event(item) for item in value]))
    raise InvalidInput(f"Values of type {type(value).__name__} cannot be sent.", value=value)


def _tensor(array: np.ndarray[Any, Any]) -> pb.Event:
    shape = list(array.shape)
    kind = array.dtype.kind
    if array.dtype == np.uint8:
        return pb.Event(byte_tensor=pb.ByteTensor(shape=shape, value=array.tobytes()))
    flat = array.reshape(-1).tolist()
    if kind == "b":
        return pb.Event(boolean_tensor=pb.BooleanTensor(shape=shape, value=flat))
    if kind in "iu":
        return pb.Event(int64_tensor=pb.Int64Tensor(shape=shape, value=flat))
    if array.dtype == np.float32:
        return pb.Event(float_tensor=pb.FloatTensor(shape=shape, value=flat))
    if kind == "f":
        return pb.Event(double_tensor=pb.DoubleTensor(shape=shape, value=flat))
    if kind in "OU":
        return pb.Event(string_tensor=pb.StringTensor(shape=shape, value=flat))
    raise InvalidInput(f"Arrays of {array.dtype} cannot be sent.")


def _bounds(element: str, limits: Any) -> tuple[Any, Any]:  # noqa: ANN401 # one of four range messages
    low, high = _RANGES[element]
    return (
        limits.min if limits.HasField("min") else low,
        limits.max if limits.HasField("max") else high,
    )


def _scalar_box(element: str, limits: Any) -> gymnasium.spaces.Box:  # noqa: ANN401 # as _bounds
    low, high = _bounds(element, limits)
    dtype = np.int8 if element == "boolean" else _TENSORS[element][1]  # a Box of bool has no bounds to sample
    return gymnasium.spaces.Box(dtype(low), dtype(high), shape=(), dtype=dtype)


def _box(element: str, box: Any) -> gymnasium.spaces.Box:  # noqa: ANN401 # one of five box messages
    name, dtype = _TENSORS[element]
    low, high = _array(name, box.low), _array(name, box.high)
    if element == "boolean":
        low, high, dtype = low.astype(np.int8), high.astype(np.int8), np.int8
    return gymnasium.spaces.Box(low, high, dtype=dtype)


def _sequence(element: str, sequence: Any) -> gymnasium.Space[Any]:  # noqa: ANN401 # one of six messages
    length = sequence.length_range
    low, high = _bounds(element, sequence.scalar_range)
    dtype = np.int8 if element == "boolean" else _TENSORS[element][1]
    if length.HasField("max") and length.min == length.max:
        return gymnasium.spaces.Box(dtype(low), dtype(high), shape=(length.max,), dtype=dtype)
    item = gymnasium.spaces.Box(dtype(low), dtype(high), shape=(), dtype=dtype)
    return gymnasium.spaces.Sequence(item, stack=True)


def _text(length: pb.Int64Range, charset: str) -> gymnasium.spaces.Text:
    longest = length.max if length.HasField("max") else LONGEST
    return gymnasium.spaces.Text(longest, min_length=length.min, charset=charset)


def _bytes(space: pb.Space) -> gymnasium.Space[Any]:
    length = space.byte_sequence.length_range
    if length.HasField("max") and length.min == length.max:
        return _sequence("byte", space.byte_sequence)
    return _text(length, _LATIN1)


_CONVERTERS: Final[dict[str, Callable[[pb.Space], gymnasium.Space[Any]]]] = {
    "string_value": lambda space: _text(space.string_value.length_range, _ASCII),
    "byte_sequence": _bytes,
    "bytes_sequence": lambda _: gymnasium.spaces.Sequence(_text(pb.Int64Range(), _LATIN1)),
    "string_sequence": lambda _: gymnasium.spaces.Sequence(_text(pb.Int64Range(), _ASCII)),
    "space_list": lambda space: gymnasium.spaces.Tuple(map(space_to_gymnasium, space.space_list.space)),
    "space_dict": lambda space: gymnasium.spaces.Dict(
        {key: space_to_gymnasium(value) for key, value in space.space_dict.space.items()}
    ),
    "space_union": lambda space: gymnasium.spaces.OneOf(map(space_to_gymnasium, space.space_union.space)),
    "space_sequence": lambda space: gymnasium.spaces.Sequence(space_to_gymnasium(space.space_sequence.space)),
}
