"""The sessions of ``optarena/llvm-loops-v0`` and ``llvm-finer-v0``: with decisions on loops and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.llvm.action_sets import StructuredActions
from optarena.llvm.loops import looping
from optarena.llvm.loops.decisions import LOOPS, DecisionKind, DecisionTable
from optarena.llvm.observations import OBSERVED
from optarena.llvm.session import ACTION_SETS, LlvmSession

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Benchmark, Event


class LoopActions(StructuredActions[DecisionTable]):
    __slots__ = ()

    def apply(self, session: LlvmSession, action: Event) -> str:
        chosen = self._chosen(action)
        decision, row = self.table.decisions[chosen[0]], chosen[1]
        if decision.kind is DecisionKind.LOOP:
            looping.decide_loop(session.module, row, decision)
        elif decision.kind is DecisionKind.SITE:
            looping.decide_call(session.module, row, decision)
        else:
            session.module.run(decision.pipeline)
        return self.table.text(chosen)


class LlvmLoopsSession(LlvmSession):
    """A session whose actions are decisions on single loops and calls."""

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        looping.keep_order()
        super().__init__(working_directory, action_space, benchmark)

    @classmethod
    def finish_preloading(cls) -> None:
        super().finish_preloading()
        looping.keep_order()


class LlvmFinerSession(LlvmLoopsSession):
    """A session with every action space of the curated passes, and decisions on single loops and calls."""


LlvmLoopsSession.set_spaces((LoopActions(LOOPS),), OBSERVED)
LlvmFinerSession.set_spaces((*ACTION_SETS, LoopActions(LOOPS)), OBSERVED)
