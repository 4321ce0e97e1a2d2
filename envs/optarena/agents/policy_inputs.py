"""What a policy's network sees: one place for training and for use.

That is the features of the program on a logarithmic scale, how often each action was taken, and how much of
the episode is left. Without the counts a policy could not tell that an action has done what it can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

OBSERVATION: Final = "Autophase"
"""The observation space that policies look at."""
FEATURES: Final = 56
"""How many numbers it has."""
_FEATURE_SCALE: Final = 0.1
"""Logarithms of counts reach 15 or so; the other inputs are about 1."""


class PolicyShape(Protocol):
    """What the inputs depend on."""

    @property
    def actions(self) -> int:
        """The number of actions."""

    @property
    def length(self) -> int:
        """The number of actions of an episode."""


def input_size(features: int, actions: int) -> int:
    """How many numbers a network sees."""
    return features + actions + 1


def policy_input(
    shape: PolicyShape,
    features: ArrayLike,
    taken: Iterable[int],
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The inputs: shape (features + actions + 1,).

    Args:
        shape: The policy, or what is to become one.
        features: The observation: numbers that are not negative.
        taken: The actions so far. A walk may be longer than an episode; then nothing is left of it.
    """
    actions = np.fromiter(taken, np.int64)
    left = max(0, shape.length - len(actions)) / shape.length
    scaled = _FEATURE_SCALE * np.log1p(np.asarray(features, np.float64))
    counts = np.log1p(np.bincount(actions, minlength=shape.actions))
    return np.concatenate([scaled, counts, [left]]).astype(np.float32)
