"""Actions that are passes of a table, by index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, CommandlineSpace, Event, Space

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optarena.llvm.actions import PassTable
    from optarena.llvm.live_session import LiveSession


def commandline(name: str, words: Iterable[str]) -> ActionSpace:
    """An action space whose actions' words, one after another, are a command line."""
    space = Space()
    space.any_value.Pack(CommandlineSpace(name=words))
    return ActionSpace(name=name, space=space)


@dataclass(frozen=True, slots=True)
class PassActions:
    """The passes of a table by their names: a command-line space, of which every client makes a state.

    Attributes:
        table: The passes.
    """

    table: PassTable

    @property
    def message(self) -> ActionSpace:
        """The space as the service describes it."""
        return commandline(self.table.name, self.table.names)

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

    def finish(self, session: LiveSession, action: Event, error: int | None) -> str:
        """The same for a pass that has run, and has returned this ``LLVMErrorRef``, if any."""
        chosen = self.table.action(action.int64_value)
        session.module.check_passes(error, chosen.pipeline)
        return chosen.name
