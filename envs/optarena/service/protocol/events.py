"""Checks that values are in their spaces, on messages, without numpy, inside the session's process.

The message of every error names the value and the range, or both types.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from optarena.service.proto.compiler_gym_service_pb2 import CommandlineSpace, Event, Opaque, Space

if TYPE_CHECKING:
    from collections.abc import Callable

    _Check = Callable[[Event, Space, str], None]

JSON: Final = "json://"
"""How the format of an ``Opaque`` message begins whose data is a JSON document."""

_NUMBER_BYTES: Final = 8
_EVENT_KINDS: Final = {
    "discrete": "int64_value",
    "named_discrete": "int64_value",
    "boolean_value": "boolean_value",
    "int64_value": "int64_value",
    "float_value": "float_value",
    "double_value": "double_value",
    "string_value": "string_value",
    "boolean_sequence": "boolean_tensor",
    "byte_sequence": "byte_tensor",
    "bytes_sequence": "event_list",
    "int64_sequence": "int64_tensor",
    "float_sequence": "float_tensor",
    "double_sequence": "double_tensor",
    "string_sequence": "string_tensor",
    "boolean_box": "boolean_tensor",
    "byte_box": "byte_tensor",
    "int64_box": "int64_tensor",
    "float_box": "float_tensor",
    "double_box": "double_tensor",
    "space_list": "event_list",
    "space_dict": "event_dict",
    "space_sequence": "event_list",
}
"""The kind of event that each kind of space requires."""


class _Range(Protocol):
    """The fields that Int64Range and the other ranges share."""

    min: Any
    max: Any

    def HasField(self, name: Any, /) -> bool:  # noqa: ANN401, N802 # protobuf's own signature
        """Whether the bound is given."""


def check_event(event: Event, space: Space, what: str = "value") -> None:
    """Check that a value is in a space.

    Raises:
        ValueError: The value has another type, or is out of range.
    """
    kind = space.WhichOneof("value")
    if kind is None:
        return
    if kind == "any_value":
        _check_any(event, space, what)
    elif kind == "space_union":
        _check_some(check_event, event, space, what)
    else:
        _check_type(event, _EVENT_KINDS[kind], what)
        _CHECKS.get(kind, _check_sequence)(event, space, what)


def check_kind(event: Event, space: Space, what: str = "value") -> None:
    """Check that a value has the kind and shape that a space requires; ranges are not checked.

    This takes no longer for large tensors than for small ones. A space without a value accepts anything.

    Raises:
        ValueError: The value has another kind or shape.
    """
    kind = space.WhichOneof("value")
    if kind is None:
        return
    wanted = _EVENT_KINDS.get(kind)
    if wanted is None:
        if kind == "space_union":
            _check_some(check_kind, event, space, what)
        elif index_range(space) is not None:
            _check_type(event, "int64_value", what)
        else:
            _check_document(event, space, what)
        return
    _check_type(event, wanted, what)
    check = _SHAPES.get(kind)
    if check is not None:
        check(event, space, what, check_kind)
    elif kind.endswith("_sequence") and wanted != "event_list":
        _check_length(getattr(event, wanted), what)


def index_range(space: Space) -> int | None:
    """The number of values of a discrete, named or command-line space; None for other spaces."""
    kind = space.WhichOneof("value")
    if kind == "discrete":
        return space.discrete.n
    if kind == "named_discrete":
        return len(space.named_discrete.name)
    if kind == "any_value" and space.any_value.TypeName() == CommandlineSpace.DESCRIPTOR.full_name:
        return _flags(space.any_value.value)
    return None


@lru_cache(maxsize=16)
def _flags(packed: bytes) -> int:
    """The number of values of a packed command-line space, which is asked for at every action."""
    return len(CommandlineSpace.FromString(packed).name)


def document_format(message: Space | Event) -> str | None:
    """The format of a space's or a value's packed JSON document; None if it is none."""
    if message.WhichOneof("value") != "any_value":
        return None
    packed = message.any_value
    if packed.TypeName() != Opaque.DESCRIPTOR.full_name:
        return None
    named = Opaque.FromString(packed.value).format
    return named if named.startswith(JSON) else None


def bytes_of_numbers(space: Space) -> int | None:
    """The length of a space's values as integers of 64 bits; None if they are something else."""
    kind = space.WhichOneof("value")
    if kind == "int64_value":
        return _NUMBER_BYTES
    return _NUMBER_BYTES * len(space.int64_box.low.value) if kind == "int64_box" else None


def _check_type(event: Event, wanted: str, what: str) -> None:
    given = event.WhichOneof("value")
    if given != wanted:
        raise ValueError(f"{what}: expected {wanted}, got {given or 'no value'}")


def _check_index(event: Event, space: Space, what: str) -> None:
    _check_type(event, "int64_value", what)
    n = index_range(space)
    if n is not None and not 0 <= event.int64_value < n:
        raise ValueError(f"{what}: {event.int64_value} is out of range, expected 0 to {n - 1}")


def _check_any(event: Event, space: Space, what: str) -> None:
    if index_range(space) is not None:
        _check_index(event, space, what)
    else:
        _check_document(event, space, what)


def _check_document(event: Event, space: Space, what: str) -> None:
    """Check that the value of a space of JSON documents is one, of its format."""
    wanted = document_format(space)
    if wanted is not None and document_format(event) != wanted:
        raise ValueError(f"{what}: expected a packed document of format {wanted}")


