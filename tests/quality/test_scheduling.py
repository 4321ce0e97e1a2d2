"""A run in several processes: a test that ends its process fails once, and all others are still done."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.folders import ROOT, short_folder
from tests.scheduling import LONGEST, shares_server, sort_by_file

CONFTEST = """
from tests.scheduling import RoomScheduling

def pytest_xdist_make_scheduler(config, log):
    return RoomScheduling(config, log)
"""
TESTS = """
import os
import pytest

@pytest.mark.parametrize("number", range(5))
def test_it(number):
    if number in (1, 3):
        os._exit(1)
"""


@pytest.mark.soak
def test_a_test_that_ends_its_process_fails_once_and_the_others_are_done(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    room = tmp_path / "room" / "files"
    room.mkdir(parents=True)
    for number in range(8):
        (room / f"test_{number}.py").write_text("def test_that(): pass\n" if number < 7 else TESTS)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", "2", "--rootdir", str(tmp_path)),
            *("-p", "no:django", "-p", "no:cacheprovider", "-o", "addopts=", str(tmp_path)),
        ],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{ROOT}:{ROOT / 'envs'}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1
    assert "2 failed, 10 passed" in done.stdout, done.stdout + done.stderr


def test_files_with_a_database_and_others_come_in_turns_after_those_that_take_long() -> None:
    def item(path: str, *, server: bool = False) -> SimpleNamespace:
        return SimpleNamespace(nodeid=f"{path}::test_it", get_closest_marker=lambda _: server or None)

    boards = [item(f"tests/leaderboard/test_{number}.py", server=True) for number in range(2)]
    envs = [item(f"tests/envs/test_{number}.py") for number in range(2)]
    longest, whole = item(f"tests/{LONGEST[0]}"), item("tests/e2e/test_main_path.py", server=True)
    items: list[Any] = [*boards, *envs, longest, whole]
    sort_by_file(items)
    assert items == [whole, longest, envs[0], boards[0], envs[1], boards[1]]
    assert shares_server(whole.nodeid)
    assert not shares_server(longest.nodeid)


# As in a container of its own, which sees none of our processes.
ALONE = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc")


def test_folders_of_runs_that_were_killed_are_removed() -> None:
    living = short_folder(0o700)
    make = "from tests.kit.folders import *; print(short_folder(0o700), flush=True); os.kill(os.getpid(), 9)"
    killed = subprocess.run([sys.executable, "-c", make], cwd=ROOT, check=False, stdout=subprocess.PIPE)
    left = Path(killed.stdout.decode().strip())
    try:
        for folder in (living, left):
            (folder / "inside").mkdir()
        remove = "from tests.kit.folders import *; remove_short_folders()"
        has_namespaces = subprocess.run([*ALONE, "true"], check=False, capture_output=True).returncode == 0
        alone = ALONE if has_namespaces else ()
        subprocess.run([*alone, sys.executable, "-c", remove], cwd=ROOT, check=True)
        assert (living.exists(), left.exists()) == (True, False)
    finally:
        shutil.rmtree(living)
