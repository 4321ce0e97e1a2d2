"""Replays whose processes together need more memory than one may have, while each keeps its own limit."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from optarena import limits
from optarena.datasets import Benchmark, datasets
from optarena.errors import InfrastructureFault, InvalidInput
from optarena.isolation.limits import ProcessLimits
from optarena.replay import ReplayResult, replay
from optarena.self_test import check_memory_group
from optarena.service.client.zygote import Zygote
from optarena.service.processes import memory
from optarena.service.processes.memory import find_group_folder, limit_memory, own_groups

MIB = 1 << 20
NOBODY = 65534


@pytest.fixture
def where() -> Path:
    found = find_group_folder()
    if found is None:
        pytest.skip(
            "needs a place for memory groups: root on a machine with version 1, or a delegated folder"
        )
    return found


@pytest.fixture
def hoarding(sorting: Any) -> Any:
    return importlib.import_module("hoarding")


@pytest.fixture
def five(sorting: Any) -> Benchmark:
    return datasets()["sorting-v0"].benchmark("five")


def own_folders(where: Path) -> list[Path]:
    return [*where.glob(f"optarena-replay-{os.getpid()}-*")]


def test_a_session_alone_may_not_exceed_the_limit_of_all(where: Path, hoarding: Any, five: Benchmark) -> None:
    """Three actions take 450 MiB, far less than the limit of the session's own process."""
    assert 3 * hoarding.HELD_BYTES < limits.SESSION_MEMORY_BYTES / 2
    zygote = Zygote.shared(hoarding.SESSION_TYPE)
    with pytest.raises(InfrastructureFault) as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0] * 3, memory_bytes=256 * MIB)
    assert caught.value.reason == "infra:memory-limit"
    assert f"reached their memory limit of {256 * MIB} bytes" in str(caught.value)
    assert "SIGKILL" in str(caught.value)
    assert not own_folders(where)
    result = replay(environment=hoarding.ALONE, benchmark=five, actions=[0] * 3)
    assert (result.ok, result.reason) == (True, None)
    assert result.sandbox["memory_group"] == limits.REPLAY_MEMORY_BYTES
    assert Zygote.shared(hoarding.SESSION_TYPE) is zygote
    assert ReplayResult.from_json(result.to_json()) == result


@pytest.mark.soak
def test_processes_that_fit_alone_may_not_exceed_it_together(
    where: Path, hoarding: Any, five: Benchmark
) -> None:
    def run(environment: Any, size: int) -> ReplayResult:
        return replay(environment=environment, benchmark=five, actions=[0], memory_bytes=size)

    assert run(hoarding.BESIDE, 512 * MIB).ok
    with pytest.raises(InfrastructureFault, match=r"reached their memory limit of 268435456 bytes") as caught:
        run(hoarding.BESIDE, 256 * MIB)
    assert caught.value.reason == "infra:memory-limit"
    assert not own_folders(where)


def test_a_failure_within_the_limit_stays_the_sequences(where: Path, hoarding: Any, five: Benchmark) -> None:
    lose = importlib.import_module("sorting").ACTIONS.index("lose")
    result = replay(environment=hoarding.ALONE, benchmark=five, actions=[lose], memory_bytes=512 * MIB)
    assert result.reason == "semantics:output-differs"


def test_processes_that_are_left_die_with_the_group(where: Path) -> None:
    zygote = Zygote.shared("sorting:SortSession")
    with limit_memory(256 * MIB) as group:
        assert group is not None
        worker = zygote.spawn("entries:sleep", limits=ProcessLimits(), sandbox=True)
        members = (group.folder / "cgroup.procs").read_text().split()
        assert members == [str(worker.pid)]
        assert worker.sandbox.memory_group == 256 * MIB
    status = worker.wait(20)
    assert status is not None
    assert status.signal == signal.SIGKILL
    assert not own_folders(where)
    worker.close()
    with zygote.spawn("entries:sleep", limits=ProcessLimits(), sandbox=True) as free:
        assert free.sandbox.memory_group is None


def test_a_process_that_cannot_enter_its_group_does_not_begin(where: Path) -> None:
    with limit_memory(256 * MIB) as group:
        assert group is not None
        group.folder.rmdir()
        with pytest.raises(InfrastructureFault, match="cannot enter its memory group"):
            Zygote.shared("sorting:SortSession").spawn("entries:sleep", limits=ProcessLimits(), sandbox=True)


