"""How long a call and a session take, beside a bare echo over a socket pair to a forked process.

    python benchmarks/rpc.py [--calls N] [--sessions N]

Prints medians. Machines differ and are shared; the ratio to the echo is what should stay.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING

from optarena.service.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION_TYPE = "empty_session:EmptySession"


def median_microseconds(function: Callable[[], object], repeats: int) -> float:
    """The median time of one call of a function."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def echo(repeats: int) -> float:
    """A round trip of 32 bytes to a forked process that does nothing else, in microseconds."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        while data := theirs.recv(1 << 16):
            theirs.sendall(data)
        os._exit(0)
    theirs.close()
    data = bytes(32)

    def once() -> None:
        ours.sendall(data)
        ours.recv(1 << 16)

    result = median_microseconds(once, repeats)
    ours.close()
    os.waitpid(pid, 0)
    return result


def open_and_close(*, sandbox: bool) -> None:
    """One session's process, from nothing to nothing."""
    ManagedConnection.open(SESSION_TYPE, sandbox=sandbox).close()


def fork_and_close(connection: ManagedConnection, session: int) -> None:
    """A copy of a session, and its end."""
    copy, _ = connection.fork(session)
    copy.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--sessions", type=int, default=100)
    arguments = parser.parse_args()
    bare = echo(arguments.calls)
    benchmark = pb.Benchmark(uri="benchmark://none-v0/none", program=pb.File(contents=b"none"))
    with ManagedConnection.open(SESSION_TYPE) as connection:
        session = connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id
        step = pb.StepRequest(session_id=session, action=[pb.Event(int64_value=0)], observation_space=[0])
        rows = {
            "bare echo over a socket pair": bare,
            "GetVersion": median_microseconds(
                lambda: connection.get_version(pb.GetVersionRequest()), arguments.calls
            ),
            "Step, one action, one observation": median_microseconds(
                partial(connection.step, step), arguments.calls
            ),
            "fork of a session, and its end": median_microseconds(
                partial(fork_and_close, connection, session), arguments.sessions
            ),
            "open and close": median_microseconds(lambda: open_and_close(sandbox=False), arguments.sessions),
            "open and close, confined": median_microseconds(
                lambda: open_and_close(sandbox=True), arguments.sessions
            ),
        }
    for name, microseconds in rows.items():
        print(f"{name:36}{microseconds:10.0f} us {microseconds / bare:8.1f} x echo")


if __name__ == "__main__":
    main()
