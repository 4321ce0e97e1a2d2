"""The program itself, its size, and its size after LLVM's own optimisation levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping  # noqa: TC003 # in the type of a constant
from typing import TYPE_CHECKING, Final

from optarena.llvm import features
from optarena.llvm.loading import loaded_size
from optarena.llvm.module import LEVELS, Module
from optarena.llvm.observations.definition import Observed, count, text, vector
from optarena.service.proto.compiler_gym_service_pb2 import (
    ByteSequenceSpace,
    ByteTensor,
    Event,
    Int64Range,
    Space,
)

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession

_SHA1_LENGTH: Final = 40
COUNT: Final = "IrInstructionCount"
TEXT_SIZE: Final = "ObjectTextSizeBytes"
LOAD_SIZE: Final = "ObjectLoadSizeBytes"
MEASURES: Final[Mapping[str, Callable[[Module], int]]] = {
    COUNT: Module.instruction_count,
    TEXT_SIZE: Module.text_size,
    LOAD_SIZE: loaded_size,
}
"""The sizes that are also observed of the original program at LLVM's own levels."""


def _bitcode(session: LiveSession) -> Event:
    data = session.bitcode()
    return Event(byte_tensor=ByteTensor(shape=[len(data)], value=data))


def _baseline(metric: str, level: str) -> Observed:
    return count(f"{metric}{level}", lambda session: session.baseline(metric, level))


OBSERVED: Final = (
    text("Ir", lambda session: session.module.text()),
    text("IrSha1", lambda session: session.module.digest(), length=_SHA1_LENGTH),
    Observed(
        name="Bitcode",
        space=Space(
            byte_sequence=ByteSequenceSpace(
                length_range=Int64Range(min=0), scalar_range=Int64Range(min=0, max=255)
            )
        ),
        default=Event(byte_tensor=ByteTensor(shape=[0], value=b"")),
        compute=_bitcode,
    ),
    vector("Autophase", features.AUTOPHASE_SIZE, lambda session: features.autophase_numbers(session.module)),
    count(COUNT, lambda session: session.instruction_count()),
    *(_baseline(COUNT, level) for level in LEVELS),
    count(TEXT_SIZE, lambda session: session.module.text_size()),
    *(_baseline(TEXT_SIZE, level) for level in LEVELS),
    count(LOAD_SIZE, lambda session: loaded_size(session.module)),
    *(_baseline(LOAD_SIZE, level) for level in LEVELS),
)
