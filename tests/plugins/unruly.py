"""A compiler whose code gives and raises what it may not; the program's text says what it does when begun."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from optarena.errors import DeviceUnavailable
from optarena.service import CompilationSession
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError, StatusCode

if TYPE_CHECKING:
    from pathlib import Path


class Mute(Exception):
    """One that cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Custom(BaseException):
    """One of a compiler's own."""


def throw(error: BaseException) -> Callable[[], NoReturn]:
    def raising() -> NoReturn:
        raise error

    return raising


def daemon() -> tuple[bool, None, bool]:
    """Start a program in a session of its own, and name it in a file."""
    started = subprocess.Popen(["sleep", "600"], start_new_session=True)
    started.returncode = 0  # nobody waits for it
    DAEMONS.append(started.pid)
    return FINE


def spill() -> tuple[bool, None, bool]:
    for _ in range(30):
        os.write(2, b"e" * 1_000_000)
    os.write(2, b"\nthe last words\n")
    return FINE


def collapse() -> NoReturn:
    """End with a traceback and a compiler's last words."""
    os.write(2, b"the compiler is sad\n")
    try:
        {}["hidden"]
    except KeyError:
        sys.excepthook(*sys.exc_info())
    os._exit(4)


FINE = (False, None, False)
DAEMONS: list[int] = []
DEEDS: dict[str, Callable[[], Any]] = {
    "fine": lambda: FINE,
    "nothing": lambda: None,
    "two": lambda: (False, None),
    "four": lambda: (False, None, False, 1),
    "words": lambda: ("no", None, "x"),
    "space": lambda: (False, pb.Space(), False),
    "system-exit": throw(SystemExit(3)),
    "keyboard": throw(KeyboardInterrupt("kb")),
    "generator-exit": throw(GeneratorExit()),
    "custom": throw(Custom("own")),
    "mute": throw(Mute()),
    "half": throw(ValueError("bad \udcff value")),
    "all-is-well": throw(RpcError(StatusCode.OK, "fine")),
    "another-session": throw(FileNotFoundError("Session not found: 7")),
    "no-device": throw(DeviceUnavailable("no driver")),
    "daemon": daemon,
    "spill": spill,
    "collapse": collapse,
}
NAMES = tuple(DEEDS)
GIVEN: dict[str, Any] = {
    "right": pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[1, 99])),
    "kind": pb.Event(string_value="w"),
    "shape": pb.Event(int64_tensor=pb.Int64Tensor(shape=[1, 2], value=[1, 2])),
    "empty": pb.Event(),
    "number": 5,
    "daemon": None,
    "whole": pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[1, 2])),
    "short": None,
    "words": None,
}
NUMBERS: dict[str, Any] = {"whole": struct.pack("<qq", 1, 2), "short": bytes(8), "words": "two"}
TRIED: dict[str, Any] = {
    "tries nothing": None,
    "tries others": {7: [(True, [])]},
    "tries names": {"0": [(True, [])]},
    "tries once": {0: (True, [NUMBERS["whole"]])},
    "tries twice": {0: [(True, [NUMBERS["whole"]])] * 2},
    "tries alone": {0: [[NUMBERS["whole"]]]},
    "tries words": {0: [("yes", [NUMBERS["whole"]])]},
    "tries none": {0: [(True, [])]},
    "tries short": {0: [(False, [bytes(8)])]},
    "tries events": {0: [(False, [GIVEN["whole"]])]},
    "tries right": {0: [(True, [NUMBERS["whole"]])]},
}
"""What a look ahead gives, by the program's text."""
_PAIR = pb.Int64Tensor(shape=[2], value=[0, 9])
_SPACE = pb.Space(int64_box=pb.Int64Box(low=_PAIR, high=_PAIR))


def deed(name: str) -> pb.Event:
    return pb.Event(int64_value=NAMES.index(name))


class Unruly(CompilationSession):
    """Does as its actions are called."""

    action_spaces: ClassVar[list[pb.ActionSpace]] = [
        pb.ActionSpace(name="all", space=pb.Space(named_discrete=pb.NamedDiscreteSpace(name=NAMES)))
    ]
    observation_spaces: ClassVar[list[pb.ObservationSpace]] = [
        pb.ObservationSpace(name=name, space=_SPACE) for name in GIVEN
    ]

    def __init__(
        self, working_directory: Path, action_space: pb.ActionSpace, benchmark: pb.Benchmark
    ) -> None:
        super().__init__(working_directory, action_space, benchmark)
        program = benchmark.program.contents.decode()
        if program == "no space":
            self.action_space = None
        elif program in DEEDS:
            DEEDS[program]()
        elif program.startswith("error "):
            raise ValueError(program.removeprefix("error "))

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:
        return DEEDS[NAMES[action.int64_value]]()

    def get_observation(self, observation_space: pb.ObservationSpace) -> pb.Event:
        if observation_space.name == "daemon":
            return pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[DAEMONS[-1], 0]))
        return GIVEN[observation_space.name]

    def get_numbers(self, observation_space: pb.ObservationSpace) -> bytes | None:
        return NUMBERS.get(observation_space.name)

    def try_walks(
        self,
        walks: Sequence[Sequence[int]],
        observation_spaces: Sequence[pb.ObservationSpace],
        *,
        channel: int,
        cpu_seconds: float | None,
    ) -> Any:
        return TRIED.get(self.benchmark.program.contents.decode(), {})

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        return {"number": 5, "half": f"\udcff{value}"}.get(key)

    def verify(self) -> str:
        return None

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:
        return "text", 0
