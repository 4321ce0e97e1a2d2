"""Zygotes and their workers, below sessions: starts, folders, descriptors, and session types by name."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fake_compiler import OBSERVATIONS, FakeSession, action
from plain_client import start

from optarena import paths
from optarena.errors import (
    InfrastructureFault,
    InvalidInput,
    OptArenaError,
    ServiceError,
    TransportError,
    UnknownName,
)
from optarena.isolation.limits import ProcessLimits
from optarena.service import timeouts
from optarena.service.client import zygote as zygote_module
from optarena.service.client.connection import ManagedConnection, offer_of
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.processes.exit_status import ExitStatus
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.session_process import session_types, zygote_main

SESSION_TYPE = "fake_compiler:FakeSession"
OWN = "optarena.llvm.session:LlvmSession"


def spawn(entry: str, **options: Any) -> Worker:
    return Zygote.shared(SESSION_TYPE).spawn(
        f"entries:{entry}", limits=ProcessLimits(), sandbox=False, **options
    )


def test_an_entry_gets_channel_payload_and_descriptors() -> None:
    read, write = os.pipe()
    with spawn("echo", payload=b"hello", fds=[write]) as worker:
        assert worker.channel.recv(100) == b"hello"
        assert os.read(read, 100) == b"hello"
        assert worker.wait(60) == ExitStatus(0, None)
    os.close(read)
    os.close(write)


def test_the_end_of_a_worker_is_told_again_and_again() -> None:
    with spawn("leave", payload=b"42") as worker:
        assert worker.wait(60) == worker.wait(0) == ExitStatus(42, None)
    with spawn("sleep") as worker:
        assert worker.wait(0.1) is None
        worker.kill()
        assert worker.wait(60) == ExitStatus(None, 9)
        worker.kill()
    assert str(ExitStatus(None, 9)) == "SIGKILL"


def test_what_an_entry_prints_is_kept_from_its_end_and_its_traceback_too() -> None:
    with spawn("fail") as worker:
        assert worker.wait(60) == ExitStatus(os.EX_SOFTWARE, None)
        assert "RuntimeError: this entry fails" in worker.stderr_tail()
    with spawn("talk") as worker:
        worker.wait(60)
        tail = worker.stderr_tail()
    assert len(tail) == 4096
    assert tail.endswith("out\nthe last words\n")


@pytest.mark.parametrize(
    ("entry", "named"), [("entries:nothing", "nothing"), ("no_such_entries:x", "no_such_e")]
)
def test_an_entry_that_does_not_exist_is_named(entry: str, named: str) -> None:
    with pytest.raises(ServiceError, match=named):
        Zygote.shared(SESSION_TYPE).spawn(entry, limits=ProcessLimits(), sandbox=False)


def test_one_zygote_is_shared_by_all_threads() -> None:
    Zygote.shared(SESSION_TYPE).close()
    with ThreadPoolExecutor(8) as pool:
        zygotes = list(pool.map(lambda _: Zygote.shared(SESSION_TYPE), range(8)))
    assert len({zygote.pid for zygote in zygotes}) == 1


def test_threads_spawn_at_the_same_time() -> None:
    def use(number: int) -> bytes:
        with spawn("echo", payload=str(number).encode()) as worker:
            return worker.channel.recv(100)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(16))) == [str(number).encode() for number in range(16)]


def test_addresses_are_the_same_in_every_zygote_where_they_can_be_fixed() -> None:
    seen = set()
    for _ in range(3):
        Zygote.shared(SESSION_TYPE).close()
        with spawn("address") as worker:
            fixed = worker.sandbox.aslr_off
            seen.add(worker.channel.recv(100))
    assert (len(seen) == 1) is fixed


def test_the_offer_is_told_by_the_zygote_as_by_a_session() -> None:
    with ManagedConnection.open(OWN) as connection:
        version = connection.get_version(pb.GetVersionRequest()).compiler_version
        spaces = connection.get_spaces(pb.GetSpacesRequest())
    offer = Zygote.shared(OWN).offer
    assert offer is not None
    assert (offer.compiler_version, pb.GetSpacesReply.FromString(offer.spaces)) == (version, spaces)
    assert offer_of(OWN) == offer
    assert offer_of(SESSION_TYPE).compiler_version == "fake 1.0"
    assert Zygote.shared(SESSION_TYPE).offer is None  # its code runs in sessions' processes only


def test_a_zygote_that_dies_before_it_is_ready_is_replaced() -> None:
    Zygote.shared(OWN).close()
    zygote = Zygote.shared(OWN)
    assert zygote.offer is not None
    os.kill(zygote.pid, signal.SIGSTOP)  # it prepares the rest
    os.kill(zygote.pid, signal.SIGKILL)
    why = "cannot be started: it has ended|does not answer"  # by how far it came
    with pytest.raises((InfrastructureFault, TransportError), match=why):
        zygote.spawn("entries:leave", limits=ProcessLimits(), sandbox=False)
    assert not zygote.is_alive()
    with ManagedConnection.open(OWN) as connection:
        assert connection.is_alive()
    assert Zygote.shared(OWN).pid != zygote.pid


def test_closing_a_zygote_ends_its_workers(ends: Callable[[int], bool]) -> None:
    worker, zygote = spawn("sleep"), Zygote.shared(SESSION_TYPE)
    zygote.close()
    assert ends(worker.pid)
    assert worker.wait(60) == ExitStatus(None, 9)
    worker.close()
    assert not zygote.is_alive()
    assert not Path(zygote.directory).exists()
    assert Zygote.shared(SESSION_TYPE).pid != zygote.pid


def test_folders_left_by_killed_processes_are_removed_and_those_in_use_are_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(tmp_path / "transient"))
    services = tmp_path / "transient/services"
    long_ago = time.time() - 3600
    for name in ("stale", "used", "new"):
        (services / name / "1").mkdir(parents=True)
        (services / name / "1/file").touch()
    for name in ("stale", "used"):
        os.utime(services / name, (long_ago, long_ago))
    services.chmod(0o700)
    lock = os.open(services / "used", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    zygote = Zygote.start(SESSION_TYPE)
    left = {path.name for path in services.iterdir()}
    zygote.close()
    os.close(lock)
    assert left == {"used", "new", Path(zygote.directory).name}


@pytest.mark.parametrize("way", ["a file", "open to all", "below a file", "too long", "in /proc"])
def test_a_transient_folder_that_cannot_be_used_is_refused_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str
) -> None:
    transient = tmp_path / "transient"
    if way == "open to all":
        transient.mkdir()
        transient.chmod(0o777)
    else:
        transient.touch()
    others = {"below a file": transient / "x", "too long": tmp_path / ("x" * 300), "in /proc": "/proc/nope"}
    value = str(others.get(way, transient))
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", value)
    with pytest.raises(InvalidInput) as caught:
        Zygote.start(SESSION_TYPE)
    assert caught.value.field == "OPTARENA_TRANSIENT_CACHE"
    assert f"$OPTARENA_TRANSIENT_CACHE is '{value[:100]}" in caught.value.message
    assert "a folder that you own" in caught.value.remedy


def test_where_the_usual_folder_cannot_be_used_another_is_and_is_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("OPTARENA_TRANSIENT_CACHE", raising=False)
    monkeypatch.setattr(paths, "transient_cache", lambda: Path("/proc/nope"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    zygote = Zygote.start(SESSION_TYPE)
    directory = Path(zygote.directory)
    for _ in range(2):  # it is removed when no worker is left
        with zygote.spawn("entries:sleep", limits=ProcessLimits(), sandbox=False):
            assert directory.parent == tmp_path
            assert directory.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(directory, ignore_errors=True)
    directory.symlink_to(tmp_path)  # as somebody else could, where all may write
    with pytest.raises(InvalidInput, match="cannot be created again") as caught:
        zygote.spawn("entries:sleep", limits=ProcessLimits(), sandbox=False)
    assert caught.value.field == "OPTARENA_TRANSIENT_CACHE"
    directory.unlink()
    zygote.close()
    assert not list(tmp_path.iterdir())


def descriptors_at_rest(pid: int) -> set[int]:
    found: list[set[int]] = [set()]
    while len(found) < 2 or found[-1] != found[-2]:
        time.sleep(0.3)
        found.append({int(entry.name) for entry in Path(f"/proc/{pid}/fd").iterdir()})
    return found[-1]


def test_why_a_process_cannot_be_started_is_told() -> None:
    zygote = Zygote.start(SESSION_TYPE)
    assert zygote.offer is None  # its code has been loaded
    used = descriptors_at_rest(zygote.pid)
    free = [number for number in range(64) if number not in used]
    _, most = resource.prlimit(zygote.pid, resource.RLIMIT_NOFILE)
    fits = free[len(("channel", "standard error", "status"))]
    resource.prlimit(zygote.pid, resource.RLIMIT_NOFILE, (fits, most))
    try:
        with pytest.raises(InfrastructureFault, match="A process cannot be started") as caught:
            zygote.spawn("entries:talk", limits=ProcessLimits(), sandbox=False)
    finally:
        zygote.close()
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno == errno.EMFILE


def test_answers_that_come_too_late_are_not_taken_for_others(
    monkeypatch: pytest.MonkeyPatch, children: Callable[[int], list[int]]
) -> None:
    zygote = Zygote.shared(SESSION_TYPE)
    with spawn("sleep") as innocent:
        before = set(children(zygote.pid))
        monkeypatch.setattr(timeouts, "ZYGOTE_ANSWER_SECONDS", 0.1)
        os.kill(zygote.pid, signal.SIGSTOP)
        try:
            for _ in range(2):
                with pytest.raises(TransportError, match="does not answer: timed out"):
                    spawn("sleep")
            assert zygote.owes_an_answer()
        finally:
            os.kill(zygote.pid, signal.SIGCONT)
            monkeypatch.undo()
        with spawn("echo", payload=b"right") as worker:
            assert not zygote.owes_an_answer()
            assert worker.channel.recv(100) == b"right"
            assert worker.wait(60) == ExitStatus(0, None)
        assert innocent.wait(0) is None
        assert set(children(zygote.pid)) == before


def test_a_zygote_that_does_not_answer_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    zygote = Zygote.shared(SESSION_TYPE)
    ManagedConnection.open(SESSION_TYPE).close()  # it has started
    monkeypatch.setattr(timeouts, "ZYGOTE_ANSWER_SECONDS", 0.1)
    asked = zygote._last_request
    os.kill(zygote.pid, signal.SIGSTOP)
    try:
        with pytest.raises(TransportError, match="does not answer"):
            ManagedConnection.open(SESSION_TYPE)
    finally:
        os.kill(zygote.pid, signal.SIGCONT)
    assert zygote._last_request == asked + 1
    assert Zygote.shared(SESSION_TYPE) is zygote


def test_an_interpreter_that_cannot_start_is_an_error_with_its_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, descriptors: Callable[[], int]
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('this is not a zygote')")
    monkeypatch.setattr(zygote_module, "_BOOT", broken)
    before, threads = descriptors(), set(threading.enumerate())
    with pytest.raises(ServiceError, match="this is not a zygote"):
        assert Zygote.start(SESSION_TYPE).offer is None
    assert set(threading.enumerate()) <= threads  # those of earlier tests may end, with what they have open
    assert descriptors() <= before


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "cannot be started"),
        ('{"error": "PlatformNotSupported", "message": "other machine"}', "other machine"),
    ],
)
def test_all_who_wait_for_a_zygote_that_cannot_start_are_told_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, why: str
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "import socket, sys, time\ncontrol = socket.socket(fileno=int(sys.argv[1]))\n"
        f"control.recv(1 << 17)\ntime.sleep(0.2)\ncontrol.send({answer.encode()!r})\n"
    )
    monkeypatch.setattr(zygote_module, "_BOOT", broken)
    zygote = Zygote.start(SESSION_TYPE)
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(lambda: zygote.offer) for _ in range(3)]
    told = [one.exception() for one in waiting]
    assert all(isinstance(error, OptArenaError) and why in str(error) for error in told), told
    assert not zygote.is_alive()


def test_a_session_type_of_a_module_is_named_by_it() -> None:
    assert session_types.name_of(FakeSession) == "fake_compiler:FakeSession"


@pytest.mark.parametrize(
    ("name", "why"), [("/nowhere/x.py:Session", "does not exist"), (f"{__file__}:Nothing", "Nothing")]
)
def test_session_types_of_files_that_are_not_there(name: str, why: str) -> None:
    with pytest.raises(UnknownName, match=why):
        session_types.load(name)


def test_a_class_of_a_function_has_no_name() -> None:
    class Inner(FakeSession):
        """Nobody else can find it."""

    with pytest.raises(InvalidInput, match="top level of a module or script"):
        session_types.name_of(Inner)


def test_a_file_is_run_once_as_a_module_that_is_not_the_main_program(tmp_path: Path) -> None:
    path = tmp_path / "service-without-suffix"
    path.write_text(
        "from fake_compiler import FakeSession\n"
        "class First(FakeSession): pass\n"
        "class Second(FakeSession): module = __name__\n"
    )
    first, second = (session_types.load(f"{path}:{name}") for name in ("First", "Second"))
    assert first.__module__ == second.__module__ != "__main__"
    assert sys.modules[first.__module__].__file__ == str(path)
    assert session_types.is_from_file(first)
    assert not session_types.is_from_file(FakeSession)


def test_a_file_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("raise RuntimeError('not today')")
    with pytest.raises(ServiceError, match=r"RuntimeError: not today \(.*/bad\.py, line 1\)"):
        session_types.load(f"{tmp_path}/bad.py:Session")
    (tmp_path / "none.py").write_text("Session = 3")
    with pytest.raises(UnknownName, match="not a subclass"):
        session_types.load(f"{tmp_path}/none.py:Session")


FAILURES = [
    ("x = 1\n{}['x']\n", r"KeyError: 'x' \(.*/MODULE\.py, line 2\)"),
    (
        "import no_such_module_at_all\n",
        r"ModuleNotFoundError: No module named 'no_such.*MODULE\.py, line 1\)",
    ),
    ("import sys\nsys.exit(3)\n", r"SystemExit: 3 \(.*/MODULE\.py, line 2\)"),
    ("def f(:\n", r"SyntaxError: .*\(MODULE\.py, line 1\)"),
]


@pytest.mark.parametrize(("number", "code", "message"), [(n, *each) for n, each in enumerate(FAILURES)])
def test_an_error_in_a_module_is_told_with_its_place_and_is_no_missing_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str, message: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    module = f"failing_module_{number}"
    (tmp_path / f"{module}.py").write_text(code)
    begin = f"^Session type '{module}:Session' cannot be loaded: its module raises "
    with pytest.raises(ServiceError, match=begin + message.replace("MODULE", module)):
        session_types.load(f"{module}:Session")
    if not number:
        with pytest.raises(ServiceError, match=begin + message.replace("MODULE", module)):
            ManagedConnection.open(f"{module}:Session")


@pytest.mark.parametrize(
    "name", ["no_such_module_x:A", "fake_compiler.inner:A", "fake_compiler:Nobody", ":A", "..x:A", "A", ""]
)
def test_only_what_is_not_there_cannot_be_found(name: str) -> None:
    with pytest.raises(UnknownName, match="cannot be found"):
        session_types.load(name)


def history(connection: ManagedConnection, session: int) -> list[int]:
    request = pb.StepRequest(session_id=session, observation_space=[OBSERVATIONS.index("history")])
    return list(connection.step(request).observation[0].int64_tensor.value)


def write_file(connection: ManagedConnection, session: int) -> str:
    """Has the session write a file into its folder; the names of those that are there."""
    wanted = [OBSERVATIONS.index("files")]
    request = pb.StepRequest(session_id=session, action=[action("write-file")], observation_space=wanted)
    return connection.step(request).observation[0].string_value


@pytest.fixture
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Where the folders of a new zygote are: the usual place has those of all processes of this user."""
    transient = tmp_path / "transient"
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(transient))
    shared: dict[str, Zygote] = {}
    monkeypatch.setattr(zygote_module, "_shared", shared)
    yield transient / "services"
    for zygote in shared.values():
        zygote.close()


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_a_session_whose_folder_somebody_has_removed_is_copied(
    own_folders: Path, benchmark: pb.Benchmark, levels: int
) -> None:
    with ManagedConnection.open(SESSION_TYPE) as connection:
        session = start(connection, benchmark)
        write_file(connection, session)
        removed = [Path(connection.worker.zygote.directory) / str(connection.worker.pid)]
        removed.extend(removed[0].parents)
        assert removed[2] == own_folders
        shutil.rmtree(removed[levels])
        copy, copied = connection.fork(session)
        with copy:
            assert history(copy, copied) == history(connection, session)
            for one, number in ((connection, session), (copy, copied)):
                assert write_file(one, number) == "file1"


