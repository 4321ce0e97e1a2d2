"""The state folder: secrets, lock, sockets, and what is said when something is wrong with it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from leaderboard.embedded.process import Process
from leaderboard.embedded.state import (
    RECORD,
    SOCKET_BYTES,
    EmbeddedError,
    StateBusy,
    StateFolder,
    placement,
    remove_state,
)
from tests.kit.folders import ROOT


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_secrets_are_random_kept_and_only_the_owners(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "one")
    secrets = folder.secrets()
    assert mode(folder.path / "secrets.json") == 0o600
    folder.release()
    again, other = StateFolder(tmp_path / "one"), StateFolder(tmp_path / "two")
    assert again.secrets() == secrets
    assert other.secrets() != secrets
    assert len(secrets.secret_key) >= 50
    again.release()
    other.release()


def test_a_second_supervisor_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path)
    with pytest.raises(StateBusy, match=rf"process {os.getpid()}.*OPTARENA_STATE"):
        StateFolder(tmp_path)
    folder.release()
    StateFolder(tmp_path).release()


def test_of_two_first_starts_at_once_the_second_is_told_who_holds_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, held = Path.mkdir, []

    def slow(path: Path, **options: Any) -> None:
        monkeypatch.setattr(Path, "mkdir", make)
        held.append(StateFolder(path))
        make(path, **options)

    monkeypatch.setattr(Path, "mkdir", slow)
    with pytest.raises(StateBusy, match=rf"process {os.getpid()}"):
        StateFolder(tmp_path / "state")
    held[0].release()


def test_logs_are_only_the_owners(tmp_path: Path) -> None:
    """Without a mail server they have links to new passwords."""
    logs = tmp_path / "logs"
    logs.mkdir()
    logs.chmod(0o755)
    old = logs / "web.log"
    old.write_text("")
    old.chmod(0o644)
    folder = StateFolder(tmp_path)
    new = Process(name="worker", argv=["true"], environment={}, log=folder.logs / "worker.log")
    new.start()
    new.stop()
    assert [mode(path) for path in (logs, old, new.log)] == [0o700, 0o600, 0o600]
    folder.release()


def test_removing_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state")
    with pytest.raises(StateBusy):
        remove_state(folder.path)
    folder.release()
    remove_state(folder.path)
    assert not folder.path.exists()
    remove_state(folder.path)


def test_the_folder_of_somebody_else_is_neither_used_nor_removed(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for use in (StateFolder, remove_state):
        with pytest.raises(EmbeddedError, match=r"not a state folder .*thesis.txt.*OPTARENA_STATE"):
            use(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_interrupted_removal_can_be_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    StateFolder(tmp_path).release()
    for name in ("a", "postgres", "z"):
        (tmp_path / name).mkdir()
    whole = shutil.rmtree

    def interrupted(path: Path) -> None:
        whole(path)
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            remove_state(tmp_path)
    remove_state(tmp_path)
    assert not tmp_path.exists()


def test_a_link_to_another_disk_is_removed_and_nothing_is_left_there(tmp_path: Path) -> None:
    disk, link = tmp_path / "disk", tmp_path / "state"
    disk.mkdir()
    link.symlink_to(disk)
    StateFolder(link).release()
    remove_state(link)
    assert not link.is_symlink()
    assert list(disk.iterdir()) == []


def test_what_cannot_be_removed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = StateFolder(tmp_path / "state")
    folder.release()

    def busy(path: Path) -> None:
        raise OSError(errno.EBUSY, "a disk is mounted there", str(path))

    monkeypatch.setattr(Path, "rmdir", busy)
    with pytest.raises(EmbeddedError, match=f"{folder.path} cannot be removed: .*mounted.*by hand"):
        remove_state(folder.path)


def test_a_folder_with_blobs_alone_becomes_a_state_folder(tmp_path: Path) -> None:
    (tmp_path / "blobs").mkdir()
    StateFolder(tmp_path).release()
    remove_state(tmp_path)
    assert not tmp_path.exists()


def test_a_path_that_cannot_be_the_folder_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, file / "below"):
        with pytest.raises(EmbeddedError, match=r"cannot be the state folder: .*OPTARENA_STATE"):
            StateFolder(path)


@pytest.mark.parametrize("name", ["", "x" * 100, "with a space", "ünïcode"])
def test_sockets_are_in_the_folder_or_in_a_short_private_one(name: str, open_folder: Path) -> None:
    folder = StateFolder(open_folder / name)
    sockets = folder.sockets()
    assert len(os.fsencode(sockets / ".s.PGSQL.5432")) <= SOCKET_BYTES
    assert sockets.is_relative_to(open_folder) == (not name)
    assert (mode(sockets), folder.sockets()) == (0o700, sockets)
    folder.release()
    if name:
        remove_state(folder.path)
        assert not sockets.exists()


def test_sockets_elsewhere_belong_to_one_folder(open_folder: Path) -> None:
    first, second = StateFolder(open_folder / ("x" * 100)), StateFolder(open_folder / ("y" * 100))
    sockets = first.sockets()
    shutil.copy(first.path / "run.path", second.path)
    assert second.sockets() != sockets
    for folder in (second, first):
        folder.release()
        assert sockets.exists()
        remove_state(folder.path)
    assert not sockets.exists()


def test_a_socket_folder_that_somebody_else_may_have_made_is_not_used(open_folder: Path) -> None:
    folder = StateFolder(open_folder / ("x" * 100))
    sockets = folder.sockets()
    sockets.chmod(0o777)
    fresh = folder.sockets()
    assert fresh != sockets
    folder.release()
    remove_state(folder.path)
    sockets.rmdir()


def test_a_record_that_is_damaged_or_of_another_user_names_the_remedy(tmp_path: Path) -> None:
    for text in ("", "{}", "[]", '{"strategy": "drop"}', '{"strategy": "copy", "creator": 0, "home": ""}'):
        (tmp_path / RECORD).write_text(text)
        with pytest.raises(EmbeddedError, match=r"damaged.*\./run clean"):
            placement(tmp_path)
    record = {"strategy": "user", "creator": os.geteuid() + 1, "home": str(tmp_path)}
    (tmp_path / RECORD).write_text(json.dumps(record))
    with pytest.raises(EmbeddedError, match=rf"user {os.geteuid() + 1} and you are user {os.geteuid()}"):
        placement(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run as another user")
def test_where_root_may_give_nothing_away_it_is_told_to_run_as_somebody_else(open_folder: Path) -> None:
    code = f"import pathlib, leaderboard.embedded.state as s; s.placement(pathlib.Path({str(open_folder)!r}))"
    command = ["setpriv", "--bounding-set=-chown", sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith("(by setpriv). Run as a normal user.")
    assert list(open_folder.iterdir()) == []


def test_a_copied_or_moved_folder_has_data_of_its_own(open_folder: Path) -> None:
    first, second, third = (open_folder / name for name in ("first", "second", "third"))
    first.mkdir()
    assert placement(first).home == str(first)
    shutil.copytree(first, second)
    assert placement(second).home == str(second)
    shutil.move(first, third)
    assert placement(third).home == str(third)
