"""The functions that actions can name by number."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from optarena.llvm import printing
from optarena.llvm.observations.definition import text

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession


def _functions(session: LiveSession) -> str:
    defined = set(session.module.function_names())
    return json.dumps([printing.name(name) if name in defined else None for name in session.function_names])


OBSERVED: Final = (text("Functions", _functions),)
"""``Functions``: a JSON list of the functions that the original program defines, by number; null for one that
the program does not define any more, on which function passes have no effect."""
