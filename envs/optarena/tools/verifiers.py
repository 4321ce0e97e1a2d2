"""A taskset for verifiers: a task for each program of a dataset, whose tools are those of ``CompilerTools``.

``verifiers`` looks for it in the module that an evaluation names: one line of your own imports it there. Each
rollout has a tool server of its own, which keeps the reward in the rollout's state.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import verifiers.v1 as vf
from mcp.server.mcpserver.exceptions import ToolError

from optarena.datasets import datasets, environment_of
from optarena.errors import OptArenaError
from optarena.specs import environment_spec
from optarena.tools.compiler_tools import TRAINING_TOOLS, CompilerTools

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

__all__ = ["CompilerTaskset"]

_PROMPT = (
    "Optimise the program {} by choosing the passes of its compiler. Begin with describe_program. Look ahead "
    "with peek, apply what helps, and end with check."
)


class CompilerData(vf.TaskData):
    """A program: its URI, and the id of the environment, empty for that of its dataset."""

    benchmark: str
    environment: str = ""


class CompilerState(vf.State):
    """What a rollout has reached."""

    reward: float = 0.0
    commandline: str = ""
    compilations: int = 0


class CompilerToolset(vf.Toolset[vf.ToolsetConfig, CompilerState]):
    """The tools of one rollout."""

    TOOL_PREFIX = None

    async def setup_task(self, task: CompilerData) -> None:
        """Start the compiler on the program."""
        self._tools = CompilerTools.make(task.environment, task.benchmark)
        self._exit_stack.callback(self._tools.close)

    def register(self, mcp: MCPServer) -> None:
        """Offer each tool."""
        for name in TRAINING_TOOLS:
            mcp.add_tool(self._with_state(self._tool(name)), name=name, structured_output=False)

    def _tool(self, name: str) -> Callable[..., str]:
        method = getattr(self._tools, name)

        @functools.wraps(method)
        def call(*arguments: Any, **named: Any) -> str:  # noqa: ANN401 # the tool's
            try:
                answer = str(method(*arguments, **named))
            except OptArenaError as error:
                raise ToolError(str(error)) from error
            self.state.reward = self._tools.reward
            self.state.commandline = self._tools.state.commandline
            self.state.compilations = self._tools.effort.compilations
            return answer

        return call


class CompilerTask(vf.Task[CompilerData, CompilerState]):
    """Making one program better than its compiler does."""

    @classmethod
    def toolsets(cls, config: vf.TaskConfig) -> list[vf.Toolset]:  # noqa: ARG003 # verifiers' signature
        """A tool server for each rollout."""
        return [CompilerToolset(vf.ToolsetConfig())]

    @vf.reward
    async def progress(self, trace: vf.Trace) -> float:
        """The environment's reward of all actions."""
        return float(trace.state.reward)

    @vf.metric
    async def compilations(self, trace: vf.Trace) -> float:
        """The effort."""
        return float(trace.state.compilations)


class CompilerConfig(vf.TasksetConfig):
    """Which programs: a dataset, that of the environment if empty."""

    dataset: str = ""
    environment: str = ""


class CompilerTaskset(vf.Taskset[CompilerTask, CompilerConfig]):
    """A task for each program of a dataset."""

    def load(self) -> Iterator[CompilerTask]:
        """The tasks, in the order of the dataset."""
        chosen = self.config
        spec = environment_spec(chosen.environment) if chosen.environment else environment_of(chosen.dataset)
        for one in datasets()[chosen.dataset or spec.dataset]:
            data = CompilerData(
                name=one.uri, prompt=_PROMPT.format(one.uri), benchmark=one.uri, environment=spec.slug
            )
            yield CompilerTask(data, chosen.task)


if __name__ == "__main__":  # verifiers starts a tool server by the module of its class
    CompilerToolset.run()