def test_a_session_stays_usable_where_the_folder_of_its_copy_cannot_be_made(
    own_folders: Path, tmp_path: Path, benchmark: pb.Benchmark
) -> None:
    with ManagedConnection.open(SESSION_TYPE) as connection:
        session, zygote = start(connection, benchmark), connection.worker.zygote
        shutil.rmtree(own_folders)
        own_folders.touch()
        with pytest.raises(InvalidInput, match="was removed and cannot be created again") as caught:
            connection.fork(session)
        for part in (zygote.directory, "$OPTARENA_TRANSIENT_CACHE", str(tmp_path)):
            assert part in str(caught.value)
        assert history(connection, session) == [5, 6, 7]
        own_folders.unlink()
        connection.fork(session)[0].close()


BEGINNING = """
import json
import os
import resource
import sys
from pathlib import Path

import gymnasium
import optarena
from optarena.llvm.actions import CURATED
from optarena.service.client.zygote import Zygote
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.serving import IsolatedService

TYPE = "optarena.llvm.session:LlvmSession"
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

def held():
    folders = Path(os.environ["OPTARENA_TRANSIENT_CACHE"]).glob("services/*")
    return len(os.listdir("/proc/self/fd")), sorted(map(str, folders))

def until_it_works(call):
    '''Has one more descriptor free at each attempt, and tells how each ended.'''
    eaten = []
    try:
        while True:
            eaten.append(os.dup(0))
    except OSError:
        os.close(eaten.pop())  # to count descriptors takes one
    while eaten:
        before = held()
        try:
            return call()
        except Exception as error:
            told = [type(error).__name__, getattr(error.__cause__, "errno", None), str(error)]
            print(json.dumps([*told, held() == before]))
        os.close(eaten.pop())
"""

