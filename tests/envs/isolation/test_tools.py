"""The floor with tools: what a session that starts programs may do, and what its programs may do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hostile
import pytest
import tool_compiler

from optarena.env import CompilerEnv
from optarena.errors import SandboxUnavailable, SessionKilled, SessionTimeout, ToolMissing
from optarena.isolation import sandbox
from optarena.isolation.limits import ProcessLimits
from optarena.isolation.tool_files import access_to, libraries_of, sha256_of
from optarena.isolation.tools import ToolFailed, run_tool
from optarena.service.client.connection import ManagedConnection
from optarena.service.client.zygote import Zygote
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol import frames
from tests.kit.numbers_env import FAKE, NUMBERS
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    from optarena.isolation.sandbox import SandboxReport

SESSION_TYPE = "tool_compiler:ToolSession"
BENCHMARK = pb.Benchmark(uri="benchmark://a-v0/a", program=pb.File(contents=b"abc"))


def told(entry: str, *, confined: bool = True) -> tuple[dict[str, Any], SandboxReport]:
    limits = ProcessLimits(cpu_seconds_per_call=60, memory_bytes=1 << 29)
    with Zygote.shared(SESSION_TYPE).spawn(entry, limits=limits, sandbox=confined) as worker:
        said = frames.receive(worker.channel, time.monotonic() + 120)
        assert said is not None, worker.stderr_tail()
        return dict(json.loads(said)), worker.sandbox


def test_a_session_with_tools_may_start_programs_open_files_and_nothing_more() -> None:
    attempts, report = told("tool_compiler:try_all")
    allowed = {
        "is there /root",
        "stat /etc/passwd",
        "lower its limit",
        *("statx", "pipe2", "getdents64", "readlinkat", "faccessat2"),
    }
    breaches = {name for name, outcome in attempts.items() if not outcome.startswith("denied: ")}
    assert breaches <= allowed
    namespaces = {f"{name} namespace" for name in tool_compiler.NAMESPACES}
    assert set(attempts) == (set(hostile.ATTEMPTS) - set(tool_compiler.FORKING)) | namespaces
    assert report.landlock is not None
    assert report.seccomp
    assert report.landlock == sandbox.version()
    assert report.tools == {"sh": sha256_of(Path("/bin/sh")), "sleep": sha256_of(Path("/bin/sleep"))}


CHANGE_A_MODE = """
import os, sys
from optarena.isolation import sandbox, tools

victim, own = sys.argv[1:]
if os.geteuid() == 0:  # else another user's file would be denied whatever the filter says
    for path in (victim, own):
        os.chown(path, 65534, 65534)
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
os.chdir(own)
parent = os.getpid()
if os.fork() == 0:
    sandbox.confine(parent=parent, tools=tools.ToolAccess())
    try:
        os.chmod(victim, 0o666)
    except PermissionError:
        os._exit(0)
    os._exit(1)
_, status = os.wait()
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_session_with_tools_changes_the_mode_of_no_file_outside_its_folder(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:  # where any user may go
        Path(folder).chmod(0o755)
        victim, own = Path(folder, "victim"), Path(folder, "own")
        victim.touch(mode=0o600)
        own.mkdir()
        command = [sys.executable, "-c", CHANGE_A_MODE, str(victim), str(own)]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert victim.stat().st_mode & 0o777 == 0o600


def test_a_tool_reaches_nothing_but_its_folder() -> None:
    outcomes, _ = told("tool_compiler:try_scripts")
    assert set(outcomes) == set(tool_compiler.SCRIPTS)
    assert [name for name, problem in outcomes.items() if not problem] == []


def test_tools_work_side_by_side_and_each_limit_has_its_own_error() -> None:
    said, _ = told("tool_compiler:work")
    assert said["outputs"][0] == "first\n"
    assert said["outputs"][1].startswith("second\n")
    assert said["made"] == "one\n"
    assert said["left"] == ["made"]
    assert said["cpu"] == "SessionTimeout: sh used its CPU time of 1 s."
    assert said["wall"] == "SessionTimeout: sh used its wall time of 0.5 s."
    assert said["error"] == "ToolFailed: sh failed with exit code 3: some words"
    assert said["memory"].startswith(("SessionOutOfMemory", "ToolFailed"))
    assert "SIGXFSZ" in said["size"]


def test_an_unconfined_tool_has_the_same_limits(tmp_path: Path) -> None:
    with pytest.raises(SessionTimeout, match=r"wall time of 0\.3 s"):
        run_tool(
            "sleep", ["/bin/sleep", "60"], access=tool_compiler.access(), folder=tmp_path, wall_seconds=0.3
        )
    made = shell("pwd; ulimit -c; echo $HOME", tmp_path)
    assert made.decode().split("\n") == [str(tmp_path), "0", "", ""]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sandbox.version() is None, reason="this kernel has no Landlock")
def test_an_unconfined_tool_opens_only_its_own_files(tmp_path: Path) -> None:
    assert shell("echo x > made; read line < made; echo $line", tmp_path) == b"x\n"
    reaching = "reads a file", "lists a folder", "writes", "runs a program"
    for script in [text for name, text in tool_compiler.SCRIPTS.items() if name.startswith(reaching)]:
        with pytest.raises(ToolFailed):
            shell(script, tmp_path)


