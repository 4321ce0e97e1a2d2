"""Autophase features scaled for networks: the raw counts differ by four orders of magnitude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from optarena.errors import InvalidInput
from optarena.llvm.feature_names import AUTOPHASE_NAMES
from optarena.wrappers.arguments import refuse_option
from optarena.wrappers.observation_wrapper import ObservationWrapper

if TYPE_CHECKING:
    from gymnasium import Env


AUTOPHASE: Final = "Autophase"
Features = NDArray[np.float32]


class AutophaseWrapper(ObservationWrapper):
    """An observation computed from the 56 features, each a 32-bit float from 0 to ``highest``.

    Args:
        env: The environment to wrap, which observes ``Autophase``.

    Raises:
        InvalidInput: It observes something else.
    """

    highest: ClassVar[float] = 1.0

    def __init__(self, env: Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env)
        size = len(AUTOPHASE_NAMES)
        name, space = self.observation_space_name, self.env.observation_space
        if name != AUTOPHASE or space != self.observations[AUTOPHASE].space:
            message = (
                f"{type(self).__name__} needs the {size} features of {AUTOPHASE}, but the "
                f"environment observes {name!r} as {space!r:.100}."
            )
            remedy = f"Make it with observation_space={AUTOPHASE!r}."
            raise InvalidInput(message, field="observation_space", value=name, remedy=remedy)
        self.observation_space = gymnasium.spaces.Box(0.0, self.highest, (size,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``.

        Raises:
            InvalidInput: An option is wrong, or requests another observation.
        """
        refuse_option(type(self).__name__, options, "observation_space", AUTOPHASE)
        return super().reset(seed=seed, options=options)
