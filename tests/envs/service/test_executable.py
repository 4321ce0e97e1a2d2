"""Services that are executables: how they start, fail to, and end, whoever ends first."""

from __future__ import annotations

import os
import signal
import stat
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from forking import in_forked_process
from plain_client import options, start, step

from optarena.errors import InvalidInput, ServiceClosed, ServiceError, SessionCrashed
from optarena.service.client.executable import ServiceProcess
from optarena.service.client.grpc_connection import GrpcConnection
from tests.kit.folders import PLUGINS
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    import subprocess

    from optarena.service.proto import compiler_gym_service_pb2 as pb

    Launch = Callable[..., ServiceProcess]
    Ends = Callable[[int], bool]


SLEEPER = """#!/bin/sh
echo 1234 > "${1#*=}/port.txt"
[ "$2" = stubborn ] && trap '' TERM && while :; do sleep 0.05; done
[ "$2" = children ] && { sleep 600 & echo $! > "${1#*=}/child.txt"; wait; }
exec sleep 600
"""
"""A service that starts and ends, and never speaks."""

SERVER = PLUGINS / "plain_server.py"


@pytest.fixture
def launch() -> Iterator[Launch]:
    started: list[ServiceProcess] = []

    def launch_one(*arguments: str, executable: Path = SERVER, **more: Any) -> ServiceProcess:
        chosen = options(script_args=arguments, **more)
        started.append(ServiceProcess.start(executable, chosen))
        return started[-1]

    yield launch_one
    for process in started:
        process.close()


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "service") -> Path:
        path = tmp_path / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def sleeper(script: Callable[..., Path]) -> Path:
    return script(SLEEPER, "sleeper")


def child_of(process: ServiceProcess) -> int:
    file = Path(process.directory) / "child.txt"
    while not (file.exists() and file.read_text().endswith("\n")):
        time.sleep(0.01)
    return int(file.read_text())


def test_a_service_starts_serves_whom_it_knows_and_ends_with_its_folder(
    launch: Launch, benchmark: pb.Benchmark, ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPTARENA_SERVICE_TOKEN", raising=False)
    monkeypatch.setenv("SECRET", "of the server")
    process = launch(script_env={"HELLO": "there"})
    assert f"cwd={PLUGINS} hello=there secret=None" in process.output_tail()
    with pytest.raises(ServiceError, match="requires a token"):  # so others of this machine cannot call it
        GrpcConnection.open(process.endpoint, options())
    folder = Path(process.directory)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "pid.txt").read_text() == str(process.pid)
    with GrpcConnection.open(process.endpoint, options(), process=process) as connection:
        assert step(connection, start(connection, benchmark), "append") == 4
    assert ends(process.pid)
    assert not folder.exists()
    assert not process.is_alive()
    assert "goodbye" in process.output_tail()
    process.close()
    assert isinstance(process.ending(), ServiceClosed)


@pytest.mark.parametrize("mode", [pytest.param("late", marks=pytest.mark.soak), "halves"])
def test_a_port_may_be_written_late_and_in_pieces(launch: Launch, benchmark: pb.Benchmark, mode: str) -> None:
    process = launch("--mode", mode)
    with GrpcConnection.open(process.endpoint, options(), process=process) as connection:
        assert step(connection, start(connection, benchmark)) == 3


def test_a_port_file_that_is_a_pipe_is_not_waited_for(script: Callable[..., Path]) -> None:
    path = script('#!/bin/sh\nmkfifo "${1#*=}/port.txt"\nexec sleep 600\n')
    with pytest.raises(ServiceError, match="not a regular file"):
        ServiceProcess.start(path, options())


def test_a_file_that_cannot_be_a_service_is_named(tmp_path: Path, script: Callable[..., Path]) -> None:
    (tmp_path / "data").write_text("")
    for path, problem in (
        (tmp_path / "missing", "does not exist"),
        (tmp_path, "is not a file"),
        (tmp_path / "data", "is not executable"),
    ):
        with pytest.raises(InvalidInput, match=rf"{path} {problem}"):
            ServiceProcess.start(path)
    with pytest.raises(ServiceError, match="Exec format error"):
        ServiceProcess.start(script("no program"))
    with pytest.raises(ServiceError, match="cannot be executed: No such file"):
        ServiceProcess.start(script("#!/no/such/interpreter\n"))


def folders() -> set[Path]:
    from optarena.paths import transient_cache  # noqa: PLC0415 - reads the environment

    return set((transient_cache() / "services").glob(f"{os.getpid()}-*"))


def test_a_service_that_fails_is_told_once_with_its_last_words(launch: Launch) -> None:
    before = folders()
    with pytest.raises(
        ServiceError, match=r"plain_server\.py cannot be started: it ended by exit code 3 .*the frobnicator"
    ):
        launch("--mode", "fails")
    assert folders() == before


def test_the_last_words_are_at_most_four_kilobytes(script: Callable[..., Path]) -> None:
    noisy = script("#!/bin/sh\nyes aaaaaaaaaaaaaaa | head -c 100000 | tr -d '\\n'; echo; echo end; exit 1\n")
    with pytest.raises(ServiceError, match=r"a \| end") as caught:
        ServiceProcess.start(noisy, options())
    assert 4000 < len(str(caught.value)) < 5000


