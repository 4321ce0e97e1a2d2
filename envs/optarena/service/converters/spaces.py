"""Converts the spaces of messages to gymnasium's, and gymnasium's to messages.

The two directions are inverse for spaces that both sides can express. If a message cannot express a gymnasium
space exactly, its space is wider: narrow integers become 64-bit ones, a text's alphabet becomes ASCII. A
space without members in common with any message is refused.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import struct
from collections.abc import Callable, Sequence
from multiprocessing.sharedctypes import _new_value  # type: ignore[attr-defined] # RawArray writes zeros
from typing import Any, Final, overload

import gymnasium
import numpy as np
from google.protobuf.message import DecodeError
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory

from optarena import limits
from optarena.errors import InvalidInput
from optarena.service.converters.events import (
    DTYPES,
    RANGES,
    array_to_tensor,
    element_of,
    event_to_python,
    member_dtype,
    tensor_to_array,
)
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import check_event, document_format, index_range
from optarena.specs import unknown_name

LONGEST: Final = 2**31 - 1  # of a sequence without a limit of its own
LONGEST_TEXT: Final = limits.MAX_MESSAGE_BYTES  # of a text without one: a message holds no longer one
ASCII: Final = "".join(map(chr, range(128)))
LATIN1: Final = "".join(map(chr, range(256)))
_SAMPLED_LENGTH: Final = 64  # samples are about this much longer than the shortest member at most


class NamedDiscrete(gymnasium.spaces.Discrete):
    """The integers ``0 … n-1``, each with a name.

    Args:
        names: The names, by value.
        name: Name of the space.
    """

    def __init__(self, names: Sequence[str], name: str = "") -> None:
        super().__init__(len(names))
        self.names: tuple[str, ...] = tuple(names)
        self.name = name

    def to_string(self, values: int | Sequence[int]) -> str:
        """The names of one value or several, separated by spaces."""
        chosen = [values] if isinstance(values, (int, np.integer)) else values
        return " ".join(self.names[int(value)] for value in chosen)

    def from_string(self, text: str) -> list[int]:
        """The values of names separated by spaces.

        Raises:
            UnknownName: A name is not in the space.
        """
        for name in text.split():
            if name not in self.names:
                raise unknown_name("action", name, self.names)
        return [self.names.index(name) for name in text.split()]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([str(self.n), self.name] if self.name else [str(self.n)])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedDiscrete) and type(other) is type(self) and self.names == other.names

    __hash__ = None  # type: ignore[assignment] # mutable, as every gymnasium space


class Commandline(NamedDiscrete):
    """Named values whose names, one after another, are a command line."""


class JsonDocument(gymnasium.Space[Any]):
    """JSON documents of some form: lists and dicts of texts, numbers and such.

    Args:
        format: What they describe; ``json://`` followed by the name of a form, if it has one.
    """

    def __init__(self, format: str) -> None:  # noqa: A002 # as in the message
        super().__init__()
        self.format = format

    def sample(self, mask: Any = None, probability: Any = None) -> Any:  # noqa: ANN401, ARG002 # gymnasium's
        """An empty document."""
        return {}

    def contains(self, x: Any) -> bool:  # noqa: ANN401 # gymnasium's
        """Whether ``x`` could be read from JSON."""
        return x is None or isinstance(x, (dict, list, str, int, float))

    @property
    def is_np_flattenable(self) -> bool:
        """Whether members can be flattened to an array: they cannot."""
        return False

    def __repr__(self) -> str:
        return f"JsonDocument({self.format})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsonDocument) and self.format == other.format

    __hash__ = None  # type: ignore[assignment] # mutable, as every gymnasium space


class SampledText(gymnasium.spaces.Text):
    """A text that can be sampled: one of any length might not fit into memory, and numpy drops zeros.

    In the memory that asynchronous vectors share it is UTF-8, of which only what is written takes memory.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # noqa: ANN401 # gymnasium's
        """A text not much longer than the shortest one allowed."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        longest = min(self.max_length, self.min_length + _SAMPLED_LENGTH)
        length = self.np_random.integers(self.min_length, longest + 1)
        characters = self.character_list
        return "".join(characters[index] for index in self.np_random.integers(len(characters), size=length))


_LENGTH: Final = struct.Struct("<Q")  # of a text, before its bytes


def _room(space: SampledText) -> int:
    widest = max(map(len, map(_utf8, space.character_set)), default=1)
    return _LENGTH.size + space.max_length * widest


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@create_shared_memory.register(SampledText)
def _share(space: SampledText, n: int = 1, ctx: Any = multiprocessing) -> Any:  # noqa: ANN401, ARG001 # gymnasium's
    # Unlike RawArray() it writes no zeros into memory that may never be used.
    memory = _new_value(ctypes.c_char * (n * _room(space)))
    for index in range(n):
        _write(space, index, "", memory)
    return memory


@write_to_shared_memory.register(SampledText)
def _write(space: SampledText, index: int, value: str, shared_memory: Any) -> None:  # noqa: ANN401 # gymnasium's
    data, place = _utf8(value), index * _room(space)
    memory = memoryview(shared_memory).cast("B")
    memory[place : place + _LENGTH.size + len(data)] = _LENGTH.pack(len(data)) + data


class SharedTexts(Sequence[str]):
    """The texts that environments in other processes have written last; a deep copy is a tuple of them.

    gymnasium takes this once, and copies it after each step.
    """

    def __init__(self, space: SampledText, shared_memory: Any, number: int) -> None:  # noqa: ANN401 # gymnasium's
        self._memory = memoryview(shared_memory).cast("B")
        self._room = _room(space)
        self._number = number

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        place = range(0, self._number * self._room, self._room)[index]
        (length,) = _LENGTH.unpack_from(self._memory, place)
        start = place + _LENGTH.size
        return str(self._memory[start : start + length], "utf-8", "surrogatepass")

    def __deepcopy__(self, _memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"SharedTexts{tuple(self)!r:.200}"


@read_from_shared_memory.register(SampledText)
def _read(space: SampledText, shared_memory: Any, n: int = 1) -> SharedTexts:  # noqa: ANN401 # gymnasium's
    return SharedTexts(space, shared_memory, n)


class SizedSequence(gymnasium.spaces.Sequence):
    """A sequence whose length is limited.

    Args:
        space: The space of the elements.
        min_length: The minimum number of elements.
        max_length: The maximum number of elements; None for no limit.
        stack: Whether members are arrays, rather than tuples of elements.
    """

    def __init__(
        self,
        space: gymnasium.Space[Any],
        *,
        min_length: int = 0,
        max_length: int | None = None,
        stack: bool = False,
    ) -> None:
        super().__init__(space, stack=stack)
        self.min_length = min_length
        self.max_length = max_length

    def sample(self, mask: Any = None, probability: Any = None) -> Any:  # noqa: ANN401 # gymnasium's
        """A member not much longer than the shortest one allowed."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        extra = int(self.np_random.geometric(0.25)) - 1
        longest = LONGEST if self.max_length is None else self.max_length
        items = [self.feature_space.sample() for _ in range(min(self.min_length + extra, longest))]
        if not self.stack:
            return tuple(items)
        shape = (len(items), *(self.feature_space.shape or ()))
        return np.array(items, dtype=self.feature_space.dtype).reshape(shape)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 # gymnasium's
        """Whether ``x`` has an allowed length, and elements of the space of elements."""
        if not isinstance(x, np.ndarray if self.stack else tuple):
            return False
        if len(x) < self.min_length or (self.max_length is not None and len(x) > self.max_length):
            return False
        if isinstance(x, np.ndarray) and isinstance(self.feature_space, gymnasium.spaces.Box):
            return len(x) == 0 or _all_in(self.feature_space, x)
        return all(self.feature_space.contains(np.asarray(item) if self.stack else item) for item in x)

    def __repr__(self) -> str:
        limits = f"min_length={self.min_length}, max_length={self.max_length}"
        return f"SizedSequence({self.feature_space}, {limits}, stack={self.stack})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SizedSequence)
            and super().__eq__(other)
            and (self.min_length, self.max_length) == (other.min_length, other.max_length)
        )

    __hash__ = None  # type: ignore[assignment] # mutable, as every gymnasium space


