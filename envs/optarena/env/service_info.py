"""What a service offers: its compiler, its action spaces, its observation spaces, found by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from gymnasium.spaces import Discrete

from optarena.actions import is_structured
from optarena.env.spaces import ObservationSpec, action_space
from optarena.errors import InvalidAnswer, InvalidInput
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.actions import ActionTable
    from optarena.service.client.interface import Connection
    from optarena.specs import EnvironmentSpec


@dataclass(frozen=True, slots=True, eq=False)
class ServiceInfo:
    """What a service offers; the same for all its sessions."""

    compiler_version: str
    action_spaces: tuple[pb.ActionSpace, ...]
    observations: Mapping[str, ObservationSpec]

    @classmethod
    def ask(cls, connection: Connection) -> Self:
        """Ask a service what it offers; raises as :meth:`of`."""
        spaces = connection.get_spaces(pb.GetSpacesRequest())
        return cls.of(connection.get_version(pb.GetVersionRequest()).compiler_version, spaces)

    @classmethod
    def of(cls, compiler_version: str, spaces: pb.GetSpacesReply) -> Self:
        """What a service has told about itself.

        Raises:
            InvalidAnswer: One of its spaces cannot be used.
        """
        listed = [ObservationSpec(index, each) for index, each in enumerate(spaces.observation_space_list)]
        if not spaces.action_space_list:
            raise InvalidAnswer("The service offers no action space.")
        for each in spaces.action_space_list:
            action_space(each)
        for spec in listed:
            if not spec.is_packed:
                _ = spec.space  # kept by the spec
        return cls(
            compiler_version=compiler_version,
            action_spaces=tuple(spaces.action_space_list),
            observations={spec.name: spec for spec in listed},
        )

    def action_space_index(self, name: str) -> int:
        """The index of the action space of this name.

        Raises:
            UnknownName: There is no such space.
        """
        names = [space.name for space in self.action_spaces]
        if name not in names:
            raise unknown_name("action_space", name, names)
        return names.index(name)

    def check_actions(self, environment: EnvironmentSpec) -> None:
        """Check that this is a service of the environment: its actions are those of the tables, in order.

        Raises:
            InvalidInput: The service is for another environment, or of another version.
        """
        first, *further = self.action_spaces
        tables = {table.name: table for table in environment.further_tables}
        pairs = [(first, environment.action_table)]
        pairs += [(one, tables[one.name]) for one in further if one.name in tables and _has_names(one)]
        for space, table in pairs:
            if not _is_of(space, table):
                compiler = self.compiler_version or "an unnamed compiler"
                message = (
                    f"The service of {compiler} does not offer the actions of {environment.id} in its action "
                    f"space {space.name!r:.100}."
                )
                remedy = (
                    "Start the service of this environment, in the same version of optarena; an action table "
                    "of your own needs the names that its service has, in the same order; for numbers "
                    "alone, as many names."
                )
                raise InvalidInput(message, field="service", value=compiler, remedy=remedy)

    def observation(self, name: str) -> ObservationSpec:
        """The observation space of this name.

        Raises:
            UnknownName: There is no such space.
        """
        if name not in self.observations:
            raise unknown_name("observation_space", name, list(self.observations))
        return self.observations[name]


def _has_names(space: pb.ActionSpace) -> bool:
    return bool(space.space.WhichOneof("value") == "named_discrete")


def _is_of(space: pb.ActionSpace, table: ActionTable) -> bool:
    """Whether an action means the same in a space and in a table, as far as the space tells it.

    Actions of several parts have no names, and a service may have numbers only.
    """
    if is_structured(table):
        return space.name == table.name
    converted = action_space(space)
    names = getattr(converted, "names", None)
    if names is None and isinstance(converted, Discrete):
        return (converted.start, converted.n) == (0, len(table.names))
    return tuple(names or ()) == tuple(table.names)
