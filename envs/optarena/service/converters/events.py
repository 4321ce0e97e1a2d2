"""Converts events to plain Python or numpy values and back, by the values' own types, without a space."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from optarena.errors import InvalidInput
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import JSON, check_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.any_pb2 import Any as AnyMessage

DTYPES: Final[dict[str, type[Any]]] = {
    "boolean": np.bool_,
    "byte": np.uint8,
    "int64": np.int64,
    "float": np.float32,
    "double": np.float64,
    "string": np.object_,
}
"""The numpy type of each element type in a tensor."""

RANGES: Final[dict[str, tuple[Any, Any]]] = {
    "boolean": (False, True),
    "byte": (0, 255),
    "int64": (np.iinfo(np.int64).min, np.iinfo(np.int64).max),
    "float": (-np.inf, np.inf),
    "double": (-np.inf, np.inf),
}
"""The smallest and the largest value of each number type."""


def member_dtype(element: str) -> type[Any]:
    """The numpy type in a gymnasium space: as in a tensor, but a Box of ``bool`` cannot be made."""
    return np.int8 if element == "boolean" else DTYPES[element]


def event_to_python(event: pb.Event) -> Any:  # noqa: ANN401 # whatever the event holds
    """The value of an event.

    Returns:
        ``bool``, ``int``, ``float`` or ``str`` for a scalar; a numpy array of the tensor's shape for a
        tensor (``uint8`` for bytes, ``object`` for strings); a list or a dict of values; the JSON document
        or else the message that is packed in an ``any_value``; None for an event without a value.

    Raises:
        InvalidInput: A tensor's shape does not fit its values, or a packed message cannot be read.
    """
    kind = event.WhichOneof("value")
    if kind is None:
        return None
    value = getattr(event, kind)
    if kind == "event_list":
        return [event_to_python(item) for item in value.event]
    if kind == "event_dict":
        return {key: event_to_python(item) for key, item in sorted(value.event.items())}
    if kind == "any_value":
        return _unpacked(value)
    element, _, form = kind.partition("_")
    return tensor_to_array(element, value) if form == "tensor" else value


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


def tensor_to_array(element: str, tensor: Any) -> np.ndarray[Any, Any]:  # noqa: ANN401 # one of six messages
    """The array of a tensor, which may be written to.

    Raises:
        InvalidInput: The tensor's shape does not fit its values.
    """
    raw = tensor.value
    flat = (
        np.frombuffer(raw, np.uint8).copy()
        if isinstance(raw, bytes)
        else np.array(list(raw), DTYPES[element])
    )
    try:
        return flat.reshape([int(size) for size in tensor.shape])
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"The {element} tensor has {flat.size} values, but shape {list(tensor.shape)}.", field="shape"
        ) from error


def array_to_tensor(element: str, array: np.ndarray[Any, Any]) -> pb.Event:
    """The tensor of an array, whose elements are converted."""
    shape = list(array.shape)
    if element == "byte":
        return pb.Event(byte_tensor=pb.ByteTensor(shape=shape, value=array.astype(np.uint8).tobytes()))
    flat = array.reshape(-1).tolist()
    if element == "boolean":
        return pb.Event(boolean_tensor=pb.BooleanTensor(shape=shape, value=flat))
    if element == "int64":
        return pb.Event(int64_tensor=pb.Int64Tensor(shape=shape, value=flat))
    if element == "float":
        return pb.Event(float_tensor=pb.FloatTensor(shape=shape, value=flat))
    if element == "double":
        return pb.Event(double_tensor=pb.DoubleTensor(shape=shape, value=flat))
    return pb.Event(string_tensor=pb.StringTensor(shape=shape, value=flat))


def element_of(dtype: np.dtype[Any]) -> str:
    """The element type that holds numbers or texts of a numpy type exactly.

    Raises:
        InvalidInput: No element type fits.
    """
    if dtype == np.uint8:
        return "byte"
    if dtype in (np.float16, np.float32):
        return "float"
    elements = {"b": "boolean", "i": "int64", "u": "int64", "O": "string", "U": "string"}
    if dtype.kind == "f" and dtype.itemsize <= np.dtype(np.float64).itemsize:
        return "double"
    if dtype.kind in elements:
        return elements[dtype.kind]
    raise InvalidInput(f"Arrays of {dtype} cannot be sent.", value=str(dtype))


def _unpacked(packed: AnyMessage) -> Any:  # noqa: ANN401 # a message, or any JSON data
    try:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(packed.TypeName())
    except KeyError as error:
        raise InvalidInput(f"The type {packed.type_url!r} of a packed message is unknown.") from error
    message: Message = message_factory.GetMessageClass(descriptor)()
    try:
        packed.Unpack(message)
    except DecodeError as error:
        raise InvalidInput(f"A packed message is not a {packed.TypeName()}.") from error
    if isinstance(message, pb.Opaque) and message.format.startswith(JSON):
        return _document(message)
    return message


def _document(opaque: pb.Opaque) -> Any:  # noqa: ANN401 # any JSON data
    try:
        return json.loads(opaque.data)
    except (ValueError, RecursionError) as error:
        why = f"{error}"[:100]
        raise InvalidInput(f"A packed document of format {opaque.format} is not JSON: {why}.") from error


def _event(value: Any) -> pb.Event:  # noqa: ANN401, PLR0911 # one line per type
    if isinstance(value, (bool, np.bool_)):
        return pb.Event(boolean_value=bool(value))
    if isinstance(value, (int, np.integer)):
        return pb.Event(int64_value=int(value))
    if isinstance(value, (np.float32, np.float16)):
        return pb.Event(float_value=float(value))
    if isinstance(value, (float, np.floating)):
        return pb.Event(double_value=float(value))
    if isinstance(value, str):
        return pb.Event(string_value=str(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return pb.Event(byte_tensor=pb.ByteTensor(shape=[len(bytes(value))], value=bytes(value)))
    if isinstance(value, np.ndarray):
        return array_to_tensor(element_of(value.dtype), value)
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


_NUMBER: Final = struct.Struct("<q")
_TENSORS: Final = frozenset({"box", "sequence"})
_STRUCTURED: Final = frozenset({"any_value", "event_dict"})


def decoder_of(space: pb.Space) -> Callable[[pb.Event], Any]:
    """A function that decodes and checks the observations of a space.

    It returns the same as :func:`~optarena.service.converters.event_to_python`, except ``bytes`` for a byte
    sequence; the tensor of a sequence may leave its shape out. It raises a ValueError for an event of another
    kind or shape, a value out of range, and NaN. Values that :func:`is_of_its_own_form` are decoded as they
    are.
    """
    element, _, form = (space.WhichOneof("value") or "").partition("_")
    if form not in _TENSORS or element not in DTYPES:
        return partial(_plain, space)
    message = getattr(space, f"{element}_{form}")
    if form == "box":
        return _box(message, element).decode
    return _Sequence(element, message).decode


def is_of_its_own_form(event: pb.Event, space: pb.Space) -> bool:
    """Whether a value has not the form of its space, but one that CompilerGym's services send all the same.

    They declare a text and send a packed document or a dict, and declare a sequence of numbers and send
    nothing if there are none.
    """
    declared, given = space.WhichOneof("value") or "", event.WhichOneof("value")
    if declared == "string_value":
        return given in _STRUCTURED
    return given is None and declared.endswith("_sequence")


def decoder_of_numbers(space: pb.Space) -> Callable[[bytes], Any]:
    """A function that decodes and checks observations that come as integers of 64 bits.

    It raises a ValueError if there are more or fewer than the space has, if one is out of range, or if the
    space has no such values.
    """
    kind = space.WhichOneof("value")
    if kind == "int64_box":
        return _box(space.int64_box, "int64").decode_numbers
    if kind == "int64_value":
        return _Number(space.int64_value).decode

    def refuse(numbers: bytes) -> Any:  # noqa: ANN401 # never returns
        raise ValueError(f"{len(numbers)} bytes of numbers are not {kind or 'a value'}")

    return refuse


class _Number:
    """Whole numbers in a range."""

    def __init__(self, bounds: pb.Int64Range) -> None:
        low, high = RANGES["int64"]
        self._low = bounds.min if bounds.HasField("min") else low
        self._high = bounds.max if bounds.HasField("max") else high

    def decode(self, numbers: bytes) -> int:
        """The number."""
        (value,) = _NUMBER.unpack(numbers) if len(numbers) == _NUMBER.size else (None,)
        if value is None:
            raise ValueError(f"{len(numbers)} bytes are not one number")
        if not self._low <= value <= self._high:
            raise ValueError(f"{value} is out of range")
        return int(value)


class _Box:
    """Tensors of one shape.

    Bounds that are the same for all elements are kept as one number, for fast comparison; bounds that every
    value satisfies are left out.
    """

    def __init__(self, element: str, shape: list[int], low: Any, high: Any) -> None:  # noqa: ANN401 # of any space
        self._element = element
        self._kind = f"{element}_tensor"
        self._shape = shape
        self._size = math.prod(shape)
        self._low = low
        self._high = high

    def decode(self, event: pb.Event) -> np.ndarray[Any, Any]:
        """The array."""
        tensor = _tensor(event, self._kind)
        shape = list(tensor.shape)
        if shape != self._shape or len(tensor.value) != self._size:
            raise ValueError(f"expected shape {self._shape}, got {shape} with {len(tensor.value)} values")
        array = tensor_to_array(self._element, tensor)
        _check_bounds(array, self._low, self._high)
        return array

    def decode_numbers(self, numbers: bytes) -> np.ndarray[Any, Any]:
        """The array, which may be written to."""
        if len(numbers) != self._size * _NUMBER.size:
            raise ValueError(f"expected {self._size} numbers, got {len(numbers)} bytes")
        array = np.frombuffer(bytearray(numbers), np.dtype("<i8")).reshape(self._shape)
        _check_bounds(array, self._low, self._high)
        return array


def _box(message: Any, element: str) -> _Box:  # noqa: ANN401 # one of five messages
    shape = [int(size) for size in message.low.shape]
    low = _bound(element, tensor_to_array(element, message.low))
    high = _bound(element, tensor_to_array(element, message.high))
    return _Box(element, shape, low, high)


class _Sequence:
    """Tensors of one dimension."""

    def __init__(self, element: str, message: Any) -> None:  # noqa: ANN401 # one of five messages
        self._element = element
        self._kind = f"{element}_tensor"
        limits = message.length_range
        self._shortest = limits.min if limits.HasField("min") else 0
        self._longest = limits.max if limits.HasField("max") else math.inf
        self._low = self._high = None
        if element in RANGES:
            low, high = RANGES[element]
            given = message.scalar_range
            self._low = _bound(element, np.asarray(given.min if given.HasField("min") else low))
            self._high = _bound(element, np.asarray(given.max if given.HasField("max") else high))

    def decode(self, event: pb.Event) -> np.ndarray[Any, Any] | bytes | None:
        """The array, or the bytes; None for an event without a value."""
        if event.WhichOneof("value") is None:
            return None
        tensor = _tensor(event, self._kind)
        length = len(tensor.value)
        shape = list(tensor.shape)
        if shape not in ([], [length]):
            raise ValueError(f"expected shape [{length}], got {shape} with {length} values")
        if not self._shortest <= length <= self._longest:
            raise ValueError(f"length {length} is out of range")
        if self._element == "byte":
            array = np.frombuffer(tensor.value, np.uint8)
        else:
            array = np.array(list(tensor.value), DTYPES[self._element])
        _check_bounds(array, self._low, self._high)
        return bytes(tensor.value) if self._element == "byte" else array


def _tensor(event: pb.Event, kind: str) -> Any:  # noqa: ANN401 # one of six messages
    given = event.WhichOneof("value")
    if given != kind:
        raise ValueError(f"expected {kind}, got {given or 'no value'}")
    return getattr(event, kind)


def _plain(space: pb.Space, event: pb.Event) -> Any:  # noqa: ANN401 # of any other space
    if is_of_its_own_form(event, space):
        return event_to_python(event)
    check_event(event, space)
    value = event_to_python(event)
    if isinstance(value, float) and math.isnan(value):
        raise ValueError("NaN is in no space")
    return value


def _bound(element: str, bounds: np.ndarray[Any, Any]) -> Any:  # noqa: ANN401 # of any space
    """Bounds in the form for comparison; None if every value satisfies them."""
    if bounds.size == 0 or element not in RANGES:
        return None
    if np.all(bounds == bounds.flat[0]):
        limit = bounds.flat[0].item()
        return None if element in {"boolean", "byte", "int64"} and limit in RANGES[element] else limit
    return bounds


def _check_bounds(array: np.ndarray[Any, Any], low: Any, high: Any) -> None:  # noqa: ANN401 # see _bound
    """Check an array; NaN is outside any range, since floats always have bounds, even if infinite."""
    if array.size == 0:
        return
    low_fails = low is not None and not (
        array.min() >= low if isinstance(low, (int, float)) else np.all(array >= low)
    )
    high_fails = high is not None and not (
        array.max() <= high if isinstance(high, (int, float)) else np.all(array <= high)
    )
    if low_fails or high_fails:
        raise ValueError(f"{array.ravel()[:8].tolist()} (the first of {array.size}) is out of range")
