"""Sessions in processes of their own: answers, errors, ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fake_compiler import OBSERVATIONS, action
from plain_client import start

from optarena.errors import (
    ServiceClosed,
    ServiceError,
    SessionCrashed,
    SessionLimitExceeded,
    SessionOutOfMemory,
    SessionTimeout,
    UnknownName,
)
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.frames import PlainOutcome

if TYPE_CHECKING:
    from optarena.service.client.connection import ManagedConnection

    Open = Callable[..., ManagedConnection]

    Ends = Callable[[int], bool]


def step(
    connection: ManagedConnection,
    session: int,
    *actions: str,
    observe: str = "",
    timeout: float | None = None,
) -> pb.StepReply:
    spaces = [OBSERVATIONS.index(observe)] if observe else []
    request = pb.StepRequest(
        session_id=session, action=[action(name) for name in actions], observation_space=spaces
    )
    return connection.step(request, timeout=timeout)


def history(connection: ManagedConnection, session: int) -> list[int]:
    return list(step(connection, session, observe="history").observation[0].int64_tensor.value)


def pid_of(connection: ManagedConnection, session: int) -> int:
    return step(connection, session, observe="pid").observation[0].int64_value


def test_a_process_has_one_session_only(
    connection: ManagedConnection, session: int, benchmark: pb.Benchmark
) -> None:
    with pytest.raises(TypeError, match="open another connection"):
        start(connection, benchmark)
    assert history(connection, session) == [5, 6, 7]


def test_a_copy_has_the_files_of_its_original_and_its_own_folder(
    connection: ManagedConnection, session: int
) -> None:
    step(connection, session, "write-file")
    copy, copied = connection.fork(session)
    with copy:
        step(copy, copied, "write-file")
        assert step(copy, copied, observe="files").observation[0].string_value == "file0 file1"
        assert step(connection, session, observe="files").observation[0].string_value == "file0"


def test_a_crash_of_a_copy_leaves_the_original_alone(connection: ManagedConnection, session: int) -> None:
    copy, copied = connection.fork(session)
    with pytest.raises(SessionCrashed, match="SIGSEGV"):
        step(copy, copied, "crash")
    assert history(connection, session) == [5, 6, 7]


CPU, MEMORY = {"cpu_seconds_per_call": 0.5}, {"memory_bytes": 1 << 29}
ENDINGS: dict[str, tuple[dict[str, Any], type[ServiceError], str]] = {
    "abort": ({}, SessionCrashed, r"SIGABRT.*LLVM ERROR: this pass is not what it was"),
    "exit": ({}, SessionCrashed, "exit code 7"),
    "spin": (CPU, SessionTimeout, r"more than 0\.5 s of CPU time"),
    "spin-native": (CPU, SessionTimeout, r"more than 0\.5 s of CPU time"),
    "allocate": (MEMORY, SessionOutOfMemory, "536870912 bytes"),
    "memory-error": (MEMORY, SessionOutOfMemory, "536870912 bytes"),
    "grow": ({}, SessionLimitExceeded, "2,000,000 instructions"),
    "fail": ({}, ServiceError, "RuntimeError: a bug"),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_session_that_ends_says_why_and_its_process_is_gone(
    open_connection: Open, benchmark: pb.Benchmark, ends: Ends, name: str
) -> None:
    limits, kind, message = ENDINGS[name]
    connection = open_connection(**limits)
    session = start(connection, benchmark)
    with pytest.raises(kind, match=message) as caught:
        step(connection, session, name)
    assert ends(connection.worker.pid)
    assert connection.closed
    with pytest.raises(ServiceClosed, match="SIGABRT" if name == "abort" else None):
        step(connection, session)
    if name == "grow":
        assert isinstance(caught.value, SessionLimitExceeded)
        assert (caught.value.unit, caught.value.cpu_seconds is None) == (1, False)


def test_the_cpu_limit_holds_for_each_action_and_not_for_the_session(
    open_connection: Open, benchmark: pb.Benchmark
) -> None:
    connection = open_connection(cpu_seconds_per_call=0.3)
    session = start(connection, benchmark)
    began = time.process_time()
    for _ in range(400):
        step(connection, session, *["append"] * 20, observe="history")
    assert time.process_time() > began
    assert len(history(connection, session)) == 3 + 400 * 20


def test_wall_time_is_limited_by_the_caller(connection: ManagedConnection, session: int, ends: Ends) -> None:
    pid = pid_of(connection, session)
    with pytest.raises(SessionTimeout, match=r"Step: no answer within 0\.2 s"):
        step(connection, session, "sleep", timeout=0.2)
    assert ends(pid)
    assert connection.closed


def test_session_types_that_do_not_exist_are_named(open_connection: Open) -> None:
    for name in ("no_such_module:X", "optarena.nothing:X"):
        with pytest.raises(UnknownName, match=name):
            open_connection(name)


def test_close_in_another_thread_ends_a_running_call(connection: ManagedConnection, session: int) -> None:
    timer = threading.Timer(0.3, connection.close)
    timer.start()
    with pytest.raises(ServiceClosed):
        step(connection, session, "sleep")  # an hour
    timer.join()


def test_an_interrupt_during_a_call_closes_the_connection(
    connection: ManagedConnection, session: int, ends: Ends
) -> None:
    pid = pid_of(connection, session)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            step(connection, session, "sleep")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert ends(pid)
    with pytest.raises(ServiceClosed):
        step(connection, session)


def test_threads_share_a_connection_one_call_at_a_time(connection: ManagedConnection, session: int) -> None:
    threads = [
        threading.Thread(target=lambda: [step(connection, session, "append") for _ in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert history(connection, session) == [5, 6, 7, *range(3, 203)]


def test_what_a_session_has_started_ends_with_it(
    connection: ManagedConnection, session: int, children: Callable[[int], list[int]], ends: Ends
) -> None:
    step(connection, session, "spawn")
    (child,) = children(connection.worker.pid)
    connection.close()
    assert ends(child)


def test_the_folder_of_a_session_goes_with_it(connection: ManagedConnection, session: int) -> None:
    step(connection, session, "write-file")
    folder = Path(connection.worker.zygote.directory) / str(connection.worker.pid)
    assert [path.name for path in folder.iterdir()] == ["file0"]
    connection.close()
    assert not folder.exists()


def test_a_sandboxed_session_works_and_is_copied_by_replay(
    open_connection: Open, benchmark: pb.Benchmark
) -> None:
    connection = open_connection(sandbox=True)
    assert connection.sandbox.confined
    session = start(connection, benchmark)
    step(connection, session, "append")
    copy, copied = connection.fork(session)
    with copy:
        assert copy.sandbox.confined
        assert history(copy, copied) == [5, 6, 7, 3]


def test_a_sandboxed_session_can_see_whether_others_need_the_processor(
    open_connection: Open, benchmark: pb.Benchmark
) -> None:
    connection = open_connection(sandbox=True)
    start(connection, benchmark)
    files = Path(f"/proc/{connection.worker.pid}/fd").iterdir()
    assert Path("/proc/loadavg") in {file.readlink() for file in files}


def test_a_sandboxed_session_has_actions_tried_by_one_confined_process(
    open_connection: Open, benchmark: pb.Benchmark
) -> None:
    connection = open_connection("fake_compiler:AlikeSession", sandbox=True)
    session = start(connection, benchmark)
    step(connection, session, "append")
    spaces = [OBSERVATIONS.index(name) for name in ("length", "pid")]
    tried = [action(name) for name in ("append", "nothing", "crash", "append", "append")]
    request = pb.StepRequest(session_id=session, action=tried, observation_space=spaces)
    told = connection.look_ahead(request)
    assert isinstance(told[2], SessionCrashed)
    seen = [[value.int64_value for value in one.values] for one in told if not isinstance(one, ServiceError)]
    assert [length for length, _ in seen] == [5, 4, 5, 5]
    first, second, third, last = (pid for _, pid in seen)
    assert first == second != third == last, "After a crash another process goes on."
    del request.action[1:]
    [again] = connection.look_ahead(request)
    assert isinstance(again, PlainOutcome)
    assert [value.int64_value for value in again.values] == [5, last], "It is kept for the next look."
    assert history(connection, session) == [5, 6, 7, 3]
    connection.close()
    assert not Path(f"/proc/{last}").exists()


def test_a_process_that_tried_actions_is_replaced_after_its_death_and_ends_with_its_connection(
    open_connection: Open, benchmark: pb.Benchmark, ends: Ends
) -> None:
    connection = open_connection("fake_compiler:AlikeSession", sandbox=True)
    session = start(connection, benchmark)
    request = pb.StepRequest(
        session_id=session, action=[action("append")], observation_space=[OBSERVATIONS.index("pid")]
    )
    pids = []
    for _ in range(2):
        [told] = connection.look_ahead(request)
        assert isinstance(told, PlainOutcome)
        pids.append(told.values[0].int64_value)
        if len(pids) == 1:
            os.kill(pids[0], signal.SIGKILL)
            assert ends(pids[0])
    assert len(set(pids)) == 2
    assert history(connection, session) == [5, 6, 7]
    connection.hang_up()
    assert ends(pids[1]), "It does not wait until the connection is closed."


def test_a_process_that_tries_actions_has_only_so_many_sessions(
    open_connection: Open, benchmark: pb.Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.service.client.connection.MAX_SESSIONS", 2)
    connection = open_connection("fake_compiler:AlikeSession", sandbox=True)
    session = start(connection, benchmark)
    request = pb.StepRequest(
        session_id=session, action=[action("append")] * 5, observation_space=[OBSERVATIONS.index("pid")]
    )
    told = connection.look_ahead(request)
    pids = [one.values[0].int64_value for one in told if not isinstance(one, ServiceError)]
    assert [pids.count(pid) for pid in pids] == [2, 2, 2, 2, 1]


def test_a_process_that_tried_actions_is_kept_while_its_memory_is_small(
    open_connection: Open, benchmark: pb.Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = open_connection("fake_compiler:AlikeSession", sandbox=True)
    session = start(connection, benchmark)
    request = pb.StepRequest(
        session_id=session, action=[action("append")], observation_space=[OBSERVATIONS.index("pid")]
    )
    pids = []
    for most in (1 << 40, 1 << 40, 0, 0):
        monkeypatch.setattr("optarena.service.client.connection.MAX_SPARE_BYTES", most)
        [told] = connection.look_ahead(request)
        assert isinstance(told, PlainOutcome)
        pids.append(told.values[0].int64_value)
    assert [pids.count(pid) for pid in pids] == [3, 3, 3, 1]


def test_a_sandboxed_session_still_reports_how_it_ended(
    open_connection: Open, benchmark: pb.Benchmark
) -> None:
    for misdeed, cpu_seconds, error in (
        ("crash", 10, SessionCrashed),
        ("spin", 0.5, SessionTimeout),
        ("memory-error", 10, SessionOutOfMemory),
        ("allocate", 10, SessionOutOfMemory),
    ):
        connection = open_connection(sandbox=True, cpu_seconds_per_call=cpu_seconds, memory_bytes=1 << 29)
        session = start(connection, benchmark)
        with pytest.raises(error):
            step(connection, session, misdeed)
