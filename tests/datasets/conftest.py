"""Small real datasets in folders, and a blob storage of the test's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.loading import load_dataset, load_range
from tests.kit.manifests import LOOPS, Folder, tiny_folder
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from datasets.models import DatasetVersion


@pytest.fixture(autouse=True)
def blob_root(settings: Settings, tmp_path: Path) -> Path:
    return keep_blobs_in(settings, tmp_path / "blobs")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return tiny_folder(tmp_path)


@pytest.fixture
def version(db: None, folder: Folder) -> DatasetVersion:
    return load_dataset(manifest_dir=folder.path)


@pytest.fixture
def loops_version(db: None) -> DatasetVersion:
    """A dataset whose programs are computed: one row for 1 to 4096."""
    return load_range(dataset=LOOPS)
