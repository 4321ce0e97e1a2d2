"""Spaces that messages can describe and gymnasium lacks: named values, sequences, JSON documents.

Where gymnasium has a similar space, they extend it, so that code for gymnasium's spaces works with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.errors import InvalidInput
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST: Final = 2**31 - 1
"""Maximum length of a text or sequence without a limit of its own."""
ASCII: Final = "".join(map(chr, range(128)))
LATIN1: Final = "".join(map(chr, range(256)))
_SAMPLED_LENGTH: Final = 64
"""Samples are at most about this much longer than the shortest member, even if the space allows more."""


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
        return [self._value(name) for name in text.split()]

    def _value(self, name: str) -> int:
        if name not in self.names:
            raise unknown_name("action", name, self.names)
        return self.names.index(name)

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
    """A text that can be sampled: one of any length might not fit into memory, and numpy drops zeros."""

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # noqa: ANN401 # gymnasium's
        """A text not much longer than the shortest one allowed."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        longest = min(self.max_length, self.min_length + _SAMPLED_LENGTH)
        length = self.np_random.integers(self.min_length, longest + 1)
        characters = self.character_list
        return "".join(characters[index] for index in self.np_random.integers(len(characters), size=length))


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
    """Whether ``box.contains`` holds for every item, checked at once."""
    fits = np.can_cast(items.dtype, box.dtype) and items.shape[1:] == box.shape
    return bool(fits and np.all(items >= box.low) and np.all(items <= box.high))


def text_space(min_length: int, max_length: int | None, charset: str) -> gymnasium.spaces.Text:
    """The space of texts with some lengths and characters."""
    longest = LONGEST if max_length is None else max_length
    return SampledText(longest, min_length=min_length, charset=charset)


def number_space(low: Any, high: Any, dtype: type[Any], shape: tuple[int, ...]) -> gymnasium.spaces.Box:  # noqa: ANN401 # scalars or arrays
    """A box that can be sampled even if it covers all 64-bit integers.

    Gymnasium adds one to the upper bound of integers when it samples, unless the box is unbounded.
    """
    lows = np.broadcast_to(np.asarray(low, dtype), shape).copy()
    highs = np.broadcast_to(np.asarray(high, dtype), shape).copy()
    if not np.all(lows <= highs):  # nor for NaN
        raise InvalidInput("A lower bound is above the upper one, or one is NaN.")
    box = gymnasium.spaces.Box(
        lows,
        highs,
        shape=shape,
        dtype=dtype,
    )
    if dtype is np.int64:
        ends = np.iinfo(np.int64)
        box.bounded_below = np.asarray(box.low != ends.min)
        box.bounded_above = np.asarray(box.high != ends.max)
    return box
