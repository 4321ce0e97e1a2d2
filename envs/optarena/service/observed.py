"""Observation spaces and action spaces of the usual kinds, for the sessions of all compilers.

Each observation space comes with the function that computes its value. ``flags`` are further fields of its
message, such as ``costly``.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    ByteSequenceSpace,
    ByteTensor,
    DoubleRange,
    Event,
    Int64Box,
    Int64Range,
    Int64Tensor,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)

INT64_MAX: Final = 2**63 - 1
_NUMBER: Final = struct.Struct("<q")
_LENGTH: Final = Int64Range(min=0)
_NO_BYTES: Final = Event(byte_tensor=ByteTensor(shape=[0], value=b""))
S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed(Generic[S]):
    """An observation space, and what computes its value.

    ``default`` is the value of a step that ended in an error. ``numbers`` computes the same value as integers
    of 64 bits, if it is whole numbers.
    """

    name: str
    space: Space
    default: Event
    compute: Callable[[S], Event]
    numbers: Callable[[S], bytes] | None = None
    deterministic: bool = True
    platform_dependent: bool = False
    costly: bool = False
    constant: bool = False

    @property
    def message(self) -> ObservationSpace:
        """The space as a service describes it to clients."""
        return ObservationSpace(
            name=self.name,
            space=self.space,
            deterministic=self.deterministic,
            platform_dependent=self.platform_dependent,
            default_observation=self.default,
            costly=self.costly,
            constant=self.constant,
        )


def count(
    name: str, compute: Callable[[S], int], *, low: int = 0, high: int | None = None, **flags: bool
) -> Observed[S]:
    """A whole number."""
    return Observed(
        name=name,
        space=Space(int64_value=Int64Range(min=low, max=high)),
        default=Event(int64_value=0),
        compute=lambda session: Event(int64_value=compute(session)),
        numbers=lambda session: _NUMBER.pack(compute(session)),
        **flags,
    )


def real(
    name: str, compute: Callable[[S], float], *, high: float | None = None, **flags: bool
) -> Observed[S]:
    """A number of at least 0."""
    return Observed(
        name=name,
        space=Space(double_value=DoubleRange(min=0.0, max=high)),
        default=Event(double_value=0.0),
        compute=lambda session: Event(double_value=compute(session)),
        numbers=None,
        **flags,
    )


def text(
    name: str, compute: Callable[[S], str], *, length: int = 0, most: int | None = None, **flags: bool
) -> Observed[S]:
    """A text of a fixed length, or of any up to the most."""
    return Observed(
        name=name,
        space=Space(string_value=StringSpace(length_range=Int64Range(min=length, max=length or most))),
        default=Event(string_value="0" * length),
        compute=lambda session: Event(string_value=compute(session)),
        numbers=None,
        **flags,
    )


def octets(name: str, compute: Callable[[S], bytes]) -> Observed[S]:
    """Bytes."""

    def computed(session: S) -> Event:
        data = compute(session)
        return Event(byte_tensor=ByteTensor(shape=[len(data)], value=data))

    sequence = ByteSequenceSpace(length_range=_LENGTH, scalar_range=Int64Range(min=0, max=255))
    return Observed(name=name, space=Space(byte_sequence=sequence), default=_NO_BYTES, compute=computed)


def box(  # noqa: PLR0913 # all but two by name
    name: str,
    compute: Callable[[S], Sequence[int]],
    *,
    low: Sequence[int],
    high: Sequence[int],
    default: Sequence[int],
    shape: Sequence[int] = (),
    numbers: Callable[[S], bytes] | None = None,
) -> Observed[S]:
    """Whole numbers between bounds, as an array."""

    def tensor(values: Sequence[int]) -> Int64Tensor:
        return Int64Tensor(shape=shape or [len(low)], value=values)

    return Observed(
        name=name,
        space=Space(int64_box=Int64Box(low=tensor(low), high=tensor(high))),
        default=Event(int64_tensor=tensor(default)),
        compute=lambda session: Event(int64_tensor=tensor(compute(session))),
        numbers=numbers,
    )


def counts(
    name: str, compute: Callable[[S], Sequence[int]], *shape: int, numbers: Callable[[S], bytes] | None = None
) -> Observed[S]:
    """Whole numbers of at least 0, as an array of this shape."""
    none = [0] * math.prod(shape)
    high = [INT64_MAX] * len(none)
    return box(name, compute, low=none, high=high, default=none, shape=shape, numbers=numbers)


def named_actions(name: str, names: Iterable[str]) -> ActionSpace:
    """Actions with names."""
    return ActionSpace(name=name, space=Space(named_discrete=NamedDiscreteSpace(name=names)))


def multi_discrete(name: str, sizes: Sequence[int]) -> ActionSpace:
    """Actions of several parts, each below a size."""
    low = Int64Tensor(shape=[len(sizes)], value=[0] * len(sizes))
    high = Int64Tensor(shape=[len(sizes)], value=[size - 1 for size in sizes])
    return ActionSpace(name=name, space=Space(int64_box=Int64Box(low=low, high=high)))
