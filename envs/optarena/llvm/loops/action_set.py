"""Decisions on loops and calls as an action space of the LLVM session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optarena.llvm.action_sets.definition import multi_discrete
from optarena.llvm.loops import inlining, looping
from optarena.llvm.loops.decisions import Kind

if TYPE_CHECKING:
    from optarena.llvm.loops.decisions import DecisionTable
    from optarena.llvm.session import LlvmSession
    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event


@dataclass(frozen=True, slots=True)
class LoopActions:
    """The decisions of a table: a space of one choice in each component.

    Attributes:
        table: The decisions.
    """

    table: DecisionTable

    @property
    def message(self) -> ActionSpace:
        """The space as the service describes it."""
        return multi_discrete(self.table.name, self.table.sizes)

    def check(self, action: Event) -> None:
        """Refuse what is not in the table.

        Raises:
            InvalidAction: A component is missing or out of range.
        """
        self.table.check(list(action.int64_tensor.value))

    def apply(self, session: LlvmSession, action: Event) -> str:
        """Carry the decision out, where its row exists and LLVM does it.

        Raises:
            ServiceError: LLVM reports an error.
        """
        chosen = self.table.check(list(action.int64_tensor.value))
        decision, row = self.table.decisions[chosen[0]], chosen[1]
        if decision.kind is Kind.LOOP:
            looping.decide(session.module, row, decision)
        elif decision.kind is Kind.SITE:
            inlining.decide(session.module, row, decision)
        else:
            session.module.run(decision.pipeline)
        return self.table.text(chosen)
