"""Blob storage: content addressed, checked whenever read."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from datasets import blobs
from datasets.errors import BlobDamagedError
from datasets.models import Blob

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def test_a_blob_reads_back_as_written() -> None:
    blob = blobs.store(b"some bytes")
    assert blob.sha256 == hashlib.sha256(b"some bytes").hexdigest()
    assert blobs.read(blob) == b"some bytes"


def test_storing_twice_keeps_one_file_and_one_row(blob_root: Path) -> None:
    assert blobs.store(b"x") == blobs.store(b"x")
    assert Blob.objects.count() == 1
    assert len([path for path in blob_root.rglob("*") if path.is_file()]) == 1


def test_damaged_bytes_are_never_returned(blob_root: Path) -> None:
    blob = blobs.store(b"some bytes")
    (blob_root / blob.storage_key).write_bytes(b"evil bytes")
    with pytest.raises(BlobDamagedError, match="damaged"):
        blobs.read(blob)


def test_missing_bytes_say_what_to_do(blob_root: Path) -> None:
    blob = blobs.store(b"some bytes")
    (blob_root / blob.storage_key).unlink()
    with pytest.raises(BlobDamagedError, match="load its dataset again"):
        blobs.read(blob)