def shell(text: str, folder: Path) -> bytes:
    return run_tool("sh", ["/bin/sh", "-c", text], access=tool_compiler.access(), folder=folder)


@pytest.mark.parametrize("confined", [True, False])
def test_a_session_has_a_folder_and_its_tools_die_with_it(*, confined: bool) -> None:
    with ManagedConnection.open(SESSION_TYPE, sandbox=confined) as connection:
        session = connection.start_session(pb.StartSessionRequest(benchmark=BENCHMARK)).session_id
        files = tool_compiler.ToolSession.observation_spaces
        index = [space.name for space in files].index("files")
        request = pb.StepRequest(
            session_id=session, action=[pb.Event(int64_value=1)], observation_space=[index]
        )
        assert connection.step(request).observation[0].string_value == "file1"
        endless = pb.StepRequest(session_id=session, action=[pb.Event(int64_value=0)])
        with pytest.raises(SessionTimeout):
            connection.step(endless, timeout=0.5)
        pid = connection.worker.pid
    # A shell that is left ends by itself after a minute.
    wait_until(lambda: not any(group_of(one) == pid for one in spinning_shells()), 30)


def test_the_next_session_of_a_confined_process_finds_an_empty_folder() -> None:
    with ManagedConnection.open(SESSION_TYPE, sandbox=True) as connection:
        start = pb.StartSessionRequest(benchmark=BENCHMARK)
        session = connection.start_session(start).session_id
        connection.step(pb.StepRequest(session_id=session, action=[pb.Event(int64_value=1)]))
        folder = Path(connection.worker.zygote.directory) / str(connection.worker.pid)
        assert [path.name for path in folder.iterdir()] == ["file1"]
        connection.begin_restart(start, 20)
        connection.finish_restart()
        assert list(folder.iterdir()) == []


def spinning_shells() -> list[int]:
    return [
        int(path.name)
        for path in Path("/proc").iterdir()
        if path.name.isdecimal() and "while :; do :; done" in command_of(path)
    ]


def command_of(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def test_a_tool_that_confined_processes_cannot_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="closed-tool cannot be read by confined processes"):
        ManagedConnection.open("tool_compiler:SessionWithoutItsTool", sandbox=True)


def test_what_is_not_a_program_of_this_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match="cannot be read: No such file"):
        access_to({"cc1": tmp_path / "cc1"})
    text = tmp_path / "cc1"
    text.write_text("not a program")
    with pytest.raises(ToolMissing, match="cannot run on this machine"):
        access_to({"cc1": text})
    assert Path("/bin/sh").resolve() not in libraries_of(Path("/bin/sh"))


@pytest.mark.parametrize("confined", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_a_tool_that_somebody_killed_is_nobodys_fault(*, confined: bool) -> None:
    with ManagedConnection.open(SESSION_TYPE, sandbox=confined) as connection, ThreadPoolExecutor() as pool:
        session = connection.start_session(pb.StartSessionRequest(benchmark=BENCHMARK)).session_id
        endless = pb.StepRequest(session_id=session, action=[pb.Event(int64_value=0)])
        step, pid, shells = (
            pool.submit(connection.step, endless, timeout=20),
            connection.worker.pid,
            list[int](),
        )
        while not (shells or step.done()):
            time.sleep(0.01)
            shells = [one for one in spinning_shells() if group_of(one) == pid]
        assert shells, step.exception()
        os.kill(shells[0], signal.SIGKILL)
        with pytest.raises(
            SessionKilled, match=r"sh was killed by signal 9 \(the kernel ran out of memory"
        ) as told:
            step.result()
        assert told.value.reason == "infra:killed"
        assert connection.closed


def test_a_tool_killed_at_its_hard_limit_was_killed_by_nobody_else(tmp_path: Path) -> None:
    script = "ulimit -t 1; while :; do :; done"
    with pytest.raises(SessionTimeout, match=r"its CPU time of 0\.5 s"):
        run_tool(
            "sh", ["/bin/sh", "-c", script], access=tool_compiler.access(), folder=tmp_path, cpu_seconds=0.5
        )


def test_the_time_of_code_holds_for_tools_and_for_verifying_and_is_extended_like_that_of_actions() -> None:
    limits = ProcessLimits(cpu_seconds_per_call=30, wall_seconds_per_call=1)
    spec = replace(FAKE, service=SESSION_TYPE)
    with CompilerEnv(spec, benchmark=NUMBERS, limits=limits, sandbox=True) as env:
        env.reset()
        assert env.parameter("ulimit -t") == "180"
        assert env.parameter("verify") == ""


BESIDE_GRPC = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from optarena.isolation.tool_files import access_to
from optarena.isolation.tools import run_tool

server = grpc.server(ThreadPoolExecutor(1))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
grpc.channel_ready_future(grpc.insecure_channel(f"127.0.0.1:{port}")).result(20)
access = access_to({"true": Path("/bin/true").resolve()})
for _ in range(40):
    run_tool("true", ["/bin/true"], access=access, folder=Path(sys.argv[1]))
"""


@pytest.mark.soak
def test_a_tool_starts_in_a_process_in_which_grpc_is_at_work(tmp_path: Path) -> None:
    """Its threads crash some of the children that such a process forks."""
    command = [sys.executable, "-c", BESIDE_GRPC, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 0
