"""What the generators' programs of others say of their version."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

from optarena.llvm import toolchain

_SECONDS: Final = 60.0


def said_version(path: str) -> str:
    """What a program prints when it is asked for its version; asked once, until the file is another.

    Args:
        path: Of the program.

    Returns:
        Its words, or why there are none.
    """
    try:
        changed = Path(path).stat().st_mtime_ns
    except OSError as error:
        return f"no working program ({error})"
    return _said(path, changed)


@lru_cache(maxsize=8)
def _said(path: str, changed: int) -> str:  # noqa: ARG001 # a new file is asked again
    with tempfile.TemporaryDirectory(prefix="optarena-version-") as folder:
        try:
            return toolchain.run([path, "--version"], folder=Path(folder), seconds=_SECONDS).said
        except (OSError, TimeoutError) as error:
            return f"no working program ({error})"
