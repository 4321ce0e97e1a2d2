"""An environment for TRL's ``environment_factory``: its public methods are the tools that a model calls.

TRL makes instances without arguments, and calls ``reset`` with each row of the training set. Nothing here
needs TRL itself.
"""

from __future__ import annotations

import functools
from typing import Any

from optarena.errors import InvalidInput
from optarena.tools.compiler_tools import TRAINING_TOOLS, CompilerTools

__all__ = ["CompilerEnvironment"]


class CompilerEnvironment:
    """A program and its compiler, for ``GRPOTrainer(environment_factory=CompilerEnvironment)``.

    A row of the training set may have the columns ``benchmark``, a URI, and ``environment``. The prompt gets
    the description of the program, and ``get_reward`` is the environment's reward of all actions.
    """

    def __init__(self) -> None:
        self._tools: CompilerTools | None = None
        self._environment = ""

    def reset(self, benchmark: str = "", environment: str = "", **_: Any) -> str:  # noqa: ANN401 # the other columns
        """Begin with a program and describe it."""
        if self._tools is None or environment != self._environment:
            self._close()
            self._tools, self._environment = CompilerTools.make(environment, benchmark), environment
        else:
            self._tools.start(benchmark=benchmark or self._tools.env.benchmark.uri)
        return self._tools.describe_program()

    def get_reward(self) -> float:
        """The reward of what the model has done to the program."""
        return 0.0 if self._tools is None else self._tools.reward

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 # for type checkers: the tools are methods
        raise AttributeError(f"{type(self).__name__} has the tools {', '.join(TRAINING_TOOLS)}, not {name}.")

    def _close(self) -> None:
        if self._tools is not None:
            self._tools.close()

    def _begun(self) -> CompilerTools:
        if self._tools is None:
            message = "No program is chosen."
            raise InvalidInput(message, field="benchmark", remedy="The trainer must call reset() first.")
        return self._tools


def _method(name: str) -> Any:  # noqa: ANN401 # with the signature of the tool
    tool = getattr(CompilerTools, name)

    @functools.wraps(tool)
    def call(self: CompilerEnvironment, *arguments: Any, **named: Any) -> str:  # noqa: ANN401 # the tool's
        return str(tool(self._begun(), *arguments, **named))

    return call


for _name in TRAINING_TOOLS:
    setattr(CompilerEnvironment, _name, _method(_name))
