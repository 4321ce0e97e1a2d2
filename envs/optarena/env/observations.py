"""All observations of an environment, by name: those of its service and those that the client derives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium
import numpy as np

from optarena.env.derived import DerivedObservation
from optarena.env.spaces import ObservationSpec
from optarena.errors import InvalidInput
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.env.session_client import ServiceInfo, StepOutcome
    from optarena.specs.environment import LiveEnv

Observation: TypeAlias = ObservationSpec | DerivedObservation


def listed(field: str, names: Sequence[str]) -> list[str]:
    """The names of spaces that a step is called with.

    Raises:
        InvalidInput: They are not a list.
    """
    if not isinstance(names, (list, tuple)):
        message = f"{field} is {names!r:.200} ({type(names).__name__})."
        raise InvalidInput(message, field=field, value=names, remedy="Give a list of names.")
    return list(names)


class Observations(Mapping[str, Observation]):
    """The observation spaces of an environment; an unknown name is an error that names near matches.

    Args:
        service: What the service offers.
        derived: What the client derives. It knows more than a service, such as the workloads, so a name that
            the service offers, too, is the client's.
    """

    def __init__(self, service: ServiceInfo, derived: Mapping[str, DerivedObservation]) -> None:
        usable = {name: one for name, one in derived.items() if set(one.needs) <= set(service.observations)}
        self._all: dict[str, Observation] = {**usable, **service.observations, **usable}
        self._needed = lru_cache(maxsize=64)(self._find_needs)  # asked at every step

    def __getitem__(self, name: str) -> Observation:
        """The observation space of this name.

        Raises:
            UnknownName: There is no such observation space.
        """
        if name not in self:
            raise unknown_name("observation_space", name, list(self._all))
        return self._all[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def is_derived(self, name: str) -> bool:
        """Whether the client computes the observation, and no service."""
        return isinstance(self[name], DerivedObservation)

    def needs(self, names: Iterable[str]) -> Sequence[str]:
        """What the service must observe to give the values of ``names``, each once."""
        wanted = tuple(names)
        is_text = all(isinstance(name, str) for name in wanted)
        return self._needed(wanted) if is_text else self._find_needs(wanted)

    def _find_needs(self, names: tuple[str, ...]) -> tuple[str, ...]:
        needed: dict[str, None] = {}
        for name in names:
            one = self[name]
            needed.update(dict.fromkeys(one.needs if isinstance(one, DerivedObservation) else (name,)))
        return tuple(needed)

    def view(self, name: str, outcome: StepOutcome, env: LiveEnv) -> Any:  # noqa: ANN401 # of any space
        """A value as plain Python or an array, from an outcome that has what it needs.

        Raises:
            InvalidAnswer: The value is not in the space that the service declares.
            InvalidInput: There is no value for this program, or on this machine.
            DeviceUnavailable: What it is measured on cannot be used now.
        """
        one = self[name]
        if isinstance(one, ObservationSpec):
            return one.view(outcome.told(name))
        return one.compute(env, {need: outcome.view(need) for need in one.needs})

    def member(self, name: str, outcome: StepOutcome, env: LiveEnv) -> Any:  # noqa: ANN401 # of the space
        """A value as an element of its space, from an outcome that has what it needs.

        Raises:
            InvalidAnswer: The value is not in the space that the service declares.
            InvalidInput: There is no value for this program, or on this machine.
            DeviceUnavailable: What it is measured on cannot be used now.
        """
        one = self[name]
        if isinstance(one, ObservationSpec):
            return one.member(outcome.told(name))
        value, space = self.view(name, outcome, env), one.space
        return np.asarray(value, space.dtype) if isinstance(space, gymnasium.spaces.Box) else value
