"""Locks of files: had by one at a time, waited for with an end, and free when who had them is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from optarena.datasets import store
from optarena.datasets.store import ProgramStore, try_lock

if TYPE_CHECKING:
    from pathlib import Path

HOLDS = """
import os, sys, time
from pathlib import Path
from optarena.datasets.store import try_lock
with try_lock(Path(sys.argv[1]), 5):
    child = os.fork() if "fork" in sys.argv else -1
    os.write(1, b"%d\\n" % child)
    time.sleep(60)
"""
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"  # of b"test"


def test_one_has_it_and_another_waits_with_an_end(tmp_path: Path) -> None:
    path = tmp_path / "folder/lock"
    with try_lock(path, 1) as first, try_lock(path, 0.05) as second:
        assert (first, second) == (True, False)
    with try_lock(path, 0) as third:
        assert third
    assert list(path.parent.iterdir()) == []


def test_threads_have_it_one_after_another(tmp_path: Path) -> None:
    path, inside, most = tmp_path / "lock", [], []

    def use() -> None:
        for _ in range(5):
            with try_lock(path, 30) as is_had:
                assert is_had
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.001)
                inside.pop()

    threads = [threading.Thread(target=use) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 30
    assert not path.exists()


def test_without_a_place_for_it_one_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with try_lock(tmp_path / "file/lock", 5) as is_had:
        assert not is_had


@pytest.mark.parametrize("how", ["alone", "fork"])
def test_it_is_free_when_who_had_it_dies_whatever_it_forked(how: str, tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDS, path, how], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        children = {int(process.stdout.readline()) for _ in range(2 if how == "fork" else 1)} - {-1, 0}
        try:
            with try_lock(path, 0) as is_had:
                assert not is_had
            process.kill()
            process.wait()
            with try_lock(path, 5) as is_had:
                assert is_had
        finally:
            for child in children:
                os.kill(child, signal.SIGKILL)


def test_another_program_is_not_waited_for(tmp_path: Path) -> None:
    kept = ProgramStore(tmp_path, 1000)
    other = DIGEST[:-1] + "9"  # which begins as this one

    def make() -> bytes:
        return kept.get_or_make(DIGEST, lambda: b"test")

    began = time.monotonic()
    kept.get_or_make(other, make)
    assert time.monotonic() - began < 5
    assert kept.get(DIGEST) == b"test"


def test_who_makes_it_for_ever_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MAKING_SECONDS", 0.1)
    kept, begun, ends = ProgramStore(tmp_path, 1000), threading.Event(), threading.Event()

    def make() -> bytes:
        begun.set()
        ends.wait(60)
        return b"test"

    slow = threading.Thread(target=lambda: kept.get_or_make(DIGEST, make))
    slow.start()
    begun.wait()
    try:
        assert kept.get_or_make(DIGEST, lambda: b"test") == b"test"
    finally:
        ends.set()
        slow.join()
    assert [path.name for path in tmp_path.glob(".locks/*")] == []


def test_a_damaged_file_that_cannot_be_removed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / DIGEST[:2] / DIGEST
    path.mkdir(parents=True)  # which neither can be read nor unlinked, whoever runs this
    assert ProgramStore(tmp_path, 1000).get_or_make(DIGEST, lambda: b"test") == b"test"


READ_ONLY = """
import os, sys
from pathlib import Path
from optarena.datasets.store import ProgramStore
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
print(ProgramStore(Path(sys.argv[1]), 1000).get_or_make(sys.argv[2], lambda: b"test").decode())
"""


def test_a_damaged_file_of_a_cache_that_may_only_be_read_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "cache" / DIGEST[:2] / DIGEST
    path.parent.mkdir(parents=True)
    path.write_bytes(b"oh")
    for folder in (path.parent, path.parent.parent):
        folder.chmod(0o555)
    parents = [one for one in tmp_path.parents if one.stat().st_uid == os.geteuid() and len(one.parts) > 2]
    for folder in (tmp_path, *parents):
        folder.chmod(folder.stat().st_mode | 0o055)
    script = [sys.executable, "-c", READ_ONLY, str(tmp_path / "cache"), DIGEST]
    ended = subprocess.run(script, capture_output=True, text=True, check=False)
    path.parent.chmod(0o700)
    path.parent.parent.chmod(0o700)
    assert (ended.stdout, ended.returncode) == ("test\n", 0), ended.stderr
