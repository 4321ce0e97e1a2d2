"""A compiler that is a program: a shell, which tries at once what a hostile tool would."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import signal
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import hostile
from fake_compiler import FakeSession

from optarena.errors import ServiceError
from optarena.isolation.tool_files import access_to
from optarena.isolation.tools import HERE, RunningTool, ToolAccess, run_tool
from optarena.service.protocol import frames

if TYPE_CHECKING:
    import socket

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event

_libc = ctypes.CDLL(None, use_errno=True)
SHELL: Final = Path("/bin/sh")
SLEEP: Final = Path("/bin/sleep")


@cache
def access() -> ToolAccess:
    return access_to({"sh": SHELL, "sleep": SLEEP})


class ToolSession(FakeSession):
    """A session that starts a tool at each action; the first action lets it run for ever."""

    @classmethod
    def preload(cls) -> None:
        access()

    @classmethod
    def tools(cls) -> ToolAccess:
        return access()

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Tell the CPU time of a tool that is given no other."""
        if key != "ulimit -t":
            return super().handle_session_parameter(key, value)
        return (
            run_tool("sh", [str(SHELL), "-c", key], access=access(), folder=self.working_directory)
            .decode()
            .strip()
        )

    def verify(self) -> str:
        """Nothing is wrong, which a tool needs some time to find."""
        run_tool("sleep", [str(SLEEP), "1.2"], access=access(), folder=self.working_directory)
        return ""

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        script = "while :; do :; done" if action.int64_value == 0 else "echo made > file1"
        run_tool(
            "sh", [str(SHELL), "-c", script], access=access(), folder=self.working_directory, cpu_seconds=60
        )
        return False, None, False


class SessionWithoutItsTool(ToolSession):
    """A session whose tool may not be read by the user of confined processes."""

    @classmethod
    def tools(cls) -> ToolAccess:
        """A file that only root can read, if the test runs as root; otherwise one that nobody can."""
        closed = Path(os.environ["OPTARENA_TRANSIENT_CACHE"], "closed-tool")
        if not closed.exists():
            closed.touch(mode=stat.S_IRUSR if os.geteuid() == 0 else 0)
        return ToolAccess(files=(closed,))


SCRIPTS: Final = {
    "reads a file outside": "read line < /etc/passwd",
    "reads the memory of its session": "read line < /proc/$PPID/environ",
    "lists a folder outside": "for f in /etc/*; do case $f in /etc/passwd) exit 0;; esac; done; exit 1",
    "writes outside": "echo x > /tmp/optarena-breach",
    "makes a folder": "mkdir folder",
    "runs a program that is not a tool": "exec /bin/ls",
    "makes a process": "(exit 0); exit 0",
    "kills its session": "kill -9 $PPID",
    "kills its group": "kill -9 0",
    "raises its limit on time": "ulimit -t unlimited",
    "raises its limit on memory": "ulimit -v unlimited",
}
"""What a tool may not do; a script that reaches its end with 0 has done it."""


def try_scripts(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: run each script, and tell how each ended."""
    del payload, fds
    outcomes = {}
    for name, script in SCRIPTS.items():
        try:
            run_tool("sh", [str(SHELL), "-c", script], access=access(), cpu_seconds=5, wall_seconds=20)
        except ServiceError as error:
            outcomes[name] = str(error)
        else:
            outcomes[name] = ""
    frames.send(channel, json.dumps(outcomes).encode())


def work(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: what an honest tool does, two at once; then how the limits end others."""
    del payload, fds
    one = RunningTool("sh", [str(SHELL), "-c", "echo one > made; echo first"], access=access(), label="a")
    other = RunningTool("sh", [str(SHELL), "-c", "echo second; ulimit -t -v"], access=access(), label="b")
    said: dict[str, object] = {"outputs": [one.finish().decode(), other.finish().decode()]}
    said["made"] = (HERE / "made").read_text()
    said["left"] = sorted(path.name for path in HERE.iterdir())
    endless = {
        "cpu": ("while :; do :; done", 1.0, 60.0),
        "wall": ("exec /bin/sleep 60", 60.0, 0.5),
        "error": ("echo some words >&2; exit 3", 5.0, 20.0),
        "memory": ("x=aaaaaaaaaaaaaaaa; while :; do x=$x$x$x$x; done", 30.0, 60.0),
        "size": ("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", 60.0, 120.0),
    }
    for name, (script, cpu_seconds, wall_seconds) in endless.items():
        try:
            run_tool(
                "sh",
                [str(SHELL), "-c", script],
                access=access(),
                cpu_seconds=cpu_seconds,
                wall_seconds=wall_seconds,
            )
        except ServiceError as error:
            said[name] = f"{type(error).__name__}: {error}"
    frames.send(channel, json.dumps(said).encode())


FORKING: Final = ("fork", "vfork", "clone")
NAMESPACES: Final = {
    "mount": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000,
    "pid": 0x20000000, "net": 0x40000000,
}  # fmt: skip
_CLONE: Final = 56


def try_all(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: every attempt of a hostile process but to fork, and a fork into each kind of namespace."""
    del payload, fds
    hostile.CHANNEL = channel.fileno()
    outcomes = hostile.run_all([name for name in hostile.ATTEMPTS if name not in FORKING])
    for name, flag in NAMESPACES.items():
        ctypes.set_errno(0)
        pid = _libc.syscall(
            ctypes.c_long(_CLONE), ctypes.c_long(flag | signal.SIGCHLD), *[ctypes.c_long(0)] * 4
        )
        if pid == 0:
            os._exit(0)
        denied = pid == -1 and ctypes.get_errno() == errno.EPERM
        outcomes[f"{name} namespace"] = "denied: EPERM" if denied else f"BREACH: {pid}"
    frames.send(channel, json.dumps(outcomes).encode())
