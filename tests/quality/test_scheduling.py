"""A run in several processes: a test that ends its process fails once, and all others are still done."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.folders import ROOT, short_folder

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
