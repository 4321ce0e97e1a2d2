"""States of a program on the way of a replay: their texts, what can follow, and which sequences end there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from gymnasium.error import ResetNeeded

from optarena import limits
from optarena.actions import Action, Decisions
from optarena.env.confined import confined_env, plain_number
from optarena.env.failures import is_fault
from optarena.errors import InvalidInput
from optarena.replay import apply_actions, trace_state
from optarena.service.processes.memory import MemoryWatch
from optarena.studies import ActionOutcome, LookAheadResult, text_parts

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.env.compiler_env import Step
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark

# Between actions that are tried together, a look ahead can be told of, and give way to others. They are so
# many at first, and twice as many where they take less than this time.
_TRIED_TOGETHER: Final = 4
_TOGETHER_SECONDS: Final = 0.02
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

    def look_ahead(
        self,
        actions: Sequence[Action],
        tried: Sequence[ActionOutcome] = (),
        candidates: Sequence[Action] | None = None,
    ) -> Iterator[LookAheadResult]:
        """The state after some actions, again and again with more of what each action would give from there.

        ``tried`` has outcomes that are known already; ``candidates`` are the actions to try, all if None.
        ``Failed`` is raised if the actions fail.
        """
        spec, begun = self.env.environment, time.monotonic()
        costs, idle, before, after = self._walk(actions)
        if candidates is None:
            candidates = range(len(self.env.action_table.names))
        found = LookAheadResult(
            costs=self._costs(costs),
            idle=tuple(idle),
            parts=text_parts(before, after, parts=spec.state_parts, numbers=spec.state_numbers),
            total=min(len(candidates), limits.TRIED_ACTIONS),
            tried=tuple(tried),
            seconds=time.monotonic() - begun,
            summary=self._observed(spec.state_summary)[: limits.SUMMARY_LENGTH] if spec.state_summary else "",
        )
        yield found
        together = _TRIED_TOGETHER
        while len(found.tried) < found.total:
            self.check()
            first, asked = len(found.tried), time.monotonic()
            try:
                outcomes = self._try(candidates[first : min(first + together, found.total)], found.costs)
            except ResetNeeded:  # the last action has ended the session
                yield replace(found, total=len(found.tried))
                return
            now = time.monotonic()
            together *= 1 + (now - asked < _TOGETHER_SECONDS)
            found = replace(found, tried=(*found.tried, *outcomes), seconds=now - begun)
            yield found

    def _costs(self, walked: Sequence[float]) -> tuple[float, ...]:
        # What follows decisions alone decides what the earlier ones give.
        spec = self.env.environment
        if isinstance(self.env.action_table, Decisions):
            try:
                end = self._end_after(self.env.action_table)
            except ResetNeeded:  # this is the end
                end = walked[-1]
            return () if end is None else (end,)
        if spec.exact_metric and not walked:
            return (plain_number(self.env.observation[spec.exact_metric.observation]),)
        return tuple(walked)

    def _try(self, chosen: Sequence[Action], costs: Sequence[float]) -> list[ActionOutcome]:
        spec = self.env.environment
        cost = spec.exact_metric.observation if spec.exact_metric else ""
        observed = [name for name in (cost, spec.state_summary) if name]
        steps = self.env.peek(chosen, observation_spaces=observed)
        outcomes = [
            _outcome(action, step, dict(zip(observed, step[0] or (), strict=False)), cost, spec.state_summary)
            for action, step in zip(chosen, steps, strict=True)
        ]
        table = self.env.action_table
        if not isinstance(table, Decisions):
            return outcomes
        ends = dict.fromkeys((table.default, table.defaults), costs[-1]) if costs else {}
        return [
            one
            if one.ends
            else one._replace(
                cost=ends[one.action] if one.action in ends else self._end_after(table, one.action)
            )
            for one in outcomes
        ]

    def _end_after(self, table: Decisions, *actions: Action) -> float | None:
        # The cost at the end, if the compiler decides on all that follows by itself; None if it fails.
        ends, observed = False, None
        with self.env.fork() as twin:
            for action in actions:
                twin.step(action)
            if twin.error is not None:
                return None
            while not ends:
                self.check()
                observed, _, ends, _, _ = twin.step(
                    table.defaults, observation_spaces=[self.env.environment.cost]
                )
            failed = twin.error is not None
        return None if failed or observed is None else plain_number(observed[0])

    def _walk(self, actions: Sequence[Action]) -> tuple[list[float], list[int], str, str]:
        # Costs, steps without effect, and the texts before and after the last step.
        name = self.env.environment.state_text
        self.check()
        self.env.reset(options=dict(_UNOBSERVED))
        initial = trace_state(self.env)
        costs = [initial.cost]
        steps = apply_actions(self.env, actions, initial, self.memory)
        idle: list[int] = []
        before = ""
        for number in range(1, len(actions) + 1):
            self.check()
            if name and number == len(actions):
                before = self._observed(name)
            step = next(steps)
            costs.append(step.cost)
            idle += [number] if step.had_no_effect else []
        after = self._observed(name) if name else ""
        return [one for one in costs if one is not None], idle, before if actions else after, after

    def _observed(self, name: str) -> str:
        return str(self.env.observation[name])


def _outcome(
    action: Action, step: Step, observed: Mapping[str, Any], cost: str, summary: str
) -> ActionOutcome:
    _, _, ends, _, info = step
    error = str(info.get("error_type", ""))
    return ActionOutcome(
        action,
        cost=plain_number(observed[cost]) if cost and not error else None,
        effect=not error and not info["action_had_no_effect"],
        error=error,
        ends=ends,
        summary=str(observed[summary])[: limits.SUMMARY_LENGTH] if summary and not error else "",
    )


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
