"""Converts members of a gymnasium space to events of the message's space, and back.

Unlike plain values these need the space: 0 and 1 may be booleans, a text may be a byte string, and a
number may be a float or a double.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.errors import InvalidInput
from optarena.service.converters.events import array_to_tensor, event_to_python, tensor_to_array
from optarena.service.converters.kinds import DTYPES, RANGES, member_dtype
from optarena.service.converters.spaces import is_text
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.events import check_event, index_range

if TYPE_CHECKING:
    from collections.abc import Callable


def member_to_event(member: Any, space: pb.Space) -> pb.Event:  # noqa: ANN401 # of any space
    """The event for a member of a space's gymnasium space.

    Args:
        member: An element of ``space_to_gymnasium(space)``, or an equal value of Python or numpy.
        space: The service's space.

    Raises:
        InvalidInput: The value is not a member; the message names it and what is allowed.
    """
    try:
        event = _event(member, space)
        check_event(event, space)
    except (TypeError, ValueError, OverflowError, LookupError, AttributeError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{member!r:.200} is not in the space: {error}.", value=member) from error
    return event


def event_to_member(event: pb.Event, space: pb.Space) -> Any:  # noqa: ANN401 # of any space
    """The member of a space's gymnasium space for an event; the inverse of :func:`member_to_event`.

    For a union, the first space that has the value counts.

    Raises:
        InvalidInput: The event is not in the space.
    """
    try:
        check_event(event, space)
    except ValueError as error:
        raise InvalidInput(f"The event is not in the space: {error}.") from error
    return _member(event, space)


def _event(member: Any, space: pb.Space) -> pb.Event:  # noqa: ANN401 # of any space
    kind = space.WhichOneof("value") or ""
    if index_range(space) is not None:
        return pb.Event(int64_value=_exactly(member, np.int64).item())
    if kind in _TO_EVENT:
        return _TO_EVENT[kind](member, space)
    element, _, form = kind.partition("_")
    if form == "value" and element in RANGES:
        return pb.Event(**{kind: _exactly(member, DTYPES[element]).item()})
    if kind == "byte_sequence" and isinstance(member, (str, bytes)):
        return _bytes(member)
    if form in ("box", "sequence"):
        return array_to_tensor(element, _exactly(member, DTYPES[element]))
    raise InvalidInput(f"The space {space} has no equivalent in gymnasium.", value=kind)


def _member(event: pb.Event, space: pb.Space) -> Any:  # noqa: ANN401 # of any space
    kind = space.WhichOneof("value") or ""
    if index_range(space) is not None:
        return event.int64_value
    if kind in _TO_MEMBER:
        return _TO_MEMBER[kind](event, space)
    element, _, form = kind.partition("_")
    if form == "value" and element in RANGES:
        return np.asarray(getattr(event, kind), dtype=member_dtype(element))
    if is_text(space):
        return event.byte_tensor.value.decode("latin-1")
    if form in ("box", "sequence"):
        tensor = getattr(event, f"{element}_tensor")
        array = tensor_to_array(element, tensor) if form == "box" else _flat(element, tensor)
        return array.astype(member_dtype(element))
    return event_to_python(event)


def _exactly(member: Any, dtype: type[Any]) -> np.ndarray[Any, Any]:  # noqa: ANN401 # of any space
    """The member as an array of a type.

    Raises:
        InvalidInput: The conversion would change a value.
    """
    given = np.asarray(member)
    if given.size == 0:
        return given.astype(dtype)
    if given.dtype.kind not in "biuf":
        raise InvalidInput(f"{member!r:.200} is not a number.", value=member)
    with np.errstate(all="ignore"):
        array = given.astype(dtype)
        same = np.array_equal(array.astype(given.dtype), given, equal_nan=given.dtype.kind == "f")
    if not same and not (given.dtype.kind == "f" and dtype is np.float32):
        raise InvalidInput(f"{member!r:.200} does not fit {np.dtype(dtype)}.", value=member)
    return array


def _flat(element: str, tensor: Any) -> np.ndarray[Any, Any]:  # noqa: ANN401 # one of six messages
    """A sequence's values; some services leave out the shape."""
    if not tensor.shape:
        tensor = type(tensor)(shape=[len(tensor.value)], value=tensor.value)
    return tensor_to_array(element, tensor)


