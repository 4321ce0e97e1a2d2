"""Devices, cores and the calibration set for one measurement at a time, and what counts on them."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from optarena import calibration, file_locks, register
from optarena.calibration import measure, summary
from optarena.errors import DeviceBusy, DeviceUnavailable, InvalidInput
from optarena.measuring import machine
from optarena.measuring import machine as lock
from optarena.measuring.machine import (
    ALL,
    InstructionCounter,
    all_cores,
    count_instructions,
    exclusive,
    reserved_core,
    shared,
)
from optarena.specs import CalibrationSpec, calibration_specs, calibration_version
from tests.kit.processes import run_threads

HOLD = """
import sys
from optarena.measuring.machine import exclusive
with exclusive("0000:07:00.0"):
    print("held", flush=True)
    sys.stdin.read()
"""
DEVICE = "0000:07:00.0"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))
    return tmp_path


def hold() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    return process


def is_free() -> bool:
    """Whether another process could lock the device's file now."""
    (file,) = Path(os.environ["OPTARENA_LOCKS"]).glob("optarena-0000*.lock")
    with file.open() as opened:  # its lock is another than that of this process's other descriptors
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class TestProcesses:
    def test_another_process_waits_and_is_told_why(self) -> None:
        with hold() as other:
            with pytest.raises(DeviceBusy, match=r"0000:07:00\.0 is in use"), exclusive(DEVICE, seconds=0.05):
                pytest.fail("two processes have the device")
            other.kill()
            with exclusive(DEVICE):
                pass

    def test_devices_do_not_wait_for_each_other(self) -> None:
        with hold() as other:
            with exclusive("cpu", seconds=0):
                pass
            other.kill()

    def test_a_forked_process_neither_has_it_nor_keeps_it(self) -> None:
        told, telling = os.pipe()
        waiting, going = os.pipe()
        with exclusive(DEVICE):
            if (child := os.fork()) == 0:
                os.close(going)
                try:
                    with exclusive(DEVICE, seconds=0):
                        os.write(telling, b"entered")
                except DeviceUnavailable:
                    os.write(telling, b"waits")
                os.read(waiting, 1)  # until the parent has looked
                os._exit(0)
            assert os.read(told, 10) == b"waits"
        assert is_free()
        os.close(going)
        os.waitpid(child, 0)
        for descriptor in (told, telling, waiting):
            os.close(descriptor)


class TestOneProcess:
    def test_who_holds_it_may_enter_again_and_holds_it_until_the_last_has_left(self) -> None:
        with exclusive(DEVICE):
            with exclusive(DEVICE, seconds=0), exclusive(DEVICE, seconds=0):
                pass
            assert not is_free()
        assert is_free()

    def test_another_thread_waits(self) -> None:
        told: list[str] = []

        def enter() -> None:
            try:
                with exclusive(DEVICE, seconds=0.05):
                    told.append("entered")
            except DeviceUnavailable as error:
                told.append(str(error))

        for held in (True, False):
            thread = threading.Thread(target=enter)
            if held:
                with exclusive(DEVICE):
                    thread.start()
                    thread.join()
            else:
                thread.start()
                thread.join()
        assert "is in use" in told[0]
        assert told[1] == "entered"

    def test_many_threads_have_it_one_after_the_other(self) -> None:
        inside, most, counting = 0, 0, threading.Lock()

        def work() -> None:
            nonlocal inside, most
            for _ in range(20):
                with exclusive(DEVICE), exclusive(DEVICE):
                    with counting:
                        inside += 1
                        most = max(most, inside)
                    with counting:
                        inside -= 1

        run_threads([work] * 8)
        assert most == 1
        assert is_free()

    def test_an_error_inside_gives_the_device_back(self) -> None:
        with pytest.raises(ZeroDivisionError), exclusive(DEVICE), exclusive(DEVICE):
            raise ZeroDivisionError
        assert is_free()


