"""A compiler without a compiler: a list of numbers, and actions that do what real compilers do at worst.

Loaded by name in session processes, like any session type that a user brings.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from typing import TYPE_CHECKING, ClassVar, Literal

from optarena.errors import SessionLimitExceeded
from optarena.service import CompilationSession
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Benchmark,
    Event,
    Int64Range,
    Int64SequenceSpace,
    Int64Tensor,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)

if TYPE_CHECKING:
    from pathlib import Path

ACTIONS = (
    "append", "nothing", "finish", "crash", "spin", "spin-native", "allocate", "exit", "refuse", "sleep",
    "grow", "fail", "write-file", "new-space", "memory-error", "abort", "spawn", "garble",
)  # fmt: skip
OBSERVATIONS = ("history", "length", "pid", "files", "no-linker", "broken")


def action(name: str) -> Event:
    return Event(int64_value=ACTIONS.index(name))


def _names(names: tuple[str, ...]) -> Space:
    return Space(named_discrete=NamedDiscreteSpace(name=names))


def _observation(name: str) -> ObservationSpace:
    space, default = Space(int64_value=Int64Range(min=0)), Event(int64_value=0)
    if name == "history":
        space, default = (
            Space(int64_sequence=Int64SequenceSpace()),
            Event(int64_tensor=Int64Tensor(shape=[0])),
        )
    if name == "files":
        space, default = Space(string_value=StringSpace()), Event(string_value="")
    constant = name not in {"pid", "files"}
    return ObservationSpace(name=name, space=space, default_observation=default, deterministic=constant)


class FakeSession(CompilationSession):
    """Appends to a list; misbehaves on request."""

    compiler_version = "fake 1.0"
    action_spaces: ClassVar[list[ActionSpace]] = [
        ActionSpace(name="all", space=_names(ACTIONS)),
        ActionSpace(name="harmless", space=_names(ACTIONS[:3])),
    ]
    observation_spaces: ClassVar[list[ObservationSpace]] = [_observation(name) for name in OBSERVATIONS]
    fork_by: ClassVar[Literal["process", "replay"]] = "process"

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        """Begin with the numbers in the program, one a byte."""
        super().__init__(working_directory, action_space, benchmark)
        if benchmark.program.contents == b"does not parse":
            raise ValueError("not a list of numbers")
        self.values = list(benchmark.program.contents)
        self.actions: list[int] = []
        self.parameter = "0"

    def check_action(self, action: Event) -> None:
        if ACTIONS[action.int64_value] == "refuse" and self.parameter == "strict":
            raise ValueError("refuse is not allowed when strict")

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        name = ACTIONS[action.int64_value]
        misdeed = getattr(self, "do_" + name.replace("-", "_"), None)
        if misdeed is not None:
            misdeed()
        self.actions.append(action.int64_value)
        if name == "append":
            self.values.append(len(self.values))
        space = self.action_spaces[1] if name == "new-space" else None
        return name == "finish", space, name == "nothing"

    def do_crash(self) -> None:
        ctypes.string_at(0)

    def do_abort(self) -> None:
        os.write(2, b"LLVM ERROR: this pass is not what it was\n")
        os.abort()

    def do_spin(self) -> None:
        while True:
            pass

    def do_spin_native(self) -> None:
        """Never end, in one native call that holds the interpreter: no Python code runs meanwhile."""
        libc = ctypes.PyDLL(None)
        zeros = ctypes.create_string_buffer(1 << 28)
        libc.qsort(zeros, 1 << 28, 1, libc.strcmp)

    def do_allocate(self) -> None:
        """Take all memory there is, in native code that aborts when there is none."""
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        while libc.malloc(ctypes.c_size_t(1 << 28)):
            pass
        os.write(2, b"LLVM ERROR: out of memory\n")
        os.abort()

    def do_memory_error(self) -> None:
        self.hoard = [bytearray(1 << 26) for _ in range(1000)]

    def do_exit(self) -> None:
        """End the process as a C library may."""
        os._exit(7)

    def do_refuse(self) -> None:
        raise ValueError("refused by apply_action")

    def do_sleep(self) -> None:
        time.sleep(3600)

    def do_grow(self) -> None:
        raise SessionLimitExceeded("2,000,000 instructions, at most 1,000,000 are allowed")

    def do_fail(self) -> None:
        raise RuntimeError("a bug")

    def do_write_file(self) -> None:
        (self.working_directory / f"file{len(self.actions)}").write_text("contents")

    def do_spawn(self) -> None:
        """Start a program that would outlive the session."""
        if os.fork() == 0:
            signal.pause()
            os._exit(0)

    def do_garble(self) -> None:
        """Write nonsense to every descriptor, the channel to the client among them."""
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"\x05\x00\x00\x00hello")

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        name = observation_space.name
        if name == "history":
            return Event(int64_tensor=Int64Tensor(shape=[len(self.values)], value=self.values))
        if name == "no-linker":
            raise NotImplementedError("there is no linker here")
        if name == "broken":
            raise ValueError("this observation never works")
        if name == "files":
            return Event(
                string_value=" ".join(sorted(path.name for path in self.working_directory.iterdir()))
            )
        return Event(int64_value={"length": len(self.values), "pid": os.getpid()}[name])

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        if key != "fake.parameter":
            return None
        if value == "bad":
            raise ValueError("fake.parameter: expected anything but 'bad'")
        self.parameter = value
        return f"was {value}"


class AlikeSession(FakeSession):
    """The same, and other sessions may follow in its process."""

    starts_alike: ClassVar[bool] = True


class ReplayedSession(FakeSession):
    """One that is copied by doing everything again."""

    fork_by = "replay"
