"""States of a program on the way of a replay: their texts, and whether another sequence ends in the same."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optarena import limits
from optarena.env.confined import confined_env
from optarena.env.failures import is_fault
from optarena.errors import InvalidInput
from optarena.service.processes.memory import MemoryWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optarena.actions import Action
    from optarena.env import CompilerEnv
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark

_UNOBSERVED = {"observation_space": None, "reward_space": None}


@dataclass(frozen=True, kw_only=True)
class SequenceTrials:
    """Applies sequences of actions to one program, each from its beginning."""

    env: CompilerEnv
    memory: MemoryWatch
    check: Callable[[], None]

    @classmethod
    @contextmanager
    def within(  # noqa: PLR0913 # all but the first two by keyword
        cls,
        spec: EnvironmentSpec,
        benchmark: Benchmark,
        *,
        action_space: str = "",
        sandbox: bool = True,
        check: Callable[[], None] = lambda: None,
        memory_bytes: int = limits.REPLAY_MEMORY_BYTES,
    ) -> Iterator[SequenceTrials]:
        """A context in which sequences can be tried; what ``check`` raises before an action ends it."""
        memory = MemoryWatch()
        with confined_env(
            spec,
            benchmark,
            action_space=action_space or None,
            memory=memory,
            sandbox=sandbox,
            memory_bytes=memory_bytes,
        ) as env:
            yield cls(env=env, memory=memory, check=check)

    def digest(self, actions: Sequence[Action]) -> str | None:
        """The digest of the state at the end of some actions; None if the compiler fails on the way."""
        self.check()
        self.env.reset(options=dict(_UNOBSERVED))
        for action in actions:
            self.check()
            self.env.step(action)
            if (error := self.env.error) is not None:
                if is_fault(error, self.memory):
                    raise error
                return None
        return self._observed(self.env.environment.digest_observation)

    def texts_around(self, actions: Sequence[Action]) -> tuple[str, str]:
        name = self.env.environment.state_text
        self.check()
        self.env.reset(options=dict(_UNOBSERVED))
        before = ""
        for number, action in enumerate(actions, start=1):
            self.check()
            if number == len(actions):
                before = self._observed(name)
            self.env.step(action)
            if (error := self.env.error) is not None:
                raise error
        return before, self._observed(name)

    def _observed(self, name: str) -> str:
        return str(self.env.observation[name])


def texts_around(
    spec: EnvironmentSpec,
    benchmark: Benchmark,
    actions: Sequence[Action],
    **how: Any,  # noqa: ANN401 # the arguments of ``within``
) -> tuple[str, str]:
    """The text of the program before and after the last of some actions; arguments as ``within``."""
    if not actions or not spec.state_text:
        message = "There is no action." if not actions else f"{spec.slug} has no text of its states."
        remedy = "Give actions, and another environment."
        raise InvalidInput(message, field="actions", value=list(actions), remedy=remedy)
    with SequenceTrials.within(spec, benchmark, **how) as trials:
        return trials.texts_around(actions)
