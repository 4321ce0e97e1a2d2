"""LLVM sessions in which some costly values cannot be computed; loaded by name in session processes."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.errors import InvalidInput
from optarena.llvm.observations import OBSERVED
from optarena.llvm.session import ACTION_SETS, LlvmSession

if TYPE_CHECKING:
    from collections.abc import Callable


def _spin(_: LlvmSession) -> NoReturn:
    while True:
        pass


def _exhaust(_: LlvmSession) -> NoReturn:
    raise MemoryError


def _refuse(_: LlvmSession) -> NoReturn:
    raise InvalidInput("This program has none.")


def _break(_: LlvmSession) -> NoReturn:
    raise RuntimeError("broken")


WRONG: Final[dict[str, Callable[[LlvmSession], NoReturn]]] = {
    "IrInstructionCountOz": _spin,
    "LexedIr": _exhaust,
    "ObjectTextSizeBytes": lambda _: os.abort(),
    "ProgramlJson": _break,
    "TextSizeBytes": _refuse,
}


class CostlySession(LlvmSession):
    """A session with these values."""


CostlySession.set_spaces(
    ACTION_SETS,
    tuple(
        replace(one, compute=WRONG[one.name], numbers=None) if one.name in WRONG else one for one in OBSERVED
    ),
)
