"""Folders of its own for a test that downloads, and a server to download from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from optarena.datasets import remote
from tests.kit.dataset_server import DatasetServer, make_dataset, serving

if TYPE_CHECKING:
    from pathlib import Path


NAMES = ("one", "two", "sub/three", "four")


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache and an empty folder of installed datasets, and no server in the variables."""
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    for name in ("OPTARENA_URL", "OPTARENA_TOKEN", "OPTARENA_DATASET_CACHE_BYTES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(remote, "_answers", {})
    return tmp_path


@pytest.fixture
def server(own_folders: Path) -> Iterator[DatasetServer]:
    with serving(make_dataset(own_folders / "made/remote-v0", *NAMES)) as known:
        yield known


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails is not tried again, to save time."""
    monkeypatch.setattr("optarena.client.RETRIES", 0)