def _all_in(box: gymnasium.spaces.Box, items: np.ndarray[Any, Any]) -> bool:
    # `box.contains` for every item, at once.
    fits = np.can_cast(items.dtype, box.dtype) and items.shape[1:] == box.shape
    return bool(fits and np.all(items >= box.low) and np.all(items <= box.high))


def text_space(min_length: int, max_length: int | None, charset: str) -> gymnasium.spaces.Text:
    """The space of texts with some lengths and characters."""
    longest = LONGEST_TEXT if max_length is None else min(max_length, LONGEST_TEXT)
    return SampledText(longest, min_length=min_length, charset=charset)


def number_space(low: Any, high: Any, dtype: type[Any], shape: tuple[int, ...]) -> gymnasium.spaces.Box:  # noqa: ANN401 # scalars or arrays
    """A box that can be sampled even if it covers all 64-bit integers.

    Gymnasium adds one to the upper bound of integers when it samples, unless the box is unbounded.
    """
    lows = np.broadcast_to(np.asarray(low, dtype), shape).copy()
    highs = np.broadcast_to(np.asarray(high, dtype), shape).copy()
    if not np.all(lows <= highs):  # nor for NaN
        raise InvalidInput("A lower bound is above the upper one, or one is NaN.")
    box = gymnasium.spaces.Box(lows, highs, shape=shape, dtype=dtype)
    if dtype is np.int64:
        ends = np.iinfo(np.int64)
        box.bounded_below = np.asarray(box.low != ends.min)
        box.bounded_above = np.asarray(box.high != ends.max)
    return box


