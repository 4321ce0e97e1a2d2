"""Whether memory was short, from the kernel's own files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from optarena.service.processes.memory import MemoryWatch

if TYPE_CHECKING:
    from pathlib import Path

ENOUGH = "MemTotal: 100000 kB\nMemAvailable: 50000 kB\n"
GROUPS = {
    "v1": ("4:memory:/here\n0::/\n", "sys/fs/cgroup/memory/here/memory.oom_control"),
    "v2": ("0::/here\n", "sys/fs/cgroup/here/memory.events"),
}


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")


@pytest.fixture(params=GROUPS)
def counter(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The file that counts the kills in this process's group, on a machine with enough memory."""
    groups, counts = GROUPS[request.param]
    write(tmp_path, "proc/self/cgroup", groups)
    write(tmp_path, "proc/meminfo", ENOUGH)
    write(tmp_path, "proc/vmstat", "oom_kill 3\n")
    write(tmp_path, counts, "oom_kill 1\n")
    return counts


def test_a_kill_in_the_own_group_counts_once(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, counter, "oom_kill 2\n")
    write(tmp_path, "proc/vmstat", "oom_kill 4\n")
    assert watch.shortage() == "the kernel killed 1 processes because memory ran out"


def test_a_kill_in_another_group_is_the_machines(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/vmstat", "oom_kill 9\n")
    assert watch.shortage(own=True) == ""
    assert watch.shortage() == "the kernel killed 6 processes because memory ran out"


def test_without_a_count_of_the_group_the_machine_has_one(tmp_path: Path, counter: str) -> None:
    (tmp_path / counter).unlink()
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/vmstat", "oom_kill 5\n")
    assert watch.shortage(own=True) == "the kernel killed 2 processes because memory ran out"


def test_a_machine_without_memory_is_short_of_it(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/meminfo", "MemTotal: 100000 kB\nMemAvailable: 1000 kB\n")
    assert watch.shortage() == "only 1000 of 100000 KiB of memory are available"


def test_a_machine_that_waits_for_memory_is_short_of_it(tmp_path: Path, counter: str) -> None:
    watch = MemoryWatch(tmp_path)
    write(tmp_path, "proc/pressure/memory", "some avg10=90.00 total=1\nfull avg10=42.50 total=1\n")
    assert watch.shortage() == "all processes waited for memory 42.5 % of the time"


def test_where_the_kernel_says_nothing_nothing_is_claimed(tmp_path: Path) -> None:
    assert MemoryWatch(tmp_path).shortage() == ""
