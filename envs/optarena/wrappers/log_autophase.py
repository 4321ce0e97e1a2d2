"""Autophase features on a logarithmic scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from optarena.wrappers.autophase import AutophaseWrapper

if TYPE_CHECKING:
    from optarena.wrappers.autophase import Features


class LogAutophase(AutophaseWrapper):
    """``log(1 + count)`` of each feature: shape (56,), float32, from 0 to 44, in practice below 16.

    Args:
        env: The environment to wrap, which observes ``Autophase``.

    Raises:
        InvalidInput: It observes something else.
    """

    highest: ClassVar[float] = 44.0  # above log(2**63)

    def convert_observation(self, observation: Any) -> Features:  # noqa: ANN401 # 56 integers
        """The logarithms, of the counts."""
        return np.log1p(np.asarray(observation, np.float64)).astype(np.float32)
