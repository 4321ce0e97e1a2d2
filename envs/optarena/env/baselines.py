"""Baselines that benchmarks do not record, kept on this machine: a compiler's own levels take long to run.

A value is kept in memory and in a file of its own below ``$OPTARENA_CACHE``, by the hash of the program, the
observation, and the version digest of the environment. Files are replaced as a whole, so writers do not
disturb each other. A file that is torn, or is for something else, is like one that does not exist, and a
folder that cannot be written is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import secrets
from typing import TYPE_CHECKING, Any, Final

from optarena import paths

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.specs import EnvironmentSpec

MAX_FILES: Final = 10_000
"""How many files the folder may have; half of them, those written first, are removed when there are more."""
_MAX_REMEMBERED: Final = 10_000
_WRITES_PER_CHECK: Final = 500
"""How many values this process writes between two looks at the number of files."""
_FORMAT: Final = 1

_remembered: dict[str, float] = {}
_written = 0


class KnownBaselines:
    """The baselines of one environment that are known on this machine. Thread-safe.

    Args:
        environment: The environment; its version digest and its variables are part of every name.
    """

    def __init__(self, environment: EnvironmentSpec) -> None:
        variables = [[name, os.environ.get(name, "")] for name in environment.variables]
        self._version = json.dumps([_FORMAT, environment.digest, environment.service, variables])

    def get(self, sha256: str, observation: str) -> float | None:
        """The value of an observation of a program, None if it is not known.

        Args:
            sha256: The hash of the program.
            observation: Name of the observation space.
        """
        name = self._name(sha256, observation)
        if name not in _remembered:
            value = _read(name, self._content(sha256, observation))
            if value is None:
                return None
            _remember(name, value)
        return _remembered.get(name)

    def put(self, sha256: str, observation: str, value: float) -> None:
        """Keep a value that a session has computed before its first action."""
        name = self._name(sha256, observation)
        _remember(name, value)
        with contextlib.suppress(OSError):  # no home, a full disk, a folder that may not be written
            _write(name, {**self._content(sha256, observation), "value": value})

    def _name(self, sha256: str, observation: str) -> str:
        return hashlib.sha256(f"{self._version}\n{sha256}\n{observation}".encode()).hexdigest()

    def _content(self, sha256: str, observation: str) -> dict[str, Any]:
        return {"version": self._version, "program": sha256, "observation": observation}


def folder() -> Path:
    """The folder of the files."""
    return paths.cache() / "baselines"


def _remember(name: str, value: float) -> None:
    _remembered[name] = value
    while len(_remembered) > _MAX_REMEMBERED:
        with contextlib.suppress(StopIteration, RuntimeError):  # another thread did it
            _remembered.pop(next(iter(_remembered)), None)


def _read(name: str, expected: dict[str, Any]) -> float | None:
    try:
        content = json.loads((folder() / f"{name}.json").read_bytes())
        value = content.pop("value")
        number = float(value)
    except (OSError, ValueError, OverflowError, KeyError, AttributeError, TypeError, RecursionError):
        return None
    usable = type(value) in (int, float) and math.isfinite(number)
    return number if usable and content == expected else None


def _write(name: str, content: dict[str, Any]) -> None:
    global _written  # noqa: PLW0603 # of the process: it saves looking at the folder each time
    target = folder() / f"{name}.json"
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _written % _WRITES_PER_CHECK == 0:
        _make_room(target.parent)
    _written += 1
    part = target.with_name(f".{name}.{secrets.token_hex(8)}")
    try:
        part.write_text(json.dumps(content))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _make_room(files: Path) -> None:
    """Remove the oldest half of the files if there are too many, with those of writers that died."""
    with os.scandir(files) as listed:
        dated = sorted((entry.stat().st_mtime_ns, entry.path) for entry in listed if entry.is_file())
    for _, path in dated[: len(dated) // 2] if len(dated) > MAX_FILES else []:
        with contextlib.suppress(FileNotFoundError):  # another process removes them, too
            os.unlink(path)  # noqa: PTH108 # of thousands
