"""The observation spaces of GPU kernels, and values as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.gpu_kernels.features import NAMES
from optarena.service.proto.compiler_gym_service_pb2 import (
    ByteSequenceSpace,
    ByteTensor,
    DoubleRange,
    Event,
    Int64Box,
    Int64Range,
    Int64Tensor,
    ObservationSpace,
    Space,
    StringSpace,
)

if TYPE_CHECKING:
    from typing import Any

_HEX_DIGITS: Final = 64
_ANY: Final = Int64Range(min=0)
_BYTE: Final = Int64Range(min=0, max=255)
_LARGEST: Final = 2**63 - 1


def _count(name: str, most: int | None = None) -> ObservationSpace:
    return ObservationSpace(
        name=name,
        space=Space(int64_value=Int64Range(min=0, max=most)),
        default_observation=Event(int64_value=0),
        deterministic=True,
    )


def _text(name: str, length: int | None = None, **told: bool) -> ObservationSpace:
    span = Int64Range(min=length or 0, max=length)
    return ObservationSpace(
        name=name,
        space=Space(string_value=StringSpace(length_range=span)),
        default_observation=Event(string_value="0" * (length or 0)),
        **{"deterministic": True, **told},
    )


def _bytes(name: str) -> ObservationSpace:
    return ObservationSpace(
        name=name,
        space=Space(byte_sequence=ByteSequenceSpace(length_range=_ANY, scalar_range=_BYTE)),
        default_observation=Event(byte_tensor=ByteTensor(shape=[0], value=b"")),
        deterministic=True,
    )


def _number(name: str, most: float | None, **told: bool) -> ObservationSpace:
    return ObservationSpace(
        name=name,
        space=Space(double_value=DoubleRange(min=0.0, max=most)),
        default_observation=Event(double_value=0.0),
        **{"deterministic": True, **told},
    )


def _vector(name: str, size: int) -> ObservationSpace:
    low, high = (Int64Tensor(shape=[size], value=[value] * size) for value in (0, _LARGEST))
    return ObservationSpace(
        name=name,
        space=Space(int64_box=Int64Box(low=low, high=high)),
        default_observation=Event(int64_tensor=low),
        deterministic=True,
    )


_MEASURED: Final = {"deterministic": False, "platform_dependent": True}
OBSERVATIONS: Final = [
    _number("runtime", None, **_MEASURED),
    _vector("features", len(NAMES)),
    *(_count(name) for name in NAMES),
    _number("occupancy", 1.0),
    _count("thread_bytesO3"),
    _count("ptxas_level", 3),
    _text("ir"),
    _text("ptx"),
    _text("sass"),
    _bytes("cubin"),
    _bytes("reference_cubin"),
    _text("timing", **_MEASURED),
    _text("counters", **_MEASURED),
    _text("hardware_counters", **_MEASURED),
    _text("digest", _HEX_DIGITS),
]


def event(space: ObservationSpace, value: Any) -> Event:  # noqa: ANN401 # of any space
    """A value as a message of its space."""
    match space.space.WhichOneof("value"):
        case "int64_value":
            return Event(int64_value=value)
        case "double_value":
            return Event(double_value=value)
        case "string_value":
            return Event(string_value=value)
        case "int64_box":
            return Event(int64_tensor=Int64Tensor(shape=[len(value)], value=value))
        case _:
            return Event(byte_tensor=ByteTensor(shape=[len(value)], value=value))
