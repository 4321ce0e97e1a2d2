"""Passes of a table by index, in a space whose names are the texts for ``opt``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optarena.llvm.action_sets.passes import PassActions, commandline

if TYPE_CHECKING:
    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace


@dataclass(frozen=True, slots=True)
class CommandlineActions(PassActions):
    """The passes of a table: a command-line space."""

    @property
    def message(self) -> ActionSpace:
        """The space as the service describes it."""
        return commandline(self.table.name, (action.pipeline for action in self.table.actions))
