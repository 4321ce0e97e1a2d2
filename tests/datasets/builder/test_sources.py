"""Where packages come from, and that what was unpacked before is believed only if it is whole."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from datasets.builder.errors import SourceUnavailable
from datasets.builder.reading import read_suite
from datasets.builder.sources import Sources, without_user

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.suite import Package
    from tests.datasets.builder.packaged import Shelf


@pytest.fixture
def package(shelf: Shelf) -> Package:
    return read_suite(shelf.suite()).package("sums")


@pytest.mark.parametrize("value", ["True", "1", "yes", "ON"])
def test_no_index_is_asked_where_pip_is_told_to_ask_none(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", value)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert Sources(tmp_path / "cache").archive(package).is_file()


def test_a_message_has_no_password(package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        without_user("of https://me:secret@example.org/a, ftp://x@y/") == "of https://example.org/a, ftp://y/"
    )
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("PIP_FIND_LINKS", "http://me:secret@127.0.0.1:9/")
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:secret@127.0.0.1:9/simple")
    with pytest.raises(SourceUnavailable) as caught:
        Sources(tmp_path / "cache").archive(package)
    assert "secret" not in str(caught.value)


def test_without_pip_nothing_can_be_fetched(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pip._internal.commands", None)
    with pytest.raises(SourceUnavailable, match=r"pip cannot be asked for its index \(import of pip"):
        Sources(tmp_path / "cache").archive(package)


def test_settings_that_pip_cannot_use_are_an_error(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_TIMEOUT", "soon")
    with pytest.raises(SourceUnavailable, match=r"pip cannot be asked for its index \(exit code \d\)"):
        Sources(tmp_path / "cache").archive(package)


@pytest.mark.parametrize("damage", ["changed", "removed", "added", "touched", "undigested"])
def test_an_unpacked_package_that_was_changed_is_unpacked_again(
    package: Package, tmp_path: Path, damage: str
) -> None:
    folder = Sources(tmp_path / "cache").unpacked(package)
    file = folder / "src/sum.c"
    whole = file.read_bytes()
    if damage == "changed":
        file.write_bytes(whole.replace(b"t +=", b"t -="))
        os.utime(file, (0, 0))
    elif damage == "removed":
        file.unlink()
    elif damage == "added":
        (folder / "include/stdio.h").touch()
    elif damage == "touched":
        os.utime(file)
    else:
        folder.with_name("all.sha256").unlink()
    assert Sources(tmp_path / "cache").unpacked(package) == folder
    assert file.read_bytes() == whole
    assert file.stat().st_mtime_ns == 0
    assert not (folder / "include/stdio.h").exists()


def test_a_package_that_cannot_be_had_is_asked_for_once(
    shelf: Shelf, package: Package, tmp_path: Path
) -> None:
    file = shelf.index / package.archive
    content = file.read_bytes()
    file.unlink()
    kept = Sources(tmp_path / "cache")
    for _ in range(2):
        with pytest.raises(SourceUnavailable, match="has no"):
            kept.unpacked(package)
        file.write_bytes(content)
    assert Sources(tmp_path / "cache").unpacked(package).is_dir()
