"""The loop_tool environment: checks of the device, in addition to gymnasium's calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.env import CompilerEnv
from optarena.loop_tool.nest import DEVICE

if TYPE_CHECKING:
    from optarena.datasets import Benchmark
    from optarena.env.session_client import SessionClient


class LoopToolEnv(CompilerEnv):
    """An environment whose programs are loop nests; see ``CompilerEnv`` for its arguments.

    ``reset()`` also raises ``DeviceUnavailable`` if the benchmark's device is not usable, whatever is
    observed.
    """

    def _begin(self, benchmark: Benchmark) -> tuple[SessionClient, Any]:
        session, observation = super()._begin(benchmark)
        try:
            session.parameter(DEVICE)
        except BaseException:  # also for an interrupt, the session is closed
            session.close()
            raise
        return session, observation

    def _program_text(self) -> str:
        return str(self.observation["loop_tree"])
