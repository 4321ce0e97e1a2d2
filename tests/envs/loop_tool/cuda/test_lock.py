"""Exclusive use of a device: between processes, through a file that needs no right to write."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from optarena.errors import DeviceUnavailable
from optarena.loop_tool.cuda.lock import exclusive

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from optarena.loop_tool.cuda.lock import exclusive
with exclusive("0000:07:00.0", folder=Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
DEVICE = "0000:07:00.0"


def hold(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the device until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_waits_and_is_told_why(tmp_path: Path) -> None:
    with hold(tmp_path) as other:
        with (
            pytest.raises(DeviceUnavailable, match=r"0000:07:00\.0 is in use"),
            exclusive(DEVICE, seconds=0.05, folder=tmp_path),
        ):
            pytest.fail("two processes have the device")
        other.kill()
        with exclusive(DEVICE, folder=tmp_path):
            pass


def test_devices_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with exclusive("a", folder=tmp_path), exclusive("b", seconds=0, folder=tmp_path):
        pass


def test_its_file_is_for_every_user(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with exclusive(DEVICE, folder=tmp_path):
            (file,) = tmp_path.iterdir()
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o444
    assert file.name == "optarena-cuda-0000_07_00.0.lock"
    with exclusive(DEVICE, folder=tmp_path):
        pass


def test_a_file_that_was_removed_holds_nobody(tmp_path: Path) -> None:
    with exclusive(DEVICE, folder=tmp_path):
        (file,) = tmp_path.iterdir()
        file.unlink()
    with exclusive(DEVICE, seconds=0, folder=tmp_path):
        assert file.exists()


def test_it_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "optarena-cuda-a.lock").symlink_to(tmp_path / "target")
    with pytest.raises(DeviceUnavailable, match="cannot be reserved"), exclusive("a", folder=tmp_path):
        pytest.fail("it followed the link")


def test_an_error_inside_gives_the_device_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), exclusive(DEVICE, folder=tmp_path):
        raise ZeroDivisionError
    with exclusive(DEVICE, seconds=0, folder=tmp_path):
        pass
