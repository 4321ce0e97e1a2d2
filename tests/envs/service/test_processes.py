"""Who dies with whom, and that nobody stays: agents, zygotes, sessions, threads and forks."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forking import in_forked_process
from plain_client import start, step

from optarena.errors import ServiceClosed, SessionCrashed, TransportError
from optarena.isolation.limits import ProcessLimits
from optarena.service.client.connection import ManagedConnection
from optarena.service.client.zygote import Zygote
from tests.kit.folders import PLUGINS
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    from optarena.service.proto import compiler_gym_service_pb2 as pb

SESSION_TYPE = "fake_compiler:FakeSession"

ZYGOTE_DESCRIPTORS = 8
"""Three standard ones, control socket, folder, pidfd of the client, and both ends of the wake-up pipe."""

AGENT = """
    import os, sys, time
    sys.path.insert(0, {here!r})
    from optarena.service.client.connection import ManagedConnection
    from optarena.service.proto import compiler_gym_service_pb2 as pb
    from plain_client import start
    benchmark = pb.Benchmark(uri="benchmark://a-v0/a", program=pb.File(contents=b"abc"))
    connections = []
    for _ in range(2):
        connection = ManagedConnection.open("fake_compiler:FakeSession")
        session = start(connection, benchmark)
        copy, copied = connection.fork(session)
        connections += [connection, copy]
    folder = connection.worker.zygote.directory
    print(connection.worker.zygote.pid, *[each.worker.pid for each in connections], folder, flush=True)
"""


Agent = Callable[..., tuple[subprocess.Popen[str], list[int], Path]]


@pytest.fixture
def agent(start_program: Callable[..., tuple[subprocess.Popen[str], list[str]]]) -> Agent:
    """Starts a real agent with a zygote and four sessions; answers it, their process ids and its folder."""

    def start_agent(then: str, *prefix: str) -> tuple[subprocess.Popen[str], list[int], Path]:
        program = textwrap.dedent(AGENT.format(here=str(PLUGINS))) + textwrap.dedent(then)
        process, (*pids, folder) = start_program(program, *prefix)
        return process, [int(pid) for pid in pids], Path(folder)

    return start_agent


IDLES = "time.sleep(600)"
WORKS = """
        connections[0].step(pb.StepRequest(session_id=1, action=[action("spin")]))
