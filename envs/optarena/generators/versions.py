"""Reads the versions of the generators' external tools."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

from optarena.llvm import toolchain

_SECONDS: Final = 60.0


def said_version(path: str) -> str:
    """The output of ``--version`` of a program; run once, until the file changes.

    Args:
        path: The program's path.

    Returns:
        The output, or why there is none.
    """
    try:
        changed = Path(path).stat().st_mtime_ns
    except OSError as error:
        return f"not a working program ({error})"
    return _said(path, changed)


@lru_cache(maxsize=8)
def _said(path: str, changed: int) -> str:  # noqa: ARG001 # a key of the cache
    with tempfile.TemporaryDirectory(prefix="optarena-version-") as folder:
        try:
            return toolchain.run([path, "--version"], folder=Path(folder), seconds=_SECONDS).said
        except (OSError, TimeoutError) as error:
            return f"not a working program ({error})"
