"""Converts events to plain Python or numpy values and back, by the values' own types, without a space."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from optarena.errors import InvalidInput
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import JSON

if TYPE_CHECKING:
    from google.protobuf.any_pb2 import Any as AnyMessage

# the numpy type of each element type in a tensor
DTYPES: Final[dict[str, type[Any]]] = {
    "boolean": np.bool_,
    "byte": np.uint8,
    "int64": np.int64,
    "float": np.float32,
    "double": np.float64,
    "string": np.object_,
}

# the smallest and the largest value of each number type
RANGES: Final[dict[str, tuple[Any, Any]]] = {
    "boolean": (False, True),
    "byte": (0, 255),
    "int64": (np.iinfo(np.int64).min, np.iinfo(np.int64).max),
    "float": (-np.inf, np.inf),
    "double": (-np.inf, np.inf),
}


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
    values = array.astype(np.uint8).tobytes() if element == "byte" else array.reshape(-1).tolist()
    tensor = getattr(pb, f"{element.capitalize()}Tensor")(shape=list(array.shape), value=values)
    return pb.Event(**{f"{element}_tensor": tensor})


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
    if not isinstance(message, pb.Opaque) or not message.format.startswith(JSON):
        return message
    try:
        return json.loads(message.data)
    except (ValueError, RecursionError) as error:
        why = f"{error}"[:100]
        raise InvalidInput(f"A packed document of format {message.format} is not JSON: {why}.") from error


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
