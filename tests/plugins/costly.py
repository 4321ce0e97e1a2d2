"""LLVM sessions in which some costly values cannot be computed; loaded by name in session processes."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NoReturn

from optarena.errors import InvalidInput
from optarena.llvm.observations import OBSERVED
from optarena.llvm.session import ACTION_SETS, LlvmSession
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Benchmark, Event

if TYPE_CHECKING:
    from pathlib import Path


def _spin(_: LlvmSession) -> NoReturn:
    while True:
        pass


def _exhaust(_: LlvmSession) -> NoReturn:
    raise MemoryError


def _refuse(_: LlvmSession) -> NoReturn:
    raise InvalidInput("This program has none.")


def _break(_: LlvmSession) -> NoReturn:
    raise RuntimeError("broken")


def _garble(_: LlvmSession) -> NoReturn:
    """Write what cannot be read where the answer is expected."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, struct.pack("<Q", 5) + b"hello")
    os._exit(0)


def _be_killed(_: LlvmSession) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


OTHER: Final[dict[str, Callable[[LlvmSession], Any]]] = {
    "IrInstructionCountO3": lambda _: Event(int64_value=time.monotonic_ns()),
    "TextSizeBytesOz": lambda _: Event(int64_value=resource.getrlimit(resource.RLIMIT_AS)[0]),
    "TextSizeBytesO3": lambda _: Event(int64_value=threading.active_count()),
    "IsBuildable": _be_killed,
    "Programl": _garble,
    "IrInstructionCountOz": _spin,
    "LexedIr": _exhaust,
    "ObjectTextSizeBytes": lambda _: os.abort(),
    "ProgramlJson": _break,
    "TextSizeBytes": _refuse,
}


class CostlySession(LlvmSession):
    """A session with these values."""


CostlySession.set_spaces(
    ACTION_SETS,
    tuple(
        replace(one, compute=OTHER[one.name], numbers=None) if one.name in OTHER else one for one in OBSERVED
    ),
)


class ThreadedSession(CostlySession):
    """One with a thread of its own, which a fork would lose."""

    fork_by: ClassVar[Literal["process", "replay"]] = "replay"

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        threading.Thread(target=threading.Event().wait, daemon=True).start()
