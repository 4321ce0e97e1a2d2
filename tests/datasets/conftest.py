"""Small real datasets in folders, and a blob storage of the test's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.services import load_dataset, load_range
from tests.kit.manifests import LOOPS, Folder, entry, manifest
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from datasets.models import DatasetVersion


@pytest.fixture(autouse=True)
def blob_root(settings: Settings, tmp_path: Path) -> Path:
    """Blobs are kept in the test's own folder."""
    return keep_blobs_in(settings, tmp_path / "blobs")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A dataset of three programs, not loaded yet."""
    path = tmp_path / "tiny-v0"
    path.mkdir()
    names = ("alpha", "beta", "gamma")
    programs = {name: b"BC\xc0\xde" + name.encode() * 50 for name in names}
    for name, program in programs.items():
        (path / f"{name}.bc").write_bytes(program)
    made = Folder(path, manifest("tiny-v0", [entry("tiny-v0", name, programs[name]) for name in names]))
    made.write()
    return made


@pytest.fixture
def version(db: None, folder: Folder) -> DatasetVersion:
    """The tiny dataset, loaded."""
    return load_dataset(manifest_dir=folder.path)


@pytest.fixture
def loops_version(db: None) -> DatasetVersion:
    """A dataset whose programs are computed: one row for 1 to 4096."""
    return load_range(dataset=LOOPS)
