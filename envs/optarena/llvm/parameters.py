"""The session parameters by which clients written for CompilerGym set up a session.

A client reads the numbers of runs whenever it copies a session, so a session keeps them, although a service
runs no programs: see ``observations.COMPILER_GYM``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from optarena.errors import InvalidInput

# The numbers of runs, each with its smallest value, which is the first one, too.
_COUNTS: Final = {"runtimes_per_observation_count": 1, "warmup_runs_count_per_runtime_observation": 0}
_KEY: Final = re.compile(rf"llvm\.(get|set)_({'|'.join(_COUNTS)})")
# It optimises the program, as no action does.
BASELINE: Final = "llvm.apply_baseline_optimizations"
_NUMBER: Final = re.compile("[0-9]{1,6}")


class Parameters:
    def __init__(self) -> None:
        self._counts = dict(_COUNTS)

    def handle(self, key: str, value: str, optimise: Callable[[str], None]) -> str | None:
        if key == BASELINE:
            if not value.startswith("-O"):
                raise _refused(key, value, "Give a level, such as -Oz.")
            try:
                optimise(value.removeprefix("-"))
            except InvalidInput as error:
                message = f"{key}: {error.message}"
                raise InvalidInput(message, field=key, value=value, remedy=error.remedy) from error
            return "succeeded"
        match = _KEY.fullmatch(key)
        if match is None:
            return None
        action, name = match.groups()
        if action == "get":
            return str(self._counts[name])
        if not _NUMBER.fullmatch(value) or int(value) < _COUNTS[name]:
            raise _refused(key, value, f"Give a number, {_COUNTS[name]} or more, of at most 6 digits.")
        self._counts[name] = int(value)
        return value


def _refused(key: str, value: str, remedy: str) -> InvalidInput:
    return InvalidInput(f"{key} is {value!r:.80}.", field=key, value=value, remedy=remedy)
