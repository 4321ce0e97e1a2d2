"""Observations that the client derives: others' values in another form, or runs of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from optarena.specs.environment import LiveEnv, load

if TYPE_CHECKING:
    from optarena.env.session_client import StepOutcome
    from optarena.specs import EnvironmentSpec


@dataclass(frozen=True, eq=False, kw_only=True)
class DerivedObservation:
    """One observation space that the client computes.

    Attributes:
        name: ``InstCountDict``.
        needs: The service's observations that it is computed from.
        make_space: Makes the gymnasium space of its values.
        compute: Returns an element of the space, from the environment and the values of ``needs`` by name.
        deterministic: Whether the same state always gives the same value.
        platform_dependent: Whether the value depends on the machine.
    """

    name: str
    needs: tuple[str, ...]
    make_space: Callable[[], gymnasium.Space[Any]]
    compute: Callable[[LiveEnv, Mapping[str, Any]], Any]
    deterministic: bool = True
    platform_dependent: bool = False

    @cached_property
    def space(self) -> gymnasium.Space[Any]:
        """The gymnasium space of the values."""
        return self.make_space()

    @property
    def default(self) -> Any:  # noqa: ANN401 # of any space
        """What a failed step observes: the smallest element of ``space``."""
        return least(self.space)

    def view_in(self, outcome: StepOutcome, env: LiveEnv) -> Any:  # noqa: ANN401 # of any space
        """The value as plain Python or an array, from an outcome that has what it needs.

        Raises:
            InvalidAnswer: A value that it needs is not in the space that the service declares.
            InvalidInput: There is no value for this program, or on this machine.
            DeviceUnavailable: What it is measured on cannot be used now.
        """
        return self.compute(env, {need: outcome.view(need) for need in self.needs})

    def member_in(self, outcome: StepOutcome, env: LiveEnv) -> Any:  # noqa: ANN401 # of any space
        """The value as an element of ``space``; raises as :meth:`view_in`."""
        return _member(self.view_in(outcome, env), self.space)


def derived_observations(spec: EnvironmentSpec) -> dict[str, DerivedObservation]:
    """What an environment derives, by name."""
    return {one.name: one for one in _loaded(spec.derived)} if spec.derived else {}


@lru_cache(maxsize=64)
def _loaded(path: str) -> tuple[DerivedObservation, ...]:
    return tuple(load(path))


def _member(value: Any, space: gymnasium.Space[Any]) -> Any:  # noqa: ANN401 # of any space
    if isinstance(space, gymnasium.spaces.Dict):
        return {name: _member(value[name], inner) for name, inner in space.spaces.items()}
    return np.asarray(value, space.dtype) if isinstance(space, gymnasium.spaces.Box) else value


def least(space: gymnasium.Space[Any]) -> Any:  # noqa: ANN401 # of any space
    """The smallest element of a space, or zero where it contains zero; what is observed after a failure."""
    if isinstance(space, gymnasium.spaces.Box):
        return np.asarray(np.clip(np.zeros(space.shape, space.dtype), space.low, space.high))
    if isinstance(space, gymnasium.spaces.Text):
        return "0" * space.min_length
    if isinstance(space, gymnasium.spaces.Dict):
        return {name: least(inner) for name, inner in space.spaces.items()}
    if isinstance(space, gymnasium.spaces.Tuple):
        return tuple(least(inner) for inner in space.spaces)
    if isinstance(space, gymnasium.spaces.Sequence):
        return _empty(space)
    return 0


def _empty(space: gymnasium.spaces.Sequence) -> Any:  # noqa: ANN401 # an array or a tuple
    inner = space.feature_space
    if space.stack and isinstance(inner, gymnasium.spaces.Box):
        return np.empty((0, *inner.shape), inner.dtype)
    return ()
