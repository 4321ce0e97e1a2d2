"""How many workers there are, which CPUs they get, and how long they may run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.loop_tool.cpu import backend
from optarena.loop_tool.cpu.backend import limits, usable_workers
from optarena.measuring import machine

SESSION_CPU_SECONDS = 10.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max 100000\n", None),
        ("150000 100000\n", 1.5),
        ("50000 100000", 0.5),
        ("400000\n 100000\n", 4.0),
        ("-1\n 100000\n", None),
        ("100000 0", None),
        ("100000", None),
        ("", None),
    ],
)
def test_a_quota_is_worth_cpus(text: str, expected: float | None) -> None:
    assert backend.quota(text) == expected


UNIFIED = "26 20 0:23 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
DIVIDED = """\
25 20 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
26 25 0:23 {} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
27 25 0:24 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset
"""


@pytest.mark.parametrize(
    ("groups", "mounts", "expected"),
    [
        ("0::/a.slice/b\n", UNIFIED, ["a.slice/b", "a.slice", ""]),
        ("0::/\n", UNIFIED, [""]),
        ("0::/../other\n", UNIFIED, [""]),
        (
            "4:cpu,cpuacct:/x/y\n3:cpuset:/z\n",
            DIVIDED.format("/"),
            ["cpu,cpuacct/x/y", "cpu,cpuacct/x", "cpu,cpuacct"],
        ),
        ("4:cpu,cpuacct:/x/y\n", DIVIDED.format("/x"), ["cpu,cpuacct/y", "cpu,cpuacct"]),
        ("4:cpu,cpuacct:/docker/1\n0::/\n", DIVIDED.format("/docker/1"), ["cpu,cpuacct"]),
        ("3:cpuset:/z\n1:name=systemd:/\n", DIVIDED.format("/"), []),
        ("0::/a\n", UNIFIED.replace("/sys/fs/cgroup", r"/my\040groups"), ["a", ""]),
        ("", "", []),
    ],
)
def test_the_groups_of_a_process_are_found_with_those_above(
    groups: str, mounts: str, expected: list[str]
) -> None:
    top = Path("/my groups" if "my" in mounts else "/sys/fs/cgroup")
    assert backend.folders(groups, mounts) == [top / part for part in expected]


def test_the_files_of_both_kinds_of_groups_are_read(tmp_path: Path) -> None:
    assert backend.quota_in(tmp_path) is None
    (tmp_path / "cpu.cfs_quota_us").write_text("250000\n")
    (tmp_path / "cpu.cfs_period_us").write_text("100000\n")
    assert backend.quota_in(tmp_path) == 2.5
    (tmp_path / "cpu.max").write_text("10000 20000\n")
    assert backend.quota_in(tmp_path) == 0.5


@pytest.mark.parametrize(
    ("cpus", "worth", "expected"), [(8, None, 8), (8, 1.5, 1), (8, 2.0, 2), (8, 0.1, 1), (2, 64.0, 2)]
)
def test_there_are_no_more_workers_than_the_quota_is_worth(
    cpus: int, worth: float | None, expected: int
) -> None:
    assert usable_workers(cpus, worth) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("0\n", [0]), ("0,64\n", [0, 64]), ("4-5\n", [4, 5]), ("0-2,8-9", [0, 1, 2, 8, 9])]
)
def test_the_kernel_s_lists_are_read(text: str, expected: list[int]) -> None:
    assert machine.parse_cpu_list(text) == expected


@pytest.mark.parametrize(
    ("cpus", "core_of", "expected"),
    [
        ([3, 2, 1, 0], {0: 0, 1: 0, 2: 2, 3: 2}, (0, 2, 1, 3)),
        ([0, 1, 2, 3], {0: 0, 1: 1, 2: 0, 3: 1}, (0, 1, 2, 3)),
        ([1, 2, 3], {1: 0, 2: 2, 3: 2}, (1, 2, 3)),
        (range(8), {cpu: cpu - cpu % 4 for cpu in range(8)}, (0, 4, 1, 5, 2, 6, 3, 7)),
        ([5, 4], {}, (4, 5)),
    ],
)
def test_every_core_gets_a_worker_before_any_gets_two(
    cpus: list[int], core_of: dict[int, int], expected: tuple[int, ...]
) -> None:
    assert machine.cores_first(cpus, core_of) == expected


def test_the_cores_of_this_machine_are_among_its_cpus() -> None:
    cores = machine.cores()
    assert cores.keys() <= os.sched_getaffinity(0)
    assert all(core <= cpu for cpu, core in cores.items())


@given(wanted=st.floats(0, 100), spent=st.floats(0, 100), workers=st.integers(1, 4096))
def test_the_time_of_samples_is_bounded_on_the_clock_and_over_all_threads(
    wanted: float, spent: float, workers: int
) -> None:
    budget, patience = limits(wanted, spent, workers)
    assert 0 <= budget <= wanted
    assert patience > 0
    assert budget <= patience <= max(0.01, 0.2 - spent)
    # The checked call and the last one are no longer than that, or there is only one.
    assert 3 * workers * patience < SESSION_CPU_SECONDS


def test_the_usual_reading_has_the_time_that_it_wants() -> None:
    assert limits(0.1, 0.02, 16) == (0.1, 0.125)
    assert limits(0.1, 0.05, 1) == (0.1, pytest.approx(0.15))
    assert limits(0.1, 0.19, 1) == (pytest.approx(0.01), pytest.approx(0.01))
