"""Actions that are passes of a table, by index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, NamedDiscreteSpace, Space

if TYPE_CHECKING:
    from optarena.llvm.actions import PassTable
    from optarena.llvm.live_session import LiveSession


@dataclass(frozen=True, slots=True)
class PassActions:
    """The passes of a table: a named discrete space.

    Attributes:
        table: The passes.
    """

    table: PassTable

    @property
    def message(self) -> ActionSpace:
        """The space as the service describes it."""
        names = NamedDiscreteSpace(name=list(self.table.names))
        return ActionSpace(name=self.table.name, space=Space(named_discrete=names))

    def check(self, action: Event) -> None:
        """Refuse indices outside of the table.

        Raises:
            InvalidAction: The index is not in the table.
        """
        self.table.action(action.int64_value)

    def apply(self, session: LiveSession, action: Event) -> str:
        """Run the pass.

        Raises:
            ServiceError: The pass reports an error.
        """
        chosen = self.table.action(action.int64_value)
        session.module.run(chosen.pipeline)
        return chosen.name
