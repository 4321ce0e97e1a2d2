"""The definition of an action space of the LLVM session."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from optarena.llvm.tables.words import WordTable
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Int64Box, Int64Tensor, Space

Table = TypeVar("Table", bound=WordTable)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.llvm.live_session import LiveSession
    from optarena.service.proto.compiler_gym_service_pb2 import Event


def multi_discrete(name: str, sizes: Sequence[int]) -> ActionSpace:
    """An action space with one choice in each component: ``sizes`` holds the number of choices of each.

    An action is an ``int64_tensor`` of shape ``(len(sizes),)``.
    """
    low = Int64Tensor(shape=[len(sizes)], value=[0] * len(sizes))
    high = Int64Tensor(shape=[len(sizes)], value=[size - 1 for size in sizes])
    return ActionSpace(name=name, space=Space(int64_box=Int64Box(low=low, high=high)))


class ActionSet(Protocol):
    """One action space and what its actions do.

    The session counts actions, limits growth and finds out whether an action had an effect; a set only
    carries actions out.
    """

    @property
    def message(self) -> ActionSpace:
        """The space as the service describes it."""

    def check(self, action: Event) -> None:
        """Refuse an action that is not in the space.

        Raises:
            InvalidAction: The action is not in the space.
        """

    def apply(self, session: LiveSession, action: Event) -> str:
        """Change the session's module, and return the name of the action for messages.

        Raises:
            ServiceError: LLVM reports an error.
        """


@dataclass(frozen=True, slots=True)
class StructuredActions(ABC, Generic[Table]):
    """The actions of a table that have several components: a space of one choice in each.

    Attributes:
        table: The actions.
    """

    table: Table

    @property
    def message(self) -> ActionSpace:
        """The space as the service describes it."""
        return multi_discrete(self.table.name, self.table.sizes)

    def check(self, action: Event) -> None:
        """Refuse what is not in the table.

        Raises:
            InvalidAction: A component is missing or out of range.
        """
        self._chosen(action)

    @abstractmethod
    def apply(self, session: LiveSession, action: Event) -> str:
        """Change the session's module, and return the name of the action for messages."""

    def _chosen(self, action: Event) -> tuple[int, ...]:
        """The action in its canonical form."""
        return self.table.check(list(action.int64_tensor.value))
