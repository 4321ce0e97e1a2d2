"""Files for what a search finds: replaced as a whole, and tried before the work that fills them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def check_writable(path: Path) -> None:
    """Make the folder of a file, and try whether the file can be written there, which is not touched.

    Raises:
        OSError: It cannot.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = _part(path)
    part.touch()
    part.unlink()


def replace_file(path: Path, text: str) -> None:
    """Write a file so that there is either the former content or the whole new one.

    Raises:
        OSError: It cannot be written; the former one is still there.
    """
    part = _part(path)
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
