"""Converts the spaces of messages to gymnasium's, and gymnasium's to messages.

The two directions are inverse for spaces that both sides can express. If a message cannot express a gymnasium
space exactly, its space is wider: narrow integers become 64-bit ones, a text's alphabet becomes ASCII. A
space without members in common with any message is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
from google.protobuf.message import DecodeError

from optarena.errors import InvalidInput
from optarena.service.converters.events import array_to_tensor, element_of, tensor_to_array
from optarena.service.converters.extended_spaces import (
    ASCII,
    LATIN1,
    LONGEST,
    Commandline,
    JsonDocument,
    NamedDiscrete,
    SizedSequence,
    number_space,
    text_space,
)
from optarena.service.converters.kinds import DTYPES, RANGES, member_dtype
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.events import document_format, index_range

if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST: Final = np.iinfo(np.int64).max
_MOST_ELEMENTS: Final = 2**24
"""Elements in the smallest member of a space: more would need memory only for bounds."""


def space_to_gymnasium(space: pb.Space) -> gymnasium.Space[Any]:
    """The gymnasium space of a service's space.

    Indices are ``Discrete``, with their names where they have some; numbers are ``Box`` of shape ``()``,
    booleans among them as 0 and 1; texts, and byte strings of any bytes, are ``Text`` (bytes as Latin-1);
    a sequence of fixed length is a ``Box``, any other a :class:`SizedSequence`; lists, dicts and unions
    are ``Tuple``, ``Dict`` and ``OneOf``.

    Raises:
        InvalidInput: The space has no value, holds a message that is not a space, contradicts itself, or
            requires more than 2^24 elements.
    """
    try:
        if _least_elements(space) > _MOST_ELEMENTS:
            raise InvalidInput(f"The space requires more than {_MOST_ELEMENTS} elements.")
        return _to_gymnasium(space)
    except (AssertionError, TypeError, ValueError, OverflowError, DecodeError, MemoryError) as error:
        if isinstance(error, InvalidInput):
            raise
        why = f"{error}"[:300].rstrip(".") or type(error).__name__
        raise InvalidInput(f"The space {_shown(space)} cannot be used: {why}.") from error


def gymnasium_to_space(space: gymnasium.Space[Any]) -> pb.Space:
    """The message of a gymnasium space, for compilers whose spaces are written as gymnasium's.

    Raises:
        InvalidInput: No message can describe it; the error says what to use instead.
    """
    for kind, converter in _MESSAGES:
        if isinstance(space, kind):
            return converter(space)
    raise _no_message(space, "Use Discrete, Box, Text, Sequence, Tuple, Dict or OneOf.")


def _least_elements(space: pb.Space) -> int:
    """The minimum number of elements of a member, by the lengths in the space."""
    kind = space.WhichOneof("value") or ""
    value: Any = getattr(space, kind) if kind else None
    if kind in {"space_list", "space_union"}:
        return sum(_least_elements(inner) for inner in value.space)
    if kind == "space_dict":
        return sum(_least_elements(inner) for inner in value.space.values())
    each = _least_elements(value.space) if kind == "space_sequence" else 1
    return max(value.length_range.min, 1) * each if hasattr(value, "length_range") else 1


def _shown(space: pb.Space) -> str:
    return " ".join(f"{space}".split())[:200]


def _packed(space: pb.Space) -> gymnasium.Space[Any] | None:
    if index_range(space) is not None:
        commandline = pb.CommandlineSpace()
        space.any_value.Unpack(commandline)
        return Commandline(commandline.name)
    named = document_format(space)
    return None if named is None else JsonDocument(named)


def as_choices(space: gymnasium.Space[Any]) -> gymnasium.Space[Any]:
    """An action space of several choices, as the ``MultiDiscrete`` that no message can tell from a box.

    Returns:
        ``MultiDiscrete`` for a ``Box`` of integers from 0 in one dimension; any other space unchanged.
    """
    if not isinstance(space, gymnasium.spaces.Box) or space.dtype != np.int64 or len(space.shape) != 1:
        return space
    if space.shape == (0,) or np.any(space.low != 0) or np.any(space.high == _LARGEST):
        return space
    return gymnasium.spaces.MultiDiscrete(space.high + 1)


def is_text(space: pb.Space) -> bool:
    """Whether the members are texts: of strings, or of byte strings without further limits as Latin-1."""
    kind = space.WhichOneof("value")
    if kind == "byte_sequence":
        sequence = space.byte_sequence
        return not _is_fixed(sequence.length_range) and _bounds("byte", sequence.scalar_range) == (0, 255)
    return bool(kind == "string_value")


def _to_gymnasium(space: pb.Space) -> gymnasium.Space[Any]:
    kind = space.WhichOneof("value") or ""
    if kind in _SPACES:
        return _SPACES[kind](space)
    if kind == "any_value" and (packed := _packed(space)) is not None:
        return packed
    element, _, form = kind.partition("_")
    if form == "value" and element in RANGES:
        low, high = _bounds(element, getattr(space, kind))
        return number_space(low, high, member_dtype(element), ())
    if form == "box":
        return _box(element, getattr(space, kind))
    if is_text(space):
        return _text(space.byte_sequence.length_range, LATIN1)
    if form == "sequence":
        return _sequence(element, getattr(space, kind))
    raise InvalidInput(f"The space {_shown(space)!r} has no equivalent in gymnasium.", value=kind)


def _bounds(element: str, limits: Any) -> tuple[Any, Any]:  # noqa: ANN401 # one of four range messages
    low, high = RANGES[element]
    return (
        limits.min if limits.HasField("min") else low,
        limits.max if limits.HasField("max") else high,
    )


def _lengths(limits: pb.Int64Range) -> tuple[int, int | None]:
    shortest, longest = max(limits.min, 0), limits.max if limits.HasField("max") else None
    if longest is not None and longest < shortest:
        raise InvalidInput(f"The minimum length {shortest} is above the maximum {longest}.")
    return shortest, longest


def _is_fixed(limits: pb.Int64Range) -> bool:
    return limits.HasField("max") and limits.min == limits.max


def _text(limits: pb.Int64Range, charset: str) -> gymnasium.spaces.Text:
    return text_space(*_lengths(limits), charset)


def _box(element: str, box: Any) -> gymnasium.spaces.Box:  # noqa: ANN401 # one of five box messages
    low, high = tensor_to_array(element, box.low), tensor_to_array(element, box.high)
    if low.shape != high.shape:
        raise InvalidInput(f"The {element} box has bounds of shapes {low.shape} and {high.shape}.")
    return number_space(low, high, member_dtype(element), low.shape)


def _sequence(element: str, sequence: Any) -> gymnasium.Space[Any]:  # noqa: ANN401 # one of four messages
    low, high = _bounds(element, sequence.scalar_range)
    limits = sequence.length_range
    if _is_fixed(limits):
        return number_space(low, high, member_dtype(element), (limits.max,))
    shortest, longest = _lengths(limits)
    item = number_space(low, high, member_dtype(element), ())
    return SizedSequence(item, min_length=shortest, max_length=longest, stack=True)


def _tuples(limits: pb.Int64Range, item: gymnasium.Space[Any]) -> SizedSequence:
    shortest, longest = _lengths(limits)
    if longest == _LARGEST:
        longest = None
    return SizedSequence(item, min_length=shortest, max_length=longest)


_SPACES: Final[dict[str, Callable[[pb.Space], gymnasium.Space[Any]]]] = {
    "discrete": lambda space: gymnasium.spaces.Discrete(space.discrete.n),
    "named_discrete": lambda space: NamedDiscrete(space.named_discrete.name),
    "string_value": lambda space: _text(space.string_value.length_range, ASCII),
    "bytes_sequence": lambda space: _tuples(space.bytes_sequence.length_range, text_space(0, None, LATIN1)),
    "string_sequence": lambda space: _tuples(space.string_sequence.length_range, text_space(0, None, ASCII)),
    "space_list": lambda space: gymnasium.spaces.Tuple(map(_to_gymnasium, space.space_list.space)),
    "space_dict": lambda space: gymnasium.spaces.Dict(
        {key: _to_gymnasium(value) for key, value in space.space_dict.space.items()}
    ),
    "space_union": lambda space: gymnasium.spaces.OneOf(map(_to_gymnasium, space.space_union.space)),
    "space_sequence": lambda space: _tuples(
        space.space_sequence.length_range, _to_gymnasium(space.space_sequence.space)
    ),
}


def _no_message(space: gymnasium.Space[Any], remedy: str) -> InvalidInput:
    return InvalidInput(f"No message can describe {space}.", field="space", remedy=remedy)


def _from_discrete(space: Any) -> pb.Space:  # noqa: ANN401 # checked by the caller, as all below
    if space.start != 0:
        raise _no_message(space, "Start it at 0, or use a Box of shape ().")
    return pb.Space(discrete=pb.DiscreteSpace(n=int(space.n)))


def _from_commandline(space: Any) -> pb.Space:  # noqa: ANN401 # of any space
    message = pb.Space()
    message.any_value.Pack(pb.CommandlineSpace(name=space.names))
    return message


def _from_box(space: Any) -> pb.Space:  # noqa: ANN401 # of any space
    return _number_message(space, space.low, space.high, _element(space))


def _from_multi_discrete(space: Any) -> pb.Space:  # noqa: ANN401 # of any space
    start = space.start.astype(np.int64)
    return _number_message(space, start, start + space.nvec.astype(np.int64) - 1, "int64")


def _from_multi_binary(space: Any) -> pb.Space:  # noqa: ANN401 # of any space
    return _number_message(space, np.zeros(space.shape), np.ones(space.shape), "boolean")


def _element(space: gymnasium.spaces.Box) -> str:
    """The element type of a box: 0 and 1 in ``int8`` are booleans, as in the other direction."""
    if space.dtype == np.int8 and np.all(space.low >= 0) and np.all(space.high <= 1):
        return "boolean"
    return element_of(np.dtype(space.dtype))


def _number_message(space: Any, low: Any, high: Any, element: str) -> pb.Space:  # noqa: ANN401 # of any space
    if element == "int64" and np.any(high > _LARGEST):
        raise _no_message(space, f"Use bounds of at most {_LARGEST}.")
    if space.shape == () and element != "byte":
        return pb.Space(**{f"{element}_value": _range(element, low, high)})
    box_type = getattr(pb, f"{element.capitalize()}Box")
    bounds = {
        name: getattr(array_to_tensor(element, bound.astype(DTYPES[element])), f"{element}_tensor")
        for name, bound in (("low", low), ("high", high))
    }
    return pb.Space(**{f"{element}_box": box_type(**bounds)})


def _range(element: str, low: Any, high: Any) -> Any:  # noqa: ANN401 # one of four range messages
    """A range without bounds that every value satisfies."""
    bounds = {"min": low.item(), "max": high.item()}
    widest = dict(zip(bounds, RANGES[element], strict=True))
    given = {name: bound for name, bound in bounds.items() if bound != widest[name]}
    kind = "Int64" if element == "byte" else element.capitalize()
    if element == "boolean":
        given = {name: bool(bound) for name, bound in given.items()}
    return getattr(pb, f"{kind}Range")(**given)


def _length_range(shortest: int, longest: int | None) -> pb.Int64Range:
    given = {"min": shortest or None, "max": longest}
    return pb.Int64Range(**{name: bound for name, bound in given.items() if bound is not None})


def _from_text(space: Any) -> pb.Space:  # noqa: ANN401 # of any space
    longest = None if space.max_length >= LONGEST else space.max_length
    lengths = _length_range(space.min_length, longest)
    if space.character_set <= set(ASCII):
        return pb.Space(string_value=pb.StringSpace(length_range=lengths))
    fixed = space.min_length == space.max_length
    if space.character_set == set(LATIN1) and not fixed:
        return pb.Space(byte_sequence=pb.ByteSequenceSpace(length_range=lengths))
    raise _no_message(space, "Use characters of ASCII, or all of Latin-1 for byte strings.")


def _from_sequence(space: Any) -> pb.Space:  # noqa: ANN401 # of any space
    lengths = _length_range(getattr(space, "min_length", 0), getattr(space, "max_length", None))
    item = space.feature_space
    if space.stack:
        return _stacked(space, lengths)
    inner = gymnasium_to_space(item)
    if inner == pb.Space(byte_sequence=pb.ByteSequenceSpace(length_range=pb.Int64Range())):
        return pb.Space(bytes_sequence=pb.BytesSequenceSpace(length_range=lengths))
    # Never a string_sequence, which CompilerGym's clients cannot read; nor without a maximum, which they
    # would read as 0.
    lengths = _length_range(lengths.min, lengths.max if lengths.HasField("max") else _LARGEST)
    return pb.Space(space_sequence=pb.SpaceSequenceSpace(length_range=lengths, space=inner))


def _stacked(space: Any, lengths: pb.Int64Range) -> pb.Space:  # noqa: ANN401 # of any space
    item = space.feature_space
    if not isinstance(item, gymnasium.spaces.Box) or item.shape != ():
        raise _no_message(space, "Stack numbers of shape () only, or use stack=False.")
    element = _element(item)
    kind = getattr(pb, f"{element.capitalize()}SequenceSpace")
    limits = _range(element, item.low, item.high)
    return pb.Space(**{f"{element}_sequence": kind(length_range=lengths, scalar_range=limits)})


_MESSAGES: Final[tuple[tuple[type[Any], Callable[[Any], pb.Space]], ...]] = (
    (Commandline, _from_commandline),
    (NamedDiscrete, lambda space: pb.Space(named_discrete=pb.NamedDiscreteSpace(name=space.names))),
    (gymnasium.spaces.Discrete, _from_discrete),
    (gymnasium.spaces.MultiDiscrete, _from_multi_discrete),
    (gymnasium.spaces.MultiBinary, _from_multi_binary),
    (gymnasium.spaces.Box, _from_box),
    (gymnasium.spaces.Text, _from_text),
    (gymnasium.spaces.Sequence, _from_sequence),
    (
        gymnasium.spaces.Tuple,
        lambda space: pb.Space(space_list=pb.ListSpace(space=map(gymnasium_to_space, space.spaces))),
    ),
    (
        gymnasium.spaces.Dict,
        lambda space: pb.Space(
            space_dict=pb.DictSpace(
                space={key: gymnasium_to_space(value) for key, value in space.spaces.items()}
            )
        ),
    ),
    (
        gymnasium.spaces.OneOf,
        lambda space: pb.Space(space_union=pb.ListSpace(space=map(gymnasium_to_space, space.spaces))),
    ),
)
"""Subclasses come before their bases."""