class TestFile:
    def test_it_is_for_every_user(self, folder: Path) -> None:
        before = os.umask(0o077)
        try:
            with exclusive(DEVICE):
                (file,) = folder.glob("*.lock")
        finally:
            os.umask(before)
        assert stat.S_IMODE(file.stat().st_mode) == 0o444
        assert file.name == "optarena-0000_07_00.0.lock"
        with exclusive(DEVICE):
            pass

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root may become two users")
    def test_two_users_lock_the_same_file_of_a_sticky_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with tempfile.TemporaryDirectory(dir="/tmp") as name:  # others may enter it, unlike pytest's folders
            Path(name).chmod(0o1777)
            monkeypatch.setenv("OPTARENA_LOCKS", name)
            for user in (12345, 54321):
                if (child := os.fork()) == 0:
                    os.setuid(user)
                    with exclusive(DEVICE, seconds=0):
                        os._exit(0)
                    os._exit(1)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            assert {file.stat().st_uid for file in Path(name).iterdir()} == {12345}
            with exclusive(DEVICE, seconds=0):
                pass

    def test_one_that_was_removed_holds_nobody(self, folder: Path) -> None:
        with exclusive(DEVICE):
            (file,) = folder.glob("*.lock")
            file.unlink()
        with exclusive(DEVICE, seconds=0):
            assert file.exists()

    def test_no_link_is_followed(self, folder: Path) -> None:
        (folder / "target").touch()
        (folder / "optarena-a.lock").symlink_to(folder / "target")
        with pytest.raises(DeviceUnavailable, match="cannot be reserved"), exclusive("a"):
            pytest.fail("it followed the link")

    def test_a_missing_folder_is_told_with_its_variable(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPTARENA_LOCKS", str(folder / "gone"))
        with pytest.raises(DeviceUnavailable, match=r"No such file.*\$OPTARENA_LOCKS"), exclusive("a"):
            pytest.fail("there is no folder")

    def test_without_the_variable_it_is_where_everybody_may_write(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("OPTARENA_LOCKS")
        identity = f"test-{os.getpid()}"
        file = Path("/tmp", f"optarena-{identity}.lock")  # noqa: S108 # as users find it
        try:
            with exclusive(identity):
                assert file.exists()
        finally:
            file.unlink(missing_ok=True)
            file.with_suffix(".next").unlink(missing_ok=True)


def test_who_comes_back_at_once_is_not_always_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(file_locks.VARIABLE, str(tmp_path))
    count = tmp_path / "count"
    program = (
        "import pathlib, time\nfrom optarena.measuring.machine import exclusive\n"
        f"count, held = pathlib.Path({str(count)!r}), 0\n"
        "while True:\n    with exclusive('gpu'):\n        held += 1\n"
        "        count.with_suffix('.new').write_text(str(held))\n"
        "        count.with_suffix('.new').rename(count)\n        time.sleep(0.1)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as other:
        try:
            while not count.exists():
                assert other.poll() is None
                time.sleep(0.01)
            for _ in range(5):
                before = int(count.read_text())
                with lock.exclusive("gpu"):
                    assert int(count.read_text()) - before <= 3
        finally:
            other.kill()


def test_a_relative_folder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(file_locks.VARIABLE, "locks")
    with pytest.raises(DeviceUnavailable, match="absolute"), exclusive(DEVICE):
        pass


def in_a_thread(work: Callable[[], object]) -> object:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def reserve() -> int | None:
    try:
        with reserved_core(seconds=0.2) as cpu:
            return cpu
    except DeviceBusy:
        return None


def test_no_two_measurements_have_the_same_core() -> None:
    cores = {machine.cores().get(cpu, cpu) for cpu in os.sched_getaffinity(0)}
    with reserved_core(seconds=1.0) as first:
        second = in_a_thread(reserve)
        assert second != first
        assert (second is None) == (len(cores) == 1)
    assert first in os.sched_getaffinity(0)


def test_all_cores_together_exclude_each_of_them_and_the_other_way_round() -> None:
    with exclusive(ALL, seconds=1.0):
        assert in_a_thread(reserve) is None

    def take_all() -> bool:
        try:
            with exclusive(ALL, seconds=0.2):
                return True
        except DeviceBusy:
            return False

    with reserved_core(seconds=1.0):
        assert in_a_thread(take_all) is False
    assert take_all()


def test_a_device_can_be_shared() -> None:
    def share() -> bool:
        with shared("device", seconds=0.2):
            return True

    with shared("device"):
        assert in_a_thread(share) is True


def test_a_part_of_the_instructions_is_not_their_number(tmp_path: Path) -> None:
    read = []
    for running in (5_000, 4_999):
        (tmp_path / "counter").write_bytes(struct.pack("QQQ", 700, 5_000, running))
        with (tmp_path / "counter").open("rb", buffering=0) as file:
            read.append(InstructionCounter(file.fileno()).read())
    assert read == [700, None]


def test_instructions_are_counted_or_unknown() -> None:
    with count_instructions(os.getpid()) as counter:
        before = counter.read()
        total = sum(range(100_000))
        after = counter.read()
    assert total
    if before is None:
        assert after is None
    else:
        assert after is not None
        assert after - before > 100_000


ENTRIES = {
    *("integer_work", "floating_point", "branches"),
    *("memory_latency", "memory_bandwidth", "process_start"),
}


def test_it_measures_every_entry_and_says_what_the_machine_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "ROUNDS", 1)
    found = measure()
    assert found["version"] == calibration_version() == "llvm 1-22.1.8"
    assert set(found["vector"]) == ENTRIES
    for name, entry in found["vector"].items():
        assert 1e-4 < entry["seconds"] < 2, name
        assert entry["spread"] >= 0, name
    assert found["conditions"]["processor"] in os.sched_getaffinity(0)
    assert all(value is not None for value in found["conditions"].values())


@pytest.mark.soak
def test_entries_are_alike_each_time_and_memory_is_really_waited_for() -> None:
    """200,000 loads of the latency's program would take less than 1 ms from a register or the first cache."""
    found, again = measure()["vector"], measure()["vector"]
    for name, entry in found.items():
        assert 1 / 3 < again[name]["seconds"] / entry["seconds"] < 3, name
    assert found["memory_latency"]["seconds"] > 2e-3


@pytest.mark.soak
def test_as_a_process_it_answers_with_json() -> None:
    order = json.dumps({"parent": os.getpid()})
    command = [sys.executable, "-m", "optarena.calibration"]
    ended = subprocess.run(command, input=order, capture_output=True, text=True, check=True)
    assert set(json.loads(ended.stdout)["vector"]) == ENTRIES


def test_it_waits_for_measurements_and_measurements_wait_for_it() -> None:
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        with reserved_core(seconds=5):
            held.set()
            free.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with pytest.raises(DeviceUnavailable):
        measure(seconds=0.1)
    free.set()
    thread.join()
    with all_cores(seconds=1) as cpu:
        assert cpu in os.sched_getaffinity(0)
        with pytest.raises(DeviceUnavailable), reserved_core(seconds=0.1):
            pass


def test_an_entry_is_the_least_reading_and_how_far_the_median_is_above() -> None:
    assert summary([0.02, 0.01, 0.03]) == {"seconds": 0.01, "spread": 1.0}


@pytest.mark.parametrize(
    ("field", "value"), [("name", "LLVM 2"), ("version", ""), ("version", "a b"), ("prepare", "module")]
)
def test_a_set_without_a_usable_description_is_refused(field: str, value: str) -> None:
    given: dict[str, Any] = {"name": "mine", "version": "1", "prepare": "module:function", field: value}
    with pytest.raises(InvalidInput) as caught:
        register(calibrations=[CalibrationSpec(**given)])
    assert caught.value.field == field


def test_another_set_of_a_taken_name_is_refused() -> None:
    [known] = calibration_specs()
    register(calibrations=[known])
    with pytest.raises(InvalidInput, match="already registered"):
        register(calibrations=[CalibrationSpec(name="llvm", version="2", prepare=known.prepare)])
