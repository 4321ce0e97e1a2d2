"""Calls of the fake compiler over any transport, with options that wait for nothing long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_compiler import action

from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.service.client.interface import Connection

QUICK = {
    "rpc_call_max_seconds": 10.0,
    "retry_wait_seconds": 0.02,
    "init_max_attempts": 2,
    "rpc_init_max_seconds": 5.0,
    "local_service_exit_max_seconds": 20.0,
}


def options(**more: Any) -> ConnectionOptions:
    return ConnectionOptions(**{**QUICK, **more})


def start(connection: Connection, benchmark: pb.Benchmark, *, timeout: float | None = None) -> int:
    request = pb.StartSessionRequest(benchmark=benchmark)
    return connection.start_session(request, timeout=timeout).session_id


def step(connection: Connection, session: int, *names: str, timeout: float | None = None) -> int:
    """Apply actions, and answer how long the list of numbers is."""
    actions = [action(name) for name in names]
    request = pb.StepRequest(session_id=session, action=actions, observation_space=[1])
    return connection.step(request, timeout=timeout).observation[0].int64_value
