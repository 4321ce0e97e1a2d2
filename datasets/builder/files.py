"""Files and folders that appear whole or not at all, however a build ends."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_whole(target: Path, data: bytes) -> None:
    """Write a file under another name, then give it its own."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".part-", delete=False) as part:
        try:
            part.write(data)
            part.close()
            Path(part.name).replace(target)
        finally:
            Path(part.name).unlink(missing_ok=True)


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """A folder to fill; it becomes ``target`` at the end, unless somebody else was faster or it failed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as name:
        fresh = Path(name) / "fresh"
        fresh.mkdir()
        yield fresh
        with suppress(OSError):  # it is there already, with the same content
            fresh.rename(target)


def replace_folder(fresh: Path, target: Path) -> None:
    """Put a folder in the place of another, which is gone afterwards."""
    old = fresh.with_name("old")
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