def test_a_service_that_crashes_at_its_start_gets_another_chance(
    launch: Launch, script: Callable[..., Path], sleeper: Path, tmp_path: Path
) -> None:
    crashing = script(f"#!/bin/sh\nmkdir {tmp_path}/was || exec {sleeper} $*\nkill -SEGV $$\n")
    assert launch(executable=crashing).is_alive()
    counter = tmp_path / "count"
    path = script(f"#!/bin/sh\necho x >> {counter}\nkill -SEGV $$\n")
    with pytest.raises(ServiceError, match=r"cannot be started \(2 attempts\): it ended by SIGSEGV"):
        launch(executable=path)
    assert counter.read_text() == "x\nx\n"


def test_a_service_without_a_port_is_given_up(
    launch: Launch, script: Callable[..., Path], tmp_path: Path
) -> None:
    path = script(f"#!/bin/sh\ntrap '' TERM\necho $$ > {tmp_path}/pid\nwhile :; do sleep 0.05; done\n")
    with pytest.raises(ServiceError, match=r"\(2 attempts\): it did not write port.txt within 0\.3 s"):
        launch(executable=path, local_service_port_init_max_seconds=0.3)
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
    for text in ("no port at all", "70000"):
        path = script(f'#!/bin/sh\necho "{text}" > "${{1#*=}}/port.txt"\nexec sleep 60\n')
        with pytest.raises(
            ServiceError, match=rf"cannot be started: port\.txt contains '{text}', which is not a port"
        ):
            launch(executable=path)


def test_a_service_that_ignores_requests_to_end_is_killed_with_its_children(
    launch: Launch, sleeper: Path, ends: Ends
) -> None:
    process = launch("stubborn", executable=sleeper, local_service_exit_max_seconds=0.2)
    process.close()
    assert ends(process.pid)
    process = launch("children", executable=sleeper)
    child = child_of(process)
    process.close()
    assert ends(child)


def test_a_killed_service_says_how_it_ended_and_leaves_no_children(
    launch: Launch, sleeper: Path, ends: Ends
) -> None:
    process = launch("children", executable=sleeper)
    child = child_of(process)
    os.kill(process.pid, signal.SIGKILL)
    error = process.ending()
    assert isinstance(error, SessionCrashed)
    assert error.signal == signal.SIGKILL
    assert "sleeper ended by SIGKILL" in str(error)
    assert ends(child)
    assert not process.is_alive()
    process.close()
    assert not Path(process.directory).exists()


def test_a_killed_guardian_takes_the_service_along(
    launch: Launch, sleeper: Path, children: Callable[[int], list[int]], ends: Ends
) -> None:
    process = launch(executable=sleeper)
    (guardian,) = [pid for pid in children(os.getpid()) if process.pid in children(pid)]
    os.kill(guardian, signal.SIGKILL)
    assert ends(process.pid)
    assert isinstance(process.ending(), SessionCrashed)
    process.close()
    assert not Path(process.directory).exists()


CLIENT = """
    import os, sys, time, threading
    sys.path.insert(0, {here!r})
    from pathlib import Path
    from plain_client import options
    from optarena.service.client.executable import ServiceProcess
    made = []
    def make():
        made.append(ServiceProcess.start(Path({service!r}), options()))
    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    print(made[0].pid, made[0].directory, flush=True)
"""


@pytest.fixture
def client(sleeper: Path, start_program: Callable[..., Any]) -> Callable[..., Any]:
    """Starts a process that starts a service, in a thread that ends; answers it, the service, its folder."""

    def start_client(then: str, *prefix: str) -> tuple[subprocess.Popen[str], int, Path]:
        begin = textwrap.dedent(CLIENT.format(here=str(PLUGINS), service=str(sleeper)))
        process, (pid, folder) = start_program(begin + textwrap.dedent(then), *prefix)
        return process, int(pid), Path(folder)

    return start_client


@pytest.mark.parametrize("pidfd", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_a_killed_client_takes_service_and_folder_with_it(client: Any, ends: Ends, *, pidfd: bool) -> None:
    prefix = () if pidfd else (sys.executable, str(PLUGINS / "container.py"), "--no-pidfd")
    then = "if os.fork() == 0: time.sleep(20); os._exit(0)\nprint('forked', flush=True)\ntime.sleep(600)"
    process, pid, folder = client(then, *prefix)
    assert process.stdout.readline() == "forked\n"
    os.kill(pid, 0)
    process.kill()
    assert ends(pid)
    wait_until(lambda: not folder.exists(), 15)


def test_a_client_that_exits_or_drops_it_leaves_nothing(client: Any, ends: Ends) -> None:
    process, pid, folder = client("sys.exit(3)")
    assert process.wait(20) == 3
    assert ends(pid)
    assert not folder.exists()
    process, pid, folder = client("import gc; made.clear(); gc.collect(); time.sleep(600)")
    assert ends(pid)
    wait_until(lambda: not folder.exists())


def test_a_forked_process_neither_ends_nor_uses_it(launch: Launch, sleeper: Path) -> None:
    process = launch(executable=sleeper)
    assert in_forked_process(lambda: process.close() or process.is_alive()) == "False"
    assert in_forked_process(lambda: process.wait(0.0)).startswith("ServiceClosed: ")
    assert process.is_alive()


def test_started_services_leave_no_descriptor(
    launch: Launch, sleeper: Path, descriptors: Callable[[], int]
) -> None:
    before = descriptors()
    for _ in range(3):
        launch(executable=sleeper).close()
    assert descriptors() <= before