"""
HAS_FORKED = "if os.fork() == 0: time.sleep(20); os._exit(0)\ntime.sleep(600)"
NO_PIDFDS = (sys.executable, str(PLUGINS / "container.py"), "--no-pidfd")


@pytest.mark.parametrize(
    ("then", "prefix"),
    [
        (IDLES, ()),
        pytest.param(WORKS, (), marks=pytest.mark.soak),
        (HAS_FORKED, ()),
        pytest.param(HAS_FORKED, NO_PIDFDS, marks=pytest.mark.soak),
    ],
)
def test_a_killed_agent_takes_zygote_and_sessions_with_it(
    agent: Agent, ends: Callable[[int], bool], then: str, prefix: tuple[str, ...]
) -> None:
    process, pids, folder = agent(then, *prefix)
    if then != IDLES:
        time.sleep(0.3)
    process.kill()
    assert all(ends(pid) for pid in pids)
    if then == IDLES:
        wait_until(lambda: not folder.exists())


@pytest.mark.soak
def test_confined_sessions_die_with_a_killed_agent(agent: Agent, ends: Callable[[int], bool]) -> None:
    then = """
        confined = ManagedConnection.open("fake_compiler:FakeSession", sandbox=True)
        print(confined.worker.pid, flush=True)
        time.sleep(600)
    """
    process, _, _ = agent(then)
    assert process.stdout is not None
    confined = int(process.stdout.readline())
    process.kill()
    assert ends(confined)


def test_a_confined_session_dies_with_its_zygote(
    open_connection: Callable[..., ManagedConnection], ends: Callable[[int], bool]
) -> None:
    connection = open_connection(sandbox=True)
    os.kill(connection.worker.zygote.pid, signal.SIGKILL)
    assert ends(connection.worker.pid)


def test_an_agent_that_just_exits_leaves_nothing(agent: Agent, ends: Callable[[int], bool]) -> None:
    process, pids, folder = agent("sys.exit(3)")
    assert process.wait(20) == 3
    assert all(ends(pid) for pid in pids)
    assert not folder.exists()


def test_an_interrupt_from_the_keyboard_does_not_reach_the_sessions(agent: Agent) -> None:
    then = """
        import signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("ready", flush=True)
        sys.stdin.readline()
        reply = connections[0].step(pb.StepRequest(session_id=1, observation_space=[1]))
        print(reply.observation[0].int64_value, flush=True)
    """
    program = textwrap.dedent(AGENT.format(here=str(PLUGINS))) + textwrap.dedent(then)
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    with process:
        process.stdout.readline()
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate("go\n", timeout=20)[0] == "3\n"


def test_a_killed_zygote_takes_sessions_with_it_and_the_next_one_is_new(
    connection: ManagedConnection, session: int, ends: Callable[[int], bool], benchmark: pb.Benchmark
) -> None:
    zygote = connection.worker.zygote
    os.kill(zygote.pid, signal.SIGKILL)
    assert ends(connection.worker.pid)
    with pytest.raises(SessionCrashed, match="SIGKILL"):
        step(connection, session)
    assert ends(zygote.pid)
    with ManagedConnection.open(SESSION_TYPE) as fresh:
        assert fresh.worker.zygote.pid != zygote.pid
        assert start(fresh, benchmark) == 1
    with pytest.raises((TransportError, ServiceClosed)):
        zygote.spawn("os:getpid", limits=ProcessLimits(), sandbox=False)


def test_a_connection_made_in_a_thread_that_ends_goes_on_working(benchmark: pb.Benchmark) -> None:
    made = []

    def make() -> None:
        Zygote.shared(SESSION_TYPE).close()  # so that a new zygote is made by this thread
        connection = ManagedConnection.open(SESSION_TYPE)
        session = start(connection, benchmark)
        made.append((connection, session))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    (connection, session) = made[0]
    time.sleep(0.3)
    with connection:
        assert step(connection, session, "append") == 4
        copy, copied = connection.fork(session)
        with copy:
            assert step(copy, copied, "append") == 5
        with ManagedConnection.open(SESSION_TYPE) as another:
            assert another.worker.zygote is connection.worker.zygote


def test_a_connection_used_after_fork_says_so_and_the_owner_goes_on(
    connection: ManagedConnection, session: int
) -> None:
    for use in (
        lambda: step(connection, session, "append"),
        lambda: connection.fork(session),
        lambda: connection.worker.zygote.spawn("os:getpid", limits=ProcessLimits(), sandbox=False),
    ):
        said = in_forked_process(use)
        assert said.startswith("ServiceClosed: ")
        assert "which was forked from it" in said
    assert in_forked_process(lambda: connection.close() or "closed") == "closed"
    assert in_forked_process(lambda: "collected" if gc.collect() >= 0 else "") == "collected"
    assert step(connection, session, "append") == 4


def test_a_forked_process_gets_a_zygote_of_its_own(
    connection: ManagedConnection, session: int, benchmark: pb.Benchmark, ends: Callable[[int], bool]
) -> None:
    def use() -> str:
        with ManagedConnection.open(SESSION_TYPE) as own:
            started = start(own, benchmark)
            return f"{own.worker.zygote.pid} {step(own, started, 'append', 'append')}"

    pid, length = in_forked_process(use).split()
    assert length == "5"
    assert int(pid) != connection.worker.zygote.pid
    assert ends(int(pid))
    assert step(connection, session) == 3


def test_a_fork_while_other_threads_make_calls_hangs_nobody(
    connection: ManagedConnection, session: int
) -> None:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            step(connection, session, "append")

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(2):
            assert in_forked_process(lambda: step(connection, session)).startswith("ServiceClosed: ")
            assert in_forked_process(lambda: connection.close() or "closed") == "closed"
    finally:
        stop.set()
        thread.join()


def test_sessions_leave_no_descriptor_and_no_process_however_they_end(
    benchmark: pb.Benchmark, descriptors: Callable[[], int], children: Callable[[int], list[int]]
) -> None:
    Zygote.shared(SESSION_TYPE).close()
    zygote = Zygote.shared(SESSION_TYPE)

    def cycle() -> None:
        with ManagedConnection.open(SESSION_TYPE) as connection:
            session = start(connection, benchmark)
            copy, copied = connection.fork(session)
            with pytest.raises(SessionCrashed):
                step(copy, copied, "crash")

    cycle()
    gc.collect()
    before = descriptors()
    for _ in range(5):
        cycle()
    gc.collect()
    assert descriptors() <= before
    open_files = Path(f"/proc/{zygote.pid}/fd")  # it closes some just after it has told an end
    wait_until(lambda: len(list(open_files.iterdir())) == ZYGOTE_DESCRIPTORS)
    assert children(zygote.pid) == []
    assert not Path(zygote.directory).exists()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_dropped_connections_end_their_sessions(benchmark: pb.Benchmark, ends: Callable[[int], bool]) -> None:
    connection = ManagedConnection.open(SESSION_TYPE)
    start(connection, benchmark)
    pid = connection.worker.pid
    del connection
    gc.collect()
    assert ends(pid)
