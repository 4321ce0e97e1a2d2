"""The datasets that ``optarena.register`` has made known; ``registry`` finds them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.datasets.base import BaseDataset

folders: Final[list[Path]] = []
"""Folders with one folder for each stored dataset."""
computed: Final[list[BaseDataset]] = []
"""Datasets outside of these folders: ranges of computed benchmarks, and files."""