def python(code: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def holder(where: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    code = """
        import subprocess, sys, time
        from optarena.service.processes.memory import MemoryGroup, find_group_folder
        group = MemoryGroup.make(find_group_folder(), 64 << 20)
        subprocess.run(["/bin/sh", "-c", 'sleep 600 >&- & echo $! > "$0/cgroup.procs"', group.folder])
        print(group.folder, flush=True)
        time.sleep(600)
    """
    with python(code) as process:
        assert process.stdout
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def look_for_a_place() -> None:
    with python(
        "from optarena.service.processes.memory import find_group_folder; find_group_folder()"
    ) as looking:
        assert looking.wait(60) == 0


def test_the_group_of_a_dead_process_is_removed_and_of_a_living_one_is_not(
    where: Path, holder: tuple[subprocess.Popen[str], Path]
) -> None:
    process, folder = holder
    (member,) = (folder / "cgroup.procs").read_text().split()
    look_for_a_place()
    assert folder.exists()
    process.kill()
    process.wait()
    unrelated = where / f"optarena-worker-{os.getpid()}.service"
    unrelated.mkdir()
    try:
        look_for_a_place()
        assert unrelated.exists()
    finally:
        unrelated.rmdir()
    assert not folder.exists()
    assert not Path(f"/proc/{member}").exists() or "Z" in Path(f"/proc/{member}/stat").read_text()


def test_the_operator_names_the_place(
    where: Path, monkeypatch: pytest.MonkeyPatch, hoarding: Any, five: Benchmark
) -> None:
    named = where / f"named-{os.getpid()}"
    named.mkdir()
    monkeypatch.setenv(memory.VARIABLE, str(named))
    try:
        assert find_group_folder() == named
        assert str(named) in check_memory_group()
        with limit_memory(256 * MIB) as group:
            assert group is not None
            assert group.folder.parent == named
    finally:
        named.rmdir()
    with pytest.raises(InfrastructureFault) as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0])
    assert caught.value.reason == "infra:worker-unhealthy"


@pytest.mark.parametrize("name", ["", "lost"])
def test_a_named_place_that_cannot_be_used_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hoarding: Any, five: Benchmark
) -> None:
    monkeypatch.setenv(memory.VARIABLE, str(tmp_path / name))
    with pytest.raises(InvalidInput, match="No groups for memory can be made in the folder") as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0])
    assert caught.value.field == memory.VARIABLE
    assert "delegated to this user" in caught.value.remedy
    with pytest.raises(InvalidInput):
        check_memory_group()
    assert [*tmp_path.iterdir()] == []
    assert replay(environment=hoarding.ALONE, benchmark=five, actions=[0], sandbox=False).ok


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_without_the_right_to_make_groups_nothing_changes() -> None:
    code = f"""
        import codecs, os
        codecs.lookup("ascii")  # loaded while Python's files can be read
        os.environ.pop("OPTARENA_MEMORY_GROUPS", None)
        from optarena.self_test import check_memory_group
        from optarena.service.processes.memory import limit_memory, find_group_folder, present
        os.setgroups([])
        os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
        os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
        with limit_memory(1 << 30) as group:
            print(find_group_folder(), group, present(), check_memory_group())
    """
    with python(code) as process:
        said = process.communicate(timeout=60)[0]
    assert said.startswith("None None None No group can be made")


@pytest.mark.parametrize("size", [0, -1, 1 << 20, "1 GiB", 1e10, True])
def test_less_memory_than_a_compiler_needs_is_refused(size: Any, hoarding: Any, five: Benchmark) -> None:
    with pytest.raises(InvalidInput, match="memory_bytes is") as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0], memory_bytes=size)
    assert caught.value.field == "memory_bytes"
    assert str(limits.LEAST_REPLAY_MEMORY_BYTES) in caught.value.remedy


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        ("0::/system.slice/w.service\n", ["system.slice/w.service", "unified/system.slice/w.service"]),
        ("4:memory:/w\n3:cpuset:/\n", ["memory/w"]),
        ("4:cpu,memory:/w\n0::/\n", ["memory/w", "", "unified"]),
        ("", []),
    ],
)
def test_both_versions_are_found(lines: str, places: list[str], tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(lines)
    assert [*own_groups(tmp_path)] == [tmp_path / "sys/fs/cgroup" / one for one in places]
