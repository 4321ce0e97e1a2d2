"""Sessions' processes, and what unruly sessions leave behind."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import unruly

from optarena.errors import SessionCrashed
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.service.client.connection import ManagedConnection

SESSION_TYPE = "unruly:Unruly"


def is_running(pid: int) -> bool:
    """Whether a process, which is known to have run, runs still."""
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def begin(connection: ManagedConnection, benchmark: pb.Benchmark) -> int:
    return connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id


def start_daemon(connection: ManagedConnection, session: int) -> int:
    request = pb.StepRequest(
        session_id=session,
        action=[unruly.deed("daemon")],
        observation_space=[list(unruly.GIVEN).index("daemon")],
    )
    return int(connection.step(request).observation[0].int64_tensor.value[0])


@pytest.mark.parametrize("way", ["closed", "killed"])
def test_a_process_that_left_its_group_ends_with_its_session_and_no_other(
    open_connection: Callable[..., ManagedConnection],
    benchmark: pb.Benchmark,
    ends: Callable[[int], bool],
    way: str,
) -> None:
    one, other = open_connection(SESSION_TYPE), open_connection(SESSION_TYPE)
    pids = [start_daemon(each, begin(each, benchmark)) for each in (one, other)]
    if way == "closed":
        one.close()
    else:
        os.kill(one.worker.pid, signal.SIGKILL)
    assert ends(pids[0])
    assert is_running(pids[1])


def test_a_copys_processes_are_its_own(
    open_connection: Callable[..., ManagedConnection], benchmark: pb.Benchmark, ends: Callable[[int], bool]
) -> None:
    connection = open_connection(SESSION_TYPE)
    copy, copied = connection.fork(begin(connection, benchmark))
    with copy:
        pid = start_daemon(copy, copied)
        connection.close()
        copy.step(pb.StepRequest(session_id=copied, action=[unruly.deed("fine")]))
        assert is_running(pid)
    assert ends(pid)


def test_everything_ends_with_the_zygote(
    open_connection: Callable[..., ManagedConnection], benchmark: pb.Benchmark, ends: Callable[[int], bool]
) -> None:
    connection = open_connection(SESSION_TYPE)
    pid = start_daemon(connection, begin(connection, benchmark))
    connection.worker.zygote.close()
    assert ends(pid)


def test_a_talkative_session_lives_on(
    open_connection: Callable[..., ManagedConnection], benchmark: pb.Benchmark
) -> None:
    connection = open_connection(SESSION_TYPE)
    session = begin(connection, benchmark)
    for _ in range(3):  # 90 MB, which is more than any file may have
        connection.step(pb.StepRequest(session_id=session, action=[unruly.deed("spill")]))
    assert connection.worker.stderr_tail().endswith("e\nthe last words\n")


def test_a_client_is_told_the_last_words_and_the_log_has_the_traceback(
    open_connection: Callable[..., ManagedConnection],
    benchmark: pb.Benchmark,
    caplog: pytest.LogCaptureFixture,
) -> None:
    connection = open_connection(SESSION_TYPE)
    session = begin(connection, benchmark)
    with caplog.at_level(logging.ERROR, "optarena"), pytest.raises(SessionCrashed) as caught:
        connection.step(pb.StepRequest(session_id=session, action=[unruly.deed("collapse")]))
    told = "The session's process ended by exit code 4: the compiler is sad | KeyError: 'hidden'"
    assert str(caught.value) == told
    assert "    | Traceback (most recent call last):" in caplog.text
    assert "unruly.py" in caplog.text
