"""A core for one measurement at a time, and what counts on it."""

from __future__ import annotations

import os
import struct
import threading
from typing import TYPE_CHECKING

import pytest

from optarena.errors import DeviceBusy
from optarena.measuring import machine
from optarena.measuring.machine import (
    ALL,
    InstructionCounter,
    count_instructions,
    exclusive,
    reserved_core,
    shared,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def locks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))


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
