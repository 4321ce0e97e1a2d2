"""State folders, and the processes that belong to one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.kit.folders import short_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A short folder that everybody can pass."""
    path = short_folder(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def closed_folder(open_folder: Path) -> Path:
    """A short folder below one that only its owner can pass."""
    path = open_folder / "closed"
    path.mkdir(mode=0o700)
    return path