def _bytes(member: Any) -> pb.Event:  # noqa: ANN401 # of any space
    data = member.encode("latin-1") if isinstance(member, str) else bytes(member)
    return pb.Event(byte_tensor=pb.ByteTensor(shape=[len(data)], value=data))


def _string(member: Any) -> str:  # noqa: ANN401 # of any space
    if not isinstance(member, str):
        raise InvalidInput(f"{member!r:.200} is not a text.", value=member)
    return str(member)


def _strings(member: Any, _: pb.Space) -> pb.Event:  # noqa: ANN401 # of any space
    texts = [_string(item) for item in member]
    return pb.Event(string_tensor=pb.StringTensor(shape=[len(texts)], value=texts))


def _list(events: Any) -> pb.Event:  # noqa: ANN401 # an iterable of events
    return pb.Event(event_list=pb.ListEvent(event=events))


def _tuple(member: Any, space: pb.Space) -> pb.Event:  # noqa: ANN401 # of any space
    members = zip(member, space.space_list.space, strict=True)
    return _list(_event(item, inner) for item, inner in members)


def _dict(member: Any, space: pb.Space) -> pb.Event:  # noqa: ANN401 # of any space
    inner = space.space_dict.space
    if set(member) != set(inner):
        raise InvalidInput(f"Expected the keys {sorted(inner)}, got {sorted(member)}.", value=list(member))
    return pb.Event(event_dict=pb.DictEvent(event={key: _event(member[key], inner[key]) for key in inner}))


def _union(member: Any, space: pb.Space) -> pb.Event:  # noqa: ANN401 # of any space
    index, value = member
    if not 0 <= index < len(space.space_union.space):
        raise InvalidInput(f"The union has {len(space.space_union.space)} spaces, not {index}.", value=index)
    event = _event(value, space.space_union.space[index])
    check_event(event, space.space_union.space[index])
    return event


def _union_member(event: pb.Event, space: pb.Space) -> tuple[int, Any]:
    for index, inner in enumerate(space.space_union.space):
        try:
            check_event(event, inner)
        except ValueError:
            continue
        return index, _member(event, inner)
    raise InvalidInput("The event is in none of the union's spaces.")


_TO_EVENT: Final[dict[str, Callable[[Any, pb.Space], pb.Event]]] = {
    "string_value": lambda member, _: pb.Event(string_value=_string(member)),
    "string_sequence": _strings,
    "bytes_sequence": lambda member, _: _list(map(_bytes, member)),
    "space_list": _tuple,
    "space_dict": _dict,
    "space_union": _union,
    "space_sequence": lambda member, space: _list(
        _event(item, space.space_sequence.space) for item in member
    ),
}
_TO_MEMBER: Final[dict[str, Callable[[pb.Event, pb.Space], Any]]] = {
    "string_value": lambda event, _: event.string_value,
    "string_sequence": lambda event, _: tuple(event.string_tensor.value),
    "bytes_sequence": lambda event, _: tuple(
        item.byte_tensor.value.decode("latin-1") for item in event.event_list.event
    ),
    "space_list": lambda event, space: tuple(map(_member, event.event_list.event, space.space_list.space)),
    "space_dict": lambda event, space: {
        key: _member(event.event_dict.event[key], inner)
        for key, inner in sorted(space.space_dict.space.items())
    },
    "space_union": _union_member,
    "space_sequence": lambda event, space: tuple(
        _member(item, space.space_sequence.space) for item in event.event_list.event
    ),
}
