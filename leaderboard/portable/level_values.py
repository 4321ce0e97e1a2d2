"""What programs measure as given and at one of the compiler's own levels; a process of its own.

A compiler that crashes must not take the sweeper with it, and is not given the server's secrets. Run as
``python -P level_values.py``; a JSON object on the standard input names an environment, an observation, a
level and the programs, and a JSON list of pairs is printed. A generated program stays in the cache folder, so
that the caller need not make it again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from optarena.service.processes.folders import importing_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

_START_SECONDS: Final = 60.0
# Generating a program takes half a second; the sweeper waits for the process.
_PROGRAM_SECONDS: Final = 5.0
_SAID: Final = 500


class LevelsUnknown(Exception):
    """The values could not be measured; the message has the end of what the process said."""


def level_values(
    *, environment: str, observation: str, level: str, uris: Sequence[str]
) -> list[tuple[float, float]]:
    # The observation with the level behind its name is the level's.
    asked = {"environment": environment, "observation": observation, "level": level, "uris": list(uris)}
    try:
        done = folders.run(
            [sys.executable, "-P", str(Path(__file__).resolve())],
            seconds=_START_SECONDS + _PROGRAM_SECONDS * len(uris),
            given=json.dumps(asked),
            environment=importing_environment(PLUGINS_VARIABLE, memory.VARIABLE),
            directory="/",
        )
        answer = json.loads(done.printed)
    except OSError as error:
        raise LevelsUnknown(str(error)) from error
    except ValueError as error:  # it printed no answer
        raise LevelsUnknown(done.said[-_SAID:] or f"It ended with code {done.code}.") from error
    found = [(float(given), float(at_level)) for given, at_level in answer]
    if len(found) != len(uris) or any(value <= 0 for pair in found for value in pair):
        raise LevelsUnknown(f"The process answered {found}.")
    return found


def _measure(asked: dict[str, Any]) -> list[tuple[float, float]]:
    import gymnasium  # noqa: PLC0415 - only the process itself needs it

    names = [asked["observation"], f"{asked['observation']}{asked['level']}"]
    found = []
    with gymnasium.make(asked["environment"]) as env:
        for uri in asked["uris"]:
            env.reset(options={"benchmark": uri})
            given, at_level = (float(env.unwrapped.observation[name]) for name in names)  # type: ignore[attr-defined] # a CompilerEnv
            found.append((given, at_level))
    return found


if __name__ == "__main__":
    json.dump(_measure(json.load(sys.stdin)), sys.stdout)
