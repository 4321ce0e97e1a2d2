"""The calibration set, measured for real: what is in it, and that it and measurements exclude each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from optarena import register
from optarena.calibration import measure, summary
from optarena.errors import DeviceUnavailable, InvalidInput
from optarena.file_locks import VARIABLE
from optarena.measuring.machine import all_cores, reserved_core
from optarena.specs import CalibrationSpec, calibration_specs, calibration_version

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = {
    *("integer_work", "floating_point", "branches"),
    *("memory_latency", "memory_bandwidth", "process_start"),
}


@pytest.fixture(autouse=True)
def _own_locks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))


def test_it_measures_every_entry_and_says_what_the_machine_did() -> None:
    found, again = measure(), measure()
    assert found["version"] == calibration_version() == "llvm 1-22.1.8"
    assert set(found["vector"]) == ENTRIES
    for name, entry in found["vector"].items():
        assert 1e-4 < entry["seconds"] < 2, name
        assert entry["spread"] >= 0, name
        assert 1 / 3 < again["vector"][name]["seconds"] / entry["seconds"] < 3, name
    assert found["conditions"]["processor"] in os.sched_getaffinity(0)
    assert all(value is not None for value in found["conditions"].values())


@pytest.mark.soak
def test_memory_is_really_waited_for() -> None:
    """200,000 loads of the latency's program would take less than 1 ms from a register or the first cache."""
    assert measure()["vector"]["memory_latency"]["seconds"] > 2e-3


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
