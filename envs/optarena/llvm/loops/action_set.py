"""Decisions on loops and calls as an action space of the LLVM session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.llvm.action_sets.definition import StructuredActions
from optarena.llvm.loops import inlining, looping
from optarena.llvm.loops.decisions import DecisionKind, DecisionTable

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession
    from optarena.service.proto.compiler_gym_service_pb2 import Event


class LoopActions(StructuredActions[DecisionTable]):
    """The decisions of a table: a space of one choice in each component."""

    __slots__ = ()

    def apply(self, session: LiveSession, action: Event) -> str:
        """Carry the decision out if its row exists and LLVM can.

        Raises:
            ServiceError: LLVM reports an error.
        """
        chosen = self._chosen(action)
        decision, row = self.table.decisions[chosen[0]], chosen[1]
        if decision.kind is DecisionKind.LOOP:
            looping.decide(session.module, row, decision)
        elif decision.kind is DecisionKind.SITE:
            inlining.decide(session.module, row, decision)
        else:
            session.module.run(decision.pipeline)
        return self.table.text(chosen)
