"""Feature vectors in other forms: by name, and independent of the program's size.

``AutophaseDict`` and ``InstCountDict`` are dicts from name to count. ``InstCountNorm`` is 70 numbers from 0
to 1: every entry of ``InstCount`` but the first, divided by the first, which is the number of instructions.
All are zero for a program without instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.env.derived import DerivedObservation
from optarena.llvm.feature_names import AUTOPHASE_NAMES, INSTCOUNT_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.specs.live import LiveEnv

_LARGEST: Final = np.iinfo(np.int64).max


def _by_name(name: str, needed: str, keys: tuple[str, ...]) -> DerivedObservation:
    def space() -> gymnasium.spaces.Dict:
        return gymnasium.spaces.Dict({key: gymnasium.spaces.Discrete(_LARGEST) for key in keys})

    def compute(_: LiveEnv, given: Mapping[str, Any]) -> dict[str, int]:
        return dict(zip(keys, given[needed].tolist(), strict=True))

    return DerivedObservation(name=name, needs=(needed,), make_space=space, compute=compute)


def _normalised(_: LiveEnv, given: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float32]]:
    counts = given["InstCount"]
    shares: np.ndarray[Any, np.dtype[np.float32]] = (counts[1:] / max(counts[0], 1)).astype(np.float32)
    return shares


OBSERVATIONS: Final = (
    _by_name("AutophaseDict", "Autophase", AUTOPHASE_NAMES),
    _by_name("InstCountDict", "InstCount", INSTCOUNT_NAMES),
    DerivedObservation(
        name="InstCountNorm",
        needs=("InstCount",),
        make_space=lambda: gymnasium.spaces.Box(0.0, 1.0, (len(INSTCOUNT_NAMES) - 1,), np.float32),
        compute=_normalised,
    ),
)
