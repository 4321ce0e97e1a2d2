"""Measures calls and sessions beside the bare transport without OptArena, in the same run.

    python benchmarks/service.py [--calls N] [--sessions N] [--only local|grpc|start|sessions]

Prints medians and ratios. Machines differ and are shared; only ratios and differences should stay the same.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import grpc
import running
from empty_session import EmptySession
from grpc_echo import METHOD
from measuring import aim, medians, milliseconds, show
from running import EMPTY, HERE, LLVM, NOTHING, program

from optarena.llvm.session import LlvmSession
from optarena.service.client.connection import ManagedConnection
from optarena.service.client.grpc_connection import GrpcConnection
from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optarena.service import CompilationSession

LLVM_TYPE: Final = "optarena.llvm.session:LlvmSession"
STEP: Final = "/compiler_gym.CompilerGymService/Step"
VERSION: Final = "/compiler_gym.CompilerGymService/GetVersion"
ROUND_TRIP_MS: Final = 0.1
OVERHEAD_MS: Final = 0.2
GRPC_RATIO: Final = 1.2
START_MS: Final = 500.0
STARTS: Final = 9


class Unhurried:
    """The context of a call without a time limit."""

    def time_remaining(self) -> None:
        """None: there is no limit."""


def observation_of(spaces: Sequence[pb.ObservationSpace]) -> int:
    """The index of a cheap observation: LLVM's number of instructions, else the first."""
    names = [space.name for space in spaces]
    return names.index("IrInstructionCount") if "IrInstructionCount" in names else 0


@contextmanager
def socket_echo() -> Iterator[Callable[[], object]]:
    """A round trip of 32 bytes to a forked process that does nothing else."""
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

    yield once
    ours.close()
    os.waitpid(pid, 0)


def step_request(session: int, observation: int = 0) -> pb.StepRequest:
    """One action, one observation."""
    return pb.StepRequest(
        session_id=session, action=[pb.Event(int64_value=0)], observation_space=[observation]
    )


