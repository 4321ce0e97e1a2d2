"""A session whose structured actions crash, hang or fail on purpose; loaded by name in session processes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from optarena.llvm.action_sets import FunctionActions
from optarena.llvm.actions import Action
from optarena.llvm.observations import OBSERVED
from optarena.llvm.session import LlvmSession
from optarena.llvm.tables import FUNCTIONS, FunctionTable

CRASH: Final = "trigger-crash-function"
TABLE: Final = FunctionTable(
    "crashing-v0",
    (Action(0, CRASH, f"function({CRASH})", "function", "Crashes."), replace(FUNCTIONS.passes[0], index=1)),
)


class CrashingSession(LlvmSession):
    """A session with these actions only."""


CrashingSession.set_spaces((FunctionActions(TABLE),), OBSERVED)
