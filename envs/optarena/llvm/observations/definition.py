"""The definition of an observation of the LLVM session: its space, and how its value is computed."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.llvm.features import listed
from optarena.service.proto.compiler_gym_service_pb2 import (
    Event,
    Int64Box,
    Int64Range,
    Int64Tensor,
    ObservationSpace,
    Space,
    StringSpace,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.llvm.live_session import LiveSession

INT64_MAX: Final = 2**63 - 1
_NUMBER: Final = struct.Struct("<q")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One observation space.

    Attributes:
        name: ``IrInstructionCount``.
        space: The space of its values.
        default: The value of a step that ended in an error.
        compute: Computes the value in a session's present state; called only when the value is requested.
        numbers: Computes the same value as integers of 64 bits, if it is whole numbers; None otherwise.
        deterministic: Whether the same state always gives the same value.
        platform_dependent: Whether the value depends on the machine.
    """

    name: str
    space: Space
    default: Event
    compute: Callable[[LiveSession], Event]
    numbers: Callable[[LiveSession], bytes] | None = None
    deterministic: bool = True
    platform_dependent: bool = False

    @property
    def message(self) -> ObservationSpace:
        """The space as the service describes it."""
        return ObservationSpace(
            name=self.name,
            space=self.space,
            deterministic=self.deterministic,
            platform_dependent=self.platform_dependent,
            default_observation=self.default,
        )


def count(name: str, compute: Callable[[LiveSession], int], *, platform_dependent: bool = False) -> Observed:
    """An observation that is one nonnegative number."""
    return Observed(
        name=name,
        space=Space(int64_value=Int64Range(min=0)),
        default=Event(int64_value=0),
        compute=lambda session: Event(int64_value=compute(session)),
        numbers=lambda session: _NUMBER.pack(compute(session)),
        platform_dependent=platform_dependent,
    )


def vector(name: str, size: int, numbers: Callable[[LiveSession], bytes]) -> Observed:
    """An observation that is ``size`` nonnegative numbers, computed as integers of 64 bits."""

    def compute(session: LiveSession) -> Event:
        return Event(int64_tensor=Int64Tensor(shape=[size], value=listed(numbers(session))))

    return Observed(
        name=name,
        space=Space(int64_box=Int64Box(low=_filled(size, 0), high=_filled(size, INT64_MAX))),
        default=Event(int64_tensor=_filled(size, 0)),
        compute=compute,
        numbers=numbers,
    )


def text(name: str, compute: Callable[[LiveSession], str], *, length: int | None = None) -> Observed:
    """An observation that is a text, of a fixed length or of any."""
    return Observed(
        name=name,
        space=Space(string_value=StringSpace(length_range=Int64Range(min=length or 0, max=length))),
        default=Event(string_value="0" * (length or 0)),
        compute=lambda session: Event(string_value=compute(session)),
    )


def _filled(size: int, value: int) -> Int64Tensor:
    return Int64Tensor(shape=[size], value=[value] * size)