_LARGEST: Final = np.iinfo(np.int64).max
# elements in the smallest member of a space: more would need memory only for bounds
_MOST_ELEMENTS: Final = 2**24


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
    # The elements of a member, by the lengths in the space.
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
    return limits.min if limits.HasField("min") else low, limits.max if limits.HasField("max") else high


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


def _element(space: gymnasium.spaces.Box) -> str:
    # 0 and 1 in int8 are booleans, as in the other direction.
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
    # Without bounds that every value satisfies.
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
    longest = None if space.max_length >= LONGEST_TEXT else space.max_length
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
        if not isinstance(item, gymnasium.spaces.Box) or item.shape != ():
            raise _no_message(space, "Stack numbers of shape () only, or use stack=False.")
        element = _element(item)
        kind = getattr(pb, f"{element.capitalize()}SequenceSpace")
        limits = _range(element, item.low, item.high)
        return pb.Space(**{f"{element}_sequence": kind(length_range=lengths, scalar_range=limits)})
    inner = gymnasium_to_space(item)
    if inner == pb.Space(byte_sequence=pb.ByteSequenceSpace(length_range=pb.Int64Range())):
        return pb.Space(bytes_sequence=pb.BytesSequenceSpace(length_range=lengths))
    # Never a string_sequence, which CompilerGym's clients cannot read; nor without a maximum, which they
    # would read as 0.
    lengths = _length_range(lengths.min, lengths.max if lengths.HasField("max") else _LARGEST)
    return pb.Space(space_sequence=pb.SpaceSequenceSpace(length_range=lengths, space=inner))


# Subclasses come before their bases.
_MESSAGES: Final[tuple[tuple[type[Any], Callable[[Any], pb.Space]], ...]] = (
    (Commandline, _from_commandline),
    (NamedDiscrete, lambda space: pb.Space(named_discrete=pb.NamedDiscreteSpace(name=space.names))),
    (gymnasium.spaces.Discrete, _from_discrete),
    (
        gymnasium.spaces.MultiDiscrete,
        lambda space: _number_message(
            space, start := space.start.astype(np.int64), start + space.nvec.astype(np.int64) - 1, "int64"
        ),
    ),
    (
        gymnasium.spaces.MultiBinary,
        lambda space: _number_message(space, np.zeros(space.shape), np.ones(space.shape), "boolean"),
    ),
    (gymnasium.spaces.Box, lambda space: _number_message(space, space.low, space.high, _element(space))),
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
    # InvalidInput if the conversion would change a value.
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
    # Some services leave out the shape.
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
