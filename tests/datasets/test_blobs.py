"""Blob storage: content addressed, checked whenever it is read for a replay, and by command."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from datasets import store
from datasets.loading import load_dataset
from datasets.models import Blob
from datasets.store import BlobDamagedError
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from datasets.models import DatasetVersion

pytestmark = pytest.mark.django_db


def test_a_blob_reads_back_as_written() -> None:
    blob = store.store(b"some bytes")
    assert blob.sha256 == hashlib.sha256(b"some bytes").hexdigest()
    assert store.read(blob) == b"some bytes"


def test_storing_twice_keeps_one_file_and_one_row(blob_root: Path) -> None:
    assert store.store(b"x") == store.store(b"x")
    assert Blob.objects.count() == 1
    assert len([path for path in blob_root.rglob("*") if path.is_file()]) == 1


def test_damaged_bytes_are_never_returned(blob_root: Path) -> None:
    blob = store.store(b"some bytes")
    (blob_root / blob.storage_key).write_bytes(b"evil bytes")
    with pytest.raises(BlobDamagedError, match="damaged"):
        store.read(blob)


def test_missing_bytes_say_what_to_do(blob_root: Path) -> None:
    blob = store.store(b"some bytes")
    (blob_root / blob.storage_key).unlink()
    with pytest.raises(BlobDamagedError, match="load its dataset again"):
        store.read(blob)


def test_a_file_is_stored_as_its_bytes_are(blob_root: Path) -> None:
    path = blob_root.parent / "file"
    path.write_bytes(b"some bytes")
    with path.open("rb") as file:
        blob = store.store_file(file, kind="x/y")
    assert store.read(blob) == b"some bytes"
    assert store.store(b"some bytes") == blob
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


def test_a_file_appears_whole_or_not_at_all(blob_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = store.store(b"some bytes")
    path = blob_root / blob.storage_key
    path.write_bytes(b"half")

    def looked(number: int) -> None:
        seen.append(path.read_bytes())
        flush(number)

    seen: list[bytes] = []
    flush = os.fsync
    monkeypatch.setattr(os, "fsync", looked)
    store.store(b"some bytes")
    assert seen == [b"half", b"some bytes"]
    assert [file.name for file in blob_root.rglob("*") if file.is_file()] == [path.name]


def test_what_another_writer_left_half_written_harms_nobody(blob_root: Path) -> None:
    sha256 = hashlib.sha256(b"some bytes").hexdigest()
    part = blob_root / sha256[:2] / f"{sha256}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"ha")
    assert store.read(store.store(b"some bytes")) == b"some bytes"
    assert part.read_bytes() == b"ha"


def test_a_file_that_cannot_get_its_name_leaves_nothing(blob_root: Path) -> None:
    sha256 = hashlib.sha256(b"some bytes").hexdigest()
    (blob_root / sha256[:2] / sha256 / "inner").mkdir(parents=True)
    with pytest.raises(OSError, match=sha256):
        store.store(b"some bytes")
    assert not [file for file in blob_root.rglob("*") if file.is_file()]


@pytest.fixture
def leftover(folder: Any, blob_root: Path) -> Path:
    """A program of a load that failed after it had written its files."""
    load_dataset(manifest_dir=folder.path)
    blob = store.write(b"left over")
    return blob_root / blob.storage_key


def told(capsys: pytest.CaptureFixture[str], **options: bool) -> str:
    call_command("check_blobs", **options)
    return capsys.readouterr().out


def test_the_command_lists_what_nothing_refers_to(leftover: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unused = store.store(b"with a row")
    out = told(capsys)
    assert f"{leftover.parent.name}/{leftover.name}: nothing refers to it" in out
    assert f"{unused.storage_key}: nothing refers to it" in out
    assert out.count("nothing refers") == 2
    assert leftover.exists()


def test_the_command_removes_what_is_old(
    leftover: Path, blob_root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unused = store.store(b"with a row")
    out = told(capsys, remove_unused=True)
    assert out.count("younger than an hour") == 2
    assert leftover.exists()
    for path in (file for file in blob_root.rglob("*") if file.is_file()):
        os.utime(path, (1e9, 1e9))
    store.store(b"left over")  # a load that begins now counts on it
    assert "1 blobs" not in (out := told(capsys, remove_unused=True))
    assert f"{unused.storage_key}: removed" in out
    assert (leftover.exists(), Blob.objects.filter(pk=unused.pk).exists()) == (True, False)
    os.utime(leftover, (1e9, 1e9))
    assert "5 blobs" in told(capsys, remove_unused=True)
    assert not leftover.exists()


def test_an_empty_storage_has_nothing_unused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "0 blobs" in told(capsys, remove_unused=True)


def test_the_commands_name_a_folder_that_cannot_be_used(
    folder: Any, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "no-folder"
    file.write_bytes(b"")
    keep_blobs_in(settings, file)
    message = f"OPTARENA_BLOB_ROOT: the stored programs in {re.escape(str(file))} cannot be .* can be written"
    for command in (["load_dataset", str(folder.path)], ["check_blobs"]):
        with pytest.raises(CommandError, match=message):
            call_command(*command)