RESET = """
env = gymnasium.make("optarena/llvm-v0", observation_space="IrInstructionCount").unwrapped
env.reset()
value, _, _, _, _ = env.step(CURATED.index("mem2reg"))
until_it_works(env.reset)
assert env.step(CURATED.index("mem2reg"))[0] == value
"""

ZYGOTE = """
def started():
    zygote = Zygote.start(TYPE)
    zygote.offer  # is waited for
    return zygote

started().close()
until_it_works(started).close()
"""

SERVICE = """
class Context:
    def time_remaining(self):
        return None

benchmark = gymnasium.make("optarena/llvm-v0").unwrapped.benchmark
program = pb.Benchmark(uri=benchmark.uri, program=pb.File(contents=benchmark.program()))
with IsolatedService(TYPE) as service:
    def start():
        return service.StartSession(pb.StartSessionRequest(benchmark=program), Context()).session_id
    def fork():
        return service.ForkSession(pb.ForkSessionRequest(session_id=first), Context()).session_id
    def step(session):
        return service.Step(pb.StepRequest(session_id=session, observation_space=[0]), Context())
    first = start()
    step(fork())
    step(until_it_works({call}))
    step(first)
"""


def attempts(program: str, folder: Path) -> list[dict[str, Any]]:
    """How the attempts of a program ended that failed; the last one succeeded."""
    environment = {**os.environ, "OPTARENA_TRANSIENT_CACHE": str(folder / "transient")}
    command = [sys.executable, "-c", BEGINNING + program]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=120, check=True)
    names = ("kind", "errno", "message", "is_clean")
    return [dict(zip(names, json.loads(line), strict=True)) for line in done.stdout.splitlines()]


