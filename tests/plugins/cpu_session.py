"""A session type and entries for processes that measure on the CPU; loaded by a zygote."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optarena.loop_tool.cpu.preloading import preload
from optarena.loop_tool.nest import Loop, Nest
from optarena.service import CompilationSession
from optarena.service.protocol import frames

if TYPE_CHECKING:
    import socket

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, ObservationSpace

TASKS = Path("/proc/self/task")


class CpuSession(CompilationSession):
    """Loads what the CPU's backend needs, and does nothing else."""

    @classmethod
    def preload(cls) -> None:
        preload()

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        raise NotImplementedError

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        raise NotImplementedError


def measure(channel: socket.socket, payload: bytes, descriptors: tuple[int, ...]) -> None:
    """Read nests, which come as lists of loops, and send what became of each."""
    from optarena.loop_tool.cpu.backend import CpuBackend  # noqa: PLC0415 # loaded by preload()

    said: dict[str, Any] = {"readings": []}
    for loops in json.loads(payload):
        nest = Nest(tuple(Loop(*loop) for loop in loops))
        backend = CpuBackend(nest.elements, budget_seconds=0.0, workers=2)
        try:
            said["readings"].append(backend.read(nest).as_dict())
        except Exception as error:  # noqa: BLE001 # told to the test by name
            said["readings"].append({"error": type(error).__name__, "message": str(error)})
        said["machine"] = backend.machine()
        with contextlib.suppress(PermissionError):
            said["threads afterwards"] = len(list(TASKS.iterdir()))
        backend.close()
    frames.send(channel, json.dumps(said).encode())


def count_threads(channel: socket.socket, payload: bytes, descriptors: tuple[int, ...]) -> None:
    """Send how many threads the process has, and whether numpy's settings were left behind."""
    threads = len(list(TASKS.iterdir()))
    frames.send(channel, json.dumps([threads, "OPENBLAS_NUM_THREADS" in os.environ]).encode())
