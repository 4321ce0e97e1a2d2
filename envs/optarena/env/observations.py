"""All observations of an environment, by name: those of its service and those that the client derives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from optarena.env.derived import DerivedObservation
from optarena.env.spaces import ObservationSpec
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from optarena.env.session_client import ServiceInfo

Observation: TypeAlias = ObservationSpec | DerivedObservation


class Observations(Mapping[str, Observation]):
    """The observation spaces of an environment; an unknown name is an error that names near matches.

    Args:
        service: What the service offers.
        derived: What the client derives. It knows more than a service, such as the workloads, so a name that
            the service offers, too, is the client's.

    Attributes:
        by_name: The same spaces, for names that are known to be right.
        needed: As :meth:`needs`, for a tuple of such names.
    """

    def __init__(self, service: ServiceInfo, derived: Mapping[str, DerivedObservation]) -> None:
        usable = {name: one for name, one in derived.items() if set(one.needs) <= set(service.observations)}
        self.by_name: dict[str, Observation] = {**usable, **service.observations, **usable}
        self.needed = lru_cache(maxsize=64)(self._find_needs)  # asked at every step

    def __getitem__(self, name: str) -> Observation:
        if name not in self:
            raise unknown_name("observation_space", name, list(self.by_name))
        return self.by_name[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)

    def needs(self, names: Iterable[str]) -> Sequence[str]:
        """What the service must observe to give the values of ``names``, each once."""
        wanted = tuple(names)
        is_text = all(isinstance(name, str) for name in wanted)
        return self.needed(wanted) if is_text else self._find_needs(wanted)

    def _find_needs(self, names: tuple[str, ...]) -> tuple[str, ...]:
        needed: dict[str, None] = {}
        for name in names:
            one = self[name]
            needed.update(dict.fromkeys(one.needs if isinstance(one, DerivedObservation) else (name,)))
        return tuple(needed)