def local(calls: int, sessions: int) -> None:
    """A private process over a socket pair, beside an echo and beside a direct call."""
    print("local transport")
    with socket_echo() as echo, ManagedConnection.open(EMPTY) as connection:
        version = partial(connection.get_version, pb.GetVersionRequest())
        found = medians({"echo": echo, "version": version}, calls)
    show("bare echo over a socket pair", found["echo"])
    remark = f"{found['version'] / found['echo']:.1f} x echo; {aim(found['version'], ROUND_TRIP_MS)}"
    show("empty round trip (GetVersion)", found["version"], remark)
    overhead("empty session", EMPTY, EmptySession, NOTHING, calls)
    overhead("LLVM, sha256 of kernels-v0", LLVM_TYPE, LlvmSession, program(), max(calls // 10, 20))
    for name, confined in (("open and close", False), ("open and close, confined", True)):
        opened = medians({"": partial(open_and_close, confined=confined)}, sessions)
        show(name, opened[""])
    with ManagedConnection.open(EMPTY) as connection:
        session = connection.start_session(pb.StartSessionRequest(benchmark=NOTHING)).session_id
        forked = medians({"": partial(fork_and_close, connection, session)}, sessions)
    show("fork of a session, and its end", forked[""])


def open_and_close(*, confined: bool) -> None:
    """Start and end the process of one session."""
    ManagedConnection.open(EMPTY, sandbox=confined).close()


def fork_and_close(connection: ManagedConnection, session: int) -> None:
    """Copy a session, and end the copy."""
    copy, _ = connection.fork(session)
    copy.close()


def overhead(
    title: str, name: str, kind: type[CompilationSession], benchmark: pb.Benchmark, calls: int
) -> None:
    """The time that the transport adds to a Step, compared with the same Step in this process."""
    kind.preload()
    kind.finish_preloading()
    with tempfile.TemporaryDirectory() as folder, ManagedConnection.open(name) as connection:
        here = CompilerGymService(Path(folder), kind)
        start = pb.StartSessionRequest(benchmark=benchmark)
        observed = observation_of(kind.observation_spaces)
        direct = step_request(here.StartSession(start, Unhurried()).session_id, observed)
        carried = step_request(connection.start_session(start).session_id, observed)
        found = medians(
            {
                "direct": lambda: here.Step(direct, Unhurried()),
                "carried": lambda: connection.step(carried),
            },
            calls,
        )
        here.close()
    show(f"Step, direct: {title}", found["direct"])
    difference = found["carried"] - found["direct"]
    show("Step, carried", found["carried"], f"+{difference:.3f} ms; {aim(difference, OVERHEAD_MS)}")


@contextmanager
def grpc_echo(reply_bytes: int) -> Iterator[str]:
    """A bare grpcio server in a process of its own; its endpoint."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/socket"
        process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, str(HERE / "grpc_echo.py"), path, str(reply_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None  # noqa: S101 - for the type checker
        process.stdout.readline()
        yield f"unix:{path}"
        process.communicate()


def over_grpc(calls: int, sessions: int) -> None:
    """Our server and our client, each beside bare grpcio with messages of the same length."""
    del sessions
    print("gRPC transport, over a Unix socket")
    for title, options in (
        ("all sessions in the service's process", ("--in-process",)),
        ("a process for each session", ()),
    ):
        print(f" {title}")
        with running.service(EMPTY, *options) as (endpoint, _), GrpcConnection.open(endpoint) as connection:
            beside_bare_grpcio(connection, calls)


def beside_bare_grpcio(connection: GrpcConnection, calls: int) -> None:
    """Two calls of a service, by a raw stub and by our client, in turns with calls of an echo."""
    session = connection.start_session(pb.StartSessionRequest(benchmark=NOTHING)).session_id
    request = step_request(session)
    data, reply = request.SerializeToString(), connection.step(request).SerializeToString()
    with (
        grpc_echo(len(reply)) as echo,
        grpc.insecure_channel(echo) as bare,
        grpc.insecure_channel(connection.endpoint) as ours,
    ):
        call = bare.unary_unary(METHOD)
        version, step = ours.unary_unary(VERSION), ours.unary_unary(STEP)
        kinds = {
            "GetVersion, raw stub": lambda: version(b"", timeout=60),
            "GetVersion, GrpcConnection": lambda: connection.get_version(pb.GetVersionRequest()),
            "Step, raw stub": lambda: step(data, timeout=60),
            "Step, GrpcConnection": lambda: connection.step(request),
        }
        for name, function in kinds.items():  # in pairs, so that neither server is warmer
            found = medians({"bare": lambda: call(data, timeout=60), "": function}, calls)
            ratio = found[""] / found["bare"]
            remark = f"{ratio:.2f} x bare grpcio's {found['bare']:.3f} ms; {aim(ratio, GRPC_RATIO)}"
            show(name, found[""], remark)


def starting(calls: int, sessions: int) -> None:
    """The time from the start of a service's process to its first session."""
    del calls, sessions
    print("start of a service's process to its first session")
    for title, name, benchmark in (("empty session", EMPTY, NOTHING), ("LLVM", LLVM, program())):
        times = []
        for _ in range(STARTS):
            begin = time.perf_counter()
            with running.service(name) as (endpoint, _), GrpcConnection.open(endpoint) as connection:
                connection.start_session(pb.StartSessionRequest(benchmark=benchmark))
                times.append((time.perf_counter() - begin) * 1000)
        median = statistics.median(times)
        show(title, median, f"{min(times):.0f} to {max(times):.0f}; {aim(median, START_MS)}")


def many(calls: int, sessions: int) -> None:
    """Many concurrent sessions in one service: time and memory of each, started and forked."""
    del calls
    print(f"{sessions} concurrent sessions in one service")
    for title, name, benchmark in (("empty session", EMPTY, NOTHING), ("LLVM", LLVM, program())):
        for how in ("started", "forked"):
            with running.service(name, "--max-sessions", str(sessions + 1)) as (endpoint, process):
                options = ConnectionOptions(rpc_call_max_seconds=300)
                with GrpcConnection.open(endpoint, options) as connection:
                    live_sessions(f"{title}, {how}", connection, process.pid, benchmark, sessions)


def live_sessions(
    title: str, connection: GrpcConnection, pid: int, benchmark: pb.Benchmark, sessions: int
) -> None:
    """Start or fork sessions until there are enough, use each, and print their time and memory."""
    connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
    start = pb.StartSessionRequest(benchmark=pb.Benchmark(uri=benchmark.uri))
    ids = [connection.start_session(start).session_id]
    before = set(running.descendants(pid))
    if title.endswith("started"):
        times = [
            milliseconds(lambda: ids.append(connection.start_session(start).session_id))
            for _ in range(sessions - 1)
        ]
    else:
        times = [milliseconds(lambda: ids.append(connection.fork(ids[0])[1])) for _ in range(sessions - 1)]
    spaces = connection.get_spaces(pb.GetSpacesRequest()).observation_space_list
    observed = observation_of(spaces)
    for session in ids:
        connection.step(step_request(session, observed))
    fresh = sorted(set(running.descendants(pid)) - before)
    pss = running.memory_kib(fresh)
    show(f"{title}: each", statistics.median(times), f"{sum(times) / 1000:.1f} s in all")
    show(
        "  memory of each (PSS)",
        statistics.median(pss) / 1024,
        f"{len(pss)} processes, {sum(pss) / 2**20:.2f} GiB in all",
        "MiB",
    )
    rss = running.memory_kib([pid], "Rss")[0] / 1024
    show(
        "  the service's own process",
        rss,
        f"{running.descriptors(pid)} descriptors, {running.threads(pid)} threads",
        "MiB",
    )
    step = medians({"": lambda: connection.step(step_request(ids[-1], observed))}, 50)
    show("  Step of one of them", step[""])


PARTS: Final = {"local": local, "grpc": over_grpc, "start": starting, "sessions": many}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=3000, help="calls of each kind")
    parser.add_argument("--sessions", type=int, default=1000, help="concurrent sessions in one service")
    parser.add_argument("--only", choices=list(PARTS), help="run only this part")
    arguments = parser.parse_args()
    for name, part in PARTS.items():
        if arguments.only in (None, name):
            part(arguments.calls, arguments.sessions if name == "sessions" else min(arguments.sessions, 100))


if __name__ == "__main__":
    main()
