"""A compiler whose actions take memory, and whose programs take more in processes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import sorting

from optarena.env.confined import run_in_session
from optarena.isolation.limits import ProcessLimits
from optarena.service.client.zygote import Zygote
from optarena.service.protocol import frames

if TYPE_CHECKING:
    import socket

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event
    from optarena.specs.benchmark import Workload
    from optarena.specs.environment import LiveEnv
    from optarena.specs.results import Execution

HELD_BYTES: Final = 150 << 20
"""What one action takes, and what a program's process takes."""
SESSION_TYPE: Final = "hoarding:HoardingSession"
_HELD: Final[list[bytearray]] = []


class HoardingSession(sorting.SortSession):
    """Sorts, and keeps some memory with each action."""

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """As always, with memory that is never given back."""
        take()
        return super().apply_action(action)


def take() -> None:
    _HELD.append(bytearray(b"x") * HELD_BYTES)


def hold(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    take()
    frames.send(channel, b"taken")


def run_beside(env: LiveEnv, workload: Workload, sandbox: bool) -> Execution:  # noqa: FBT001 # as EnvironmentSpec.run_workload
    """Run the program in the session while another process takes memory."""
    beside = Zygote.shared(SESSION_TYPE).spawn("hoarding:hold", limits=ProcessLimits(), sandbox=sandbox)
    with beside:
        frames.receive(beside.channel)
        return run_in_session(env, workload, sandbox)


ALONE: Final = replace(sorting.ENVIRONMENT, service=SESSION_TYPE)
"""Its programs run inside the session."""
BESIDE: Final = replace(ALONE, run_workload=run_beside)
"""Another process of the replay takes memory meanwhile."""