@pytest.mark.soak
@pytest.mark.parametrize("program", [pytest.param(ZYGOTE, id="zygote"), pytest.param(RESET, id="reset")])
def test_what_is_missing_is_said_and_all_goes_on_once_it_is_there(program: str, tmp_path: Path) -> None:
    failed = attempts(program, tmp_path)
    assert len(failed) > 3
    for one in failed:
        assert (one["kind"], one["errno"]) == ("InfrastructureFault", errno.EMFILE), one
        assert "Too many open files" in one["message"]
        assert "ulimit -n" in one["message"]
        assert one["is_clean"], one


@pytest.mark.soak
@pytest.mark.parametrize("call", ["start", "fork"])
def test_a_service_has_no_room_then_and_its_sessions_go_on(call: str, tmp_path: Path) -> None:
    failed = attempts(SERVICE.replace("{call}", call), tmp_path)
    assert len(failed) > 3
    for one in failed:
        assert one["kind"] == "TooManySessions", one
        assert "No further session can be started: [Errno 24] Too many open files" in one["message"]
        assert one["is_clean"], one


def test_a_client_that_dies_without_reading_an_answer_does_not_stop_the_zygote_from_cleaning_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client, here = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    folder = os.open(tmp_path, os.O_RDONLY)
    with client, here:
        zygote = zygote_main._Zygote(here, SESSION_TYPE, folder)
        monkeypatch.setattr(zygote, "_keep_directory", client.close)
        here.send(b"an answer that nobody reads")
        client.send(json.dumps({"op": "keep", "request": 1}).encode())
        assert zygote._receive()
        assert not zygote._receive()
    for descriptor in (folder, zygote._wake_read, zygote._wake_write):
        os.close(descriptor)
