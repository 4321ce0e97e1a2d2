"""Zygotes and workers, below sessions."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import resource
import shutil
import signal
import socket
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from optarena import paths
from optarena.errors import InfrastructureFault, InvalidInput, ServiceError, TransportError, UnknownName
from optarena.isolation.limits import ProcessLimits
from optarena.service import timeouts
from optarena.service.client import zygote as zygote_module
from optarena.service.client.connection import ManagedConnection, offer_of
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.processes.exit_status import ExitStatus
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.session_process import zygote_main

if TYPE_CHECKING:
    from collections.abc import Callable

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
        assert worker.wait(10) == ExitStatus(0, None)
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("code", [0, 1, 42])
def test_the_exit_code_is_told(code: int) -> None:
    with spawn("leave", payload=str(code).encode()) as worker:
        assert worker.wait(10) == ExitStatus(code, None)
        assert worker.wait(0) == ExitStatus(code, None)


def test_a_worker_can_be_killed_and_is_waited_for() -> None:
    with spawn("sleep") as worker:
        assert worker.wait(0.1) is None
        worker.kill()
        assert worker.wait(10) == ExitStatus(None, 9)
        worker.kill()
    assert str(ExitStatus(None, 9)) == "SIGKILL"


def test_an_entry_that_fails_leaves_its_traceback() -> None:
    with spawn("fail") as worker:
        assert worker.wait(10) == ExitStatus(os.EX_SOFTWARE, None)
        assert "RuntimeError: this entry fails" in worker.stderr_tail()


def test_the_tail_of_standard_output_and_error_is_kept() -> None:
    with spawn("talk") as worker:
        worker.wait(10)
        tail = worker.stderr_tail()
    assert len(tail) == 4096
    assert tail.endswith("out\nthe last words\n")


@pytest.mark.parametrize("entry", ["entries:nothing", "no_such_entries:x"])
def test_an_entry_that_does_not_exist_is_named(entry: str) -> None:
    with pytest.raises(
        ServiceError, match=entry.split(":")[1] if "entries:n" in entry else "no_such_entries"
    ):
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
        assert list(pool.map(use, range(40))) == [str(number).encode() for number in range(40)]


def test_addresses_are_the_same_in_every_zygote_where_they_can_be_fixed() -> None:
    seen = set()
    for _ in range(3):
        Zygote.shared(SESSION_TYPE).close()
        with spawn("address") as worker:
            fixed = worker.sandbox.aslr_off
            seen.add(worker.channel.recv(100))
    assert (len(seen) == 1) is fixed


def test_an_own_session_type_that_does_not_exist_is_named_by_the_zygote() -> None:
    with pytest.raises(UnknownName, match=r"optarena\.no_such_room:Session"):
        Zygote.shared("optarena.no_such_room:Session")


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
    os.kill(zygote.pid, signal.SIGSTOP)  # it has told the offer, and prepares the rest
    os.kill(zygote.pid, signal.SIGKILL)
    why = "cannot be started: it has ended|does not answer"  # by how far it came
    with pytest.raises((InfrastructureFault, TransportError), match=why):
        zygote.spawn("entries:leave", limits=ProcessLimits(), sandbox=False)
    assert not zygote.is_alive()
    with ManagedConnection.open(OWN) as connection:
        assert connection.is_alive()
    assert Zygote.shared(OWN).pid != zygote.pid


def test_a_closed_zygote_is_replaced() -> None:
    first = Zygote.shared(SESSION_TYPE)
    first.close()
    assert not first.is_alive()
    assert not Path(first.directory).exists()
    assert Zygote.shared(SESSION_TYPE).pid != first.pid


def test_closing_a_zygote_ends_its_workers(ends: Callable[[int], bool]) -> None:
    worker = spawn("sleep")
    Zygote.shared(SESSION_TYPE).close()
    assert ends(worker.pid)
    assert worker.wait(10) == ExitStatus(None, 9)
    worker.close()


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
    """The open descriptors of a process that has nothing to do soon."""
    found: list[set[int]] = [set()]
    while len(found) < 2 or found[-1] != found[-2]:
        time.sleep(0.3)
        found.append({int(entry.name) for entry in Path(f"/proc/{pid}/fd").iterdir()})
    return found[-1]


def test_why_a_process_cannot_be_started_is_told() -> None:
    zygote = Zygote.start(SESSION_TYPE)
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
            assert worker.wait(10) == ExitStatus(0, None)
        assert innocent.wait(0) is None
        assert set(children(zygote.pid)) == before


def test_a_worker_of_which_the_client_learns_too_late_is_killed(
    monkeypatch: pytest.MonkeyPatch, ends: Callable[[int], bool]
) -> None:
    zygote = Zygote.shared(SESSION_TYPE)
    orphan, taken = spawn("sleep"), zygote._last_request
    real = zygote_module.receive_answer
    late = [{"request": taken, "worker": orphan.number}]
    monkeypatch.setattr(zygote_module, "receive_answer", lambda *given: late.pop() if late else real(*given))
    with spawn("echo", payload=b"right") as worker:
        assert worker.channel.recv(100) == b"right"
    assert ends(orphan.pid)
    orphan.close()


def test_a_zygote_that_does_not_answer_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    zygote = Zygote.shared(SESSION_TYPE)
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
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('this is not a zygote')")
    monkeypatch.setattr(zygote_module, "_BOOT", broken)
    before = threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(ServiceError, match="this is not a zygote"):
        Zygote.start(SESSION_TYPE)
    assert (threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))) == before


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
