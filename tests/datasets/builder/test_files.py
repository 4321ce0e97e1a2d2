"""Files and folders appear whole or not at all, and what is kept is believed only if it is whole."""

from __future__ import annotations

import multiprocessing
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from datasets.builder.files import (
    folder_lock,
    replace_folder,
    store_content,
    stored_content,
    tree_digest,
    whole_folder,
    write_whole,
)

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event


def test_a_file_has_the_permissions_that_the_users_files_have(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "deep/er/file", b"content", sync=True)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "deep/er/file").stat().st_mode) == 0o640
    assert [path.name for path in (tmp_path / "deep/er").iterdir()] == ["file"]


@pytest.mark.parametrize("damage", [b"", b"{", b"\n"])
def test_kept_content_that_was_damaged_is_not_believed(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "kept"
    assert stored_content(file) is None
    store_content(file, b"some content")
    assert stored_content(file) == b"some content"
    whole = file.read_bytes()
    for content in (damage, whole + damage + b"x", whole[:-1], whole.replace(b"some", b"sime")):
        file.write_bytes(content)
        assert stored_content(file) is None


def test_a_folders_digest_tells_names_content_and_times(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    file = tmp_path / "a/b.c"
    file.write_text("x")
    os.utime(file, (0, 0))
    first = tree_digest(tmp_path)
    file.write_text("y")
    os.utime(file, (0, 0))
    changed = tree_digest(tmp_path)
    file.write_text("x")
    assert len({first, changed, tree_digest(tmp_path)}) == 3
    os.utime(file, (0, 0))
    assert tree_digest(tmp_path) == first
    (tmp_path / "stray").touch()
    assert tree_digest(tmp_path) != first


def test_a_folder_that_cannot_be_put_in_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "to").write_text("a file")
    with pytest.raises(OSError, match="Not a directory"), whole_folder(tmp_path / "to") as folder:
        (folder / "x").touch()
    (tmp_path / "to").unlink()
    (tmp_path / "to").mkdir()
    (tmp_path / "to/first").touch()
    with whole_folder(tmp_path / "to") as folder:
        (folder / "second").touch()
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["first"]


def test_the_old_folder_stays_where_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, target = tmp_path / "work/fresh", tmp_path / "target"
    fresh.mkdir(parents=True)
    target.mkdir()
    (target / "old").touch()
    rename = Path.rename

    def failing(self: Path, to: Path) -> Path:
        if self == fresh:
            raise KeyboardInterrupt
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(KeyboardInterrupt):
        replace_folder(fresh, target)
    assert [path.name for path in target.iterdir()] == ["old"]


def _hold(folder: Path, inside: Event, leave: Event) -> None:
    with folder_lock(folder):
        inside.set()
        leave.wait(30)


def test_two_builds_do_not_write_into_one_folder_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    one, other, leave = context.Event(), context.Event(), context.Event()
    first = context.Process(target=_hold, args=(tmp_path, one, leave))
    second = context.Process(target=_hold, args=(tmp_path, other, leave))
    first.start()
    try:
        assert one.wait(30)
        second.start()
        assert not other.wait(1.5)
        leave.set()
        assert other.wait(30)
    finally:
        leave.set()
        first.join(30)
        second.join(30)
    assert list(tmp_path.iterdir()) == []