def _check_some(check: _Check, event: Event, space: Space, what: str) -> None:
    """Check that a value is in one of the spaces of a union."""
    problems = []
    for member in space.space_union.space:
        try:
            check(event, member, what)
        except ValueError as error:
            problems.append(str(error))
        else:
            return
    raise ValueError("; or ".join(problems) or f"{what}: the space has no values")


def _check_range(value: float, bounds: _Range, what: str) -> None:
    """Check a scalar, or a length, against an optional minimum and maximum."""
    low = bounds.min if bounds.HasField("min") else None
    high = bounds.max if bounds.HasField("max") else None
    inside = (low is None or value >= low) and (high is None or value <= high)
    if not inside:  # written so that NaN is outside any range
        shown = " and ".join(
            [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        )
        raise ValueError(f"{what}: {value} is out of range, expected {shown}")


def _check_scalar(event: Event, space: Space, what: str) -> None:
    kind = str(space.WhichOneof("value"))
    _check_range(getattr(event, kind), getattr(space, kind), what)


def _check_string(event: Event, space: Space, what: str) -> None:
    _check_range(len(event.string_value), space.string_value.length_range, f"length of {what}")


def _check_sequence(event: Event, space: Space, what: str) -> None:
    kind = str(space.WhichOneof("value"))
    sequence, tensor = getattr(space, kind), getattr(event, _EVENT_KINDS[kind])
    _check_length(tensor, what)
    _check_range(len(tensor.value), sequence.length_range, f"length of {what}")
    if not hasattr(sequence, "scalar_range") or not sequence.scalar_range.ListFields():
        return
    for index, value in enumerate(tensor.value):
        _check_range(value, sequence.scalar_range, f"{what}[{index}]")


def _check_bytes_sequence(event: Event, space: Space, what: str) -> None:
    items = event.event_list.event
    _check_range(len(items), space.bytes_sequence.length_range, f"length of {what}")
    for index, item in enumerate(items):
        _check_type(item, "byte_tensor", f"{what}[{index}]")


def _check_length(tensor: Any, what: str) -> None:  # noqa: ANN401 # one of six kinds of tensor
    """Check a sequence's shape, which some services and clients leave out."""
    shape, length = list(tensor.shape), len(tensor.value)
    if shape not in ([], [length]):
        raise ValueError(f"{what}: expected shape [{length}], got {shape} with {length} values")


def _check_box_shape(event: Event, space: Space, what: str, check: _Check | None = None) -> None:  # noqa: ARG001 # as all in _SHAPES
    kind = str(space.WhichOneof("value"))
    box, tensor = getattr(space, kind), getattr(event, _EVENT_KINDS[kind])
    shape, wanted = list(tensor.shape), list(box.low.shape)
    if shape != wanted or len(tensor.value) != len(box.low.value):
        raise ValueError(f"{what}: expected shape {wanted}, got {shape} with {len(tensor.value)} values")


def _check_box(event: Event, space: Space, what: str) -> None:
    _check_box_shape(event, space, what)
    kind = str(space.WhichOneof("value"))
    box, tensor = getattr(space, kind), getattr(event, _EVENT_KINDS[kind])
    for index, (value, low, high) in enumerate(zip(tensor.value, box.low.value, box.high.value, strict=True)):
        if not low <= value <= high:
            raise ValueError(f"{what}[{index}]: {value} is out of range, expected {low} to {high}")


def _check_list(event: Event, space: Space, what: str, check: _Check = check_event) -> None:
    items, members = event.event_list.event, space.space_list.space
    if len(items) != len(members):
        raise ValueError(f"{what}: expected {len(members)} values, got {len(items)}")
    for index, (item, member) in enumerate(zip(items, members, strict=True)):
        check(item, member, f"{what}[{index}]")


def _check_dict(event: Event, space: Space, what: str, check: _Check = check_event) -> None:
    items, members = event.event_dict.event, space.space_dict.space
    if set(items) != set(members):
        raise ValueError(f"{what}: expected the keys {sorted(members)}, got {sorted(items)}")
    for key, member in members.items():
        check(items[key], member, f"{what}[{key!r}]")


def _check_items(event: Event, space: Space, what: str) -> None:
    items = event.event_list.event
    _check_range(len(items), space.space_sequence.length_range, f"length of {what}")
    for index, item in enumerate(items):
        check_event(item, space.space_sequence.space, f"{what}[{index}]")


_CHECKS: Final[dict[str, Callable[[Event, Space, str], None]]] = {
    "discrete": _check_index,
    "named_discrete": _check_index,
    "boolean_value": _check_scalar,
    "int64_value": _check_scalar,
    "float_value": _check_scalar,
    "double_value": _check_scalar,
    "string_value": _check_string,
    "bytes_sequence": _check_bytes_sequence,
    "boolean_box": _check_box,
    "byte_box": _check_box,
    "int64_box": _check_box,
    "float_box": _check_box,
    "double_box": _check_box,
    "space_list": _check_list,
    "space_dict": _check_dict,
    "space_sequence": _check_items,
}
"""Checks beyond the type, by kind of space; the other kinds are plain sequences."""

_SHAPES: Final[dict[str, Callable[[Event, Space, str, _Check], None]]] = {
    **dict.fromkeys(("boolean_box", "byte_box", "int64_box", "float_box", "double_box"), _check_box_shape),
    "space_list": _check_list,
    "space_dict": _check_dict,
}
"""Checks of shapes alone, by kind of space."""
