"""The compiler of ``soak.py``: counts, writes files, holds memory, and crashes on request."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, ClassVar

from optarena.service import CompilationSession
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from pathlib import Path

ADD, WRITE, HOLD, REFUSE, CRASH, EXIT = range(6)
_HELD_BYTES = 200_000


class SoakSession(CompilationSession):
    """A session whose state is the sum of its actions."""

    compiler_version = "soak 1.0"
    action_spaces: ClassVar[list[pb.ActionSpace]] = [
        pb.ActionSpace(
            name="deeds",
            space=pb.Space(
                named_discrete=pb.NamedDiscreteSpace(name=["add", "write", "hold", "refuse", "crash", "exit"])
            ),
        )
    ]
    observation_spaces: ClassVar[list[pb.ObservationSpace]] = [
        pb.ObservationSpace(name="sum", space=pb.Space(int64_value=pb.Int64Range())),
        pb.ObservationSpace(name="text", space=pb.Space(string_value=pb.StringSpace())),
    ]

    def __init__(
        self, working_directory: Path, action_space: pb.ActionSpace, benchmark: pb.Benchmark
    ) -> None:
        """Start with the program's length."""
        super().__init__(working_directory, action_space, benchmark)
        self.sum = len(benchmark.program.contents)
        self.held: list[bytes] = []

    def apply_action(self, action: pb.Event) -> tuple[bool, pb.ActionSpace | None, bool]:
        """Apply the action."""
        deed = action.int64_value
        if deed == REFUSE:
            raise ValueError("refused")
        if deed == CRASH:
            os.kill(os.getpid(), signal.SIGSEGV)
        if deed == EXIT:
            os._exit(3)
        if deed == WRITE:
            (self.working_directory / f"file-{self.sum}").write_bytes(bytes(1000))
        if deed == HOLD:
            self.held.append(os.urandom(_HELD_BYTES))
        self.sum += 1
        return False, None, False

    def get_observation(self, observation_space: pb.ObservationSpace) -> pb.Event:
        """The sum, or a text of that length."""
        if observation_space.name == "sum":
            return pb.Event(int64_value=self.sum)
        return pb.Event(string_value="x" * self.sum)
