"""The session parameters by which clients written for CompilerGym set up a session.

A client reads the numbers of runs whenever it copies a session, so a session keeps them, although a service
runs no programs: see ``observations.COMPILER_GYM``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX: Final = "llvm."
# The numbers of runs, each with its smallest value, which is the first one, too.
_COUNTS: Final = {
    "runtimes_per_observation_count": 1,
    "warmup_runs_count_per_runtime_observation": 0,
}
# It optimises the program, as no action does.
BASELINE: Final = f"{_PREFIX}apply_baseline_optimizations"
_LEVELS: Final = ("-O0", "-O3", "-Oz")
_NUMBER: Final = re.compile("[0-9]{1,6}")


class Parameters:
    def __init__(self, optimise: Callable[[str], None]) -> None:
        self._optimise = optimise
        self._counts = dict(_COUNTS)

    def handle(self, key: str, value: str) -> str | None:
        if key == BASELINE:
            return self._apply(value)
        action, _, name = key.removeprefix(_PREFIX).partition("_")
        if name not in self._counts or not key.startswith(_PREFIX):
            return None
        if action == "get":
            return str(self._counts[name])
        if action == "set":
            self._counts[name] = _count(key, value, _COUNTS[name])
            return value
        return None

    def _apply(self, value: str) -> str:
        if value not in _LEVELS:
            remedy = f"Give one of {', '.join(_LEVELS)}."
            raise InvalidInput(f"{BASELINE} is {value!r:.80}.", field=BASELINE, value=value, remedy=remedy)
        self._optimise(value.removeprefix("-"))
        return "succeeded"


def _count(key: str, value: str, least: int) -> int:
    if _NUMBER.fullmatch(value) and int(value) >= least:
        return int(value)
    remedy = f"Give a number, {least} or more, of at most 6 digits."
    raise InvalidInput(f"{key} is {value!r:.80}.", field=key, value=value, remedy=remedy)
