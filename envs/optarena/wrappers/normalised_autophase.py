"""Autophase features as shares of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.llvm.feature_names import AUTOPHASE_NAMES
from optarena.wrappers.autophase import AutophaseWrapper

if TYPE_CHECKING:
    from optarena.wrappers.autophase import Features

_TOTAL: Final = AUTOPHASE_NAMES.index("TotalInsts")


class NormalisedAutophase(AutophaseWrapper):
    """Each feature divided by the number of instructions, at most 1: shape (56,), float32.

    Shows the composition of a program, not its size: ``TotalInsts`` itself is always 1, or 0 for a
    program without instructions, as after a failure of the compiler. The few counts that may exceed that of
    the instructions, such as constants, are cut to 1. ``LogAutophase`` keeps the size.

    Args:
        env: The environment to wrap, which observes ``Autophase``.

    Raises:
        InvalidInput: It observes something else.
    """

    def convert_observation(self, observation: Any) -> Features:  # noqa: ANN401 # 56 integers
        """The shares, of the counts."""
        counts = np.asarray(observation, np.float64)
        shares: Features = np.clip(counts / max(counts[_TOTAL], 1.0), 0.0, 1.0).astype(np.float32)
        return shares
