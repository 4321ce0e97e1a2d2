"""Blob storage: content addressed, checked whenever it is read for a replay, and by command."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from datasets import blobs
from datasets.errors import BlobDamagedError
from datasets.models import Blob

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.models import DatasetVersion

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


def test_a_file_is_stored_as_its_bytes_are(blob_root: Path) -> None:
    path = blob_root.parent / "file"
    path.write_bytes(b"some bytes")
    with path.open("rb") as file:
        blob = blobs.store_file(file, kind="x/y")
    assert blobs.read(blob) == b"some bytes"
    assert blobs.store(b"some bytes") == blob
    assert Blob.objects.get().media_type == "x/y"


def test_the_command_finds_nothing_where_all_is_well(
    version: DatasetVersion, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_blobs")
    assert "5 blobs" in capsys.readouterr().out


def test_the_command_names_every_blob_that_is_not_as_it_was(version: DatasetVersion, blob_root: Path) -> None:
    lost, damaged, longer = Blob.objects.filter(benchmarks__isnull=False).order_by("sha256")
    (blob_root / lost.storage_key).unlink()
    (blob_root / damaged.storage_key).write_bytes(b"x" * damaged.size_bytes)
    (blob_root / longer.storage_key).write_bytes(b"x" * (longer.size_bytes + 1))
    with pytest.raises(CommandError) as raised:
        call_command("check_blobs")
    assert raised.value.returncode == 1
    lines = str(raised.value).splitlines()
    assert [one.sha256 in line for one, line in zip((lost, damaged, longer), lines, strict=True)] == [
        True
    ] * 3
    assert ["missing" in line for line in lines] == [True, False, False]
    assert all("It belongs to: tiny-v0." in line for line in lines)
