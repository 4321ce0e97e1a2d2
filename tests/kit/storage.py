"""A blob storage of the test's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings


def keep_blobs_in(settings: Settings, root: Path) -> Path:
    """Have blobs kept in a folder; the folder."""
    backend = dict(settings.STORAGES["blobs"])
    backend["OPTIONS"] = {**backend.get("OPTIONS", {}), "location": root}
    settings.STORAGES = {**settings.STORAGES, "blobs": backend}
    return root
