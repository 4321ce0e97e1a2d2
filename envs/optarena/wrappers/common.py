"""Wrappers that count, end, take back or check the steps of an episode."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

from gymnasium.utils import RecordConstructorArgs

from optarena.env.confined import run_workloads
from optarena.env.spaces import check_actions, listed_actions
from optarena.errors import InvalidInput, OptArenaError, ServiceError
from optarena.service.protocol.messages import VERIFY
from optarena.wrappers.base import CompilerEnvWrapper, EndingWrapper, number, positive_integer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.env import CompilerEnv
    from optarena.wrappers.base import First, SpaceNames, Step


class Counter(CompilerEnvWrapper):
    """Counts the calls that reach the environment, in ``counters``, for the life of the wrapper.

    ``close``, ``reset``, ``step``, ``multistep`` and ``fork`` are calls; ``action`` counts the actions of
    all steps and multisteps. A call that raises is not counted, except ``close``. A fork starts with its
    parent's numbers.
    """

    def __init__(self, env: Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env)
        self.counters = dict.fromkeys(("close", "reset", "step", "multistep", "fork", "action"), 0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self.counters["reset"] += 1
        return first

    def step(self, action: Any, **spaces: Unpack[SpaceNames]) -> Step:  # noqa: ANN401 # of any space
        done = self.env.step(action, **spaces)
        self.counters["step"] += 1
        self.counters["action"] += 1
        return done

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        given = listed_actions(actions)
        done = super().multistep(given, **spaces)
        self.counters["multistep"] += 1
        self.counters["action"] += len(given)
        return done

    def fork(self) -> Self:
        twin = super().fork()
        self.counters["fork"] += 1
        return twin

    def peek(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> list[Step]:
        """What steps would give; nothing of it is counted. See ``CompilerEnv.peek``."""
        return self.env.peek(actions, **spaces)

    def close(self) -> None:
        self.counters["close"] += 1
        super().close()

    def on_fork(self) -> None:
        self.counters = dict(self.counters)


class TimeLimit(EndingWrapper):
    """Truncates an episode after a number of actions.

    ``truncated`` is true with the last action allowed, and then the episode is over: a further step raises
    ``ResetNeeded``. A multistep counts each of its actions, and is cut off at the limit; so is ``apply()``.
    A fork has as many actions left as its parent. gymnasium's wrapper of this name has no forks, does not
    count multisteps, and allows further steps.

    Args:
        max_episode_steps: How many actions an episode may have, at least 1.

    Raises:
        InvalidInput: The limit is not a positive integer.
    """

    def __init__(self, env: Env[Any, Any], max_episode_steps: int) -> None:
        RecordConstructorArgs.__init__(self, max_episode_steps=max_episode_steps)
        super().__init__(env)
        self._limit = positive_integer("max_episode_steps", max_episode_steps)
        self._elapsed = 0

    @property
    def max_episode_steps(self) -> int:
        """How many actions an episode may have."""
        return self._limit

    @property
    def elapsed_steps(self) -> int:
        """How many actions this episode has had."""
        return self._elapsed

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._elapsed = 0
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        allowed = check_actions(self.env.action_space, actions)[: self._limit - self._elapsed]
        before = self._taken()
        try:
            observation, reward, terminated, truncated, info = super().multistep(allowed, **spaces)
        except OptArenaError:
            if self._taken() != before:  # they were applied, but a value cannot be had
                self._count(allowed)
            raise
        return observation, reward, terminated, self._count(allowed) or truncated, info

    def _count(self, actions: list[Any]) -> bool:
        # Whether these actions, which were applied, were the last.
        self._elapsed += len(actions)
        if self._elapsed == self._limit:
            self._end(f"it has used the {self._limit} actions allowed.")
        return self._elapsed == self._limit


class ForkOnStep(CompilerEnvWrapper):
    """Forks the environment before every step or multistep, so that ``undo()`` can take it back.

    Each fork is a waiting process with an exact copy, so even a step that crashed the compiler can be taken
    back. After ``undo()``, ``env`` and ``unwrapped`` are other objects. Wrappers inside this one are taken
    back too, for example the count of a ``TimeLimit``; those outside are not. A fork of this wrapper starts
    with nothing to undo.

    Args:
        max_depth: How many steps can be taken back; older forks are closed.

    Raises:
        InvalidInput: ``max_depth`` is not a positive integer.
    """

    def __init__(self, env: Env[Any, Any], max_depth: int = 100) -> None:
        RecordConstructorArgs.__init__(self, max_depth=max_depth)
        super().__init__(env)
        self._max_depth = positive_integer("max_depth", max_depth)
        self._stack: deque[CompilerEnv | CompilerEnvWrapper] = deque()

    @property
    def depth(self) -> int:
        """How many steps can be taken back now."""
        return len(self._stack)

    def undo(self) -> None:
        """Go back to before the last step or multistep of this episode.

        Raises:
            InvalidInput: There is no such step, or it is further back than ``max_depth``.
        """
        if not self._stack:
            remedy = "Call step() first; after reset() and fork() there is nothing to undo."
            raise InvalidInput("There is no step to undo.", field="undo", value=0, remedy=remedy)
        undone, self.env = self.env, self._stack.pop()
        undone.close()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._forget()
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions, which one ``undo()`` takes back; see ``CompilerEnvWrapper``.

        Raises:
            ServiceError: The environment cannot be forked; the episode is over.
        """
        checked = check_actions(self.env.action_space, actions)
        before, applied = self.env.fork(), len(self.unwrapped.actions)
        try:
            done = super().multistep(checked, **spaces)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            if len(self.unwrapped.actions) == applied:
                before.close()
            else:  # the actions were applied, and their observation cannot be read
                self._keep(before)
            raise
        self._keep(before)
        return done

    def _keep(self, before: CompilerEnv | CompilerEnvWrapper) -> None:
        self._stack.append(before)
        if len(self._stack) > self._max_depth:
            self._stack.popleft().close()

    def close(self) -> None:
        try:
            self._forget()
        finally:
            super().close()

    def _forget(self) -> None:
        with ExitStack() as closing:  # closes the others even if one fails
            while self._stack:
                closing.callback(self._stack.pop().close)

    def on_fork(self) -> None:
        self._stack = deque()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_stack": deque()}


class ValidateBenchmarkAfterEveryStep(EndingWrapper):
    """Verifies the program and runs all workloads of its benchmark after every step.

    If the program is not valid, or a run does not give the expected result, the episode is over:
    ``terminated`` is true, the reward is the penalty, and ``info`` has ``error_type``, a reason id such as
    ``semantics:output-differs``, and ``error_details``. A step without effect is not checked again, nor is
    one in which the compiler failed. A benchmark without workloads is only verified.

    Args:
        reward_penalty: The reward of a step after which the program is wrong.
        sandbox: Confine the program's runs. Without it, a miscompiled program may do anything.

    Raises:
        InvalidInput: The penalty is not a finite number; or, from a step, the service cannot validate
            programs.
        SandboxUnavailable: From a step: the sandbox was requested, and this kernel does not support it.
    """

    def __init__(self, env: Env[Any, Any], reward_penalty: float = -1000.0, *, sandbox: bool = True) -> None:
        RecordConstructorArgs.__init__(self, reward_penalty=reward_penalty, sandbox=sandbox)
        super().__init__(env)
        self._penalty = number("reward_penalty", reward_penalty)
        self._sandbox = sandbox
        self._correction = 0.0

    @property
    def episode_reward(self) -> float | None:
        inner = self.env.episode_reward
        return None if inner is None else inner + self._correction

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._correction = 0.0
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        observation, reward, terminated, truncated, info = super().multistep(actions, **spaces)
        by_itself = terminated and not info.get("terminal_action")
        if by_itself or info["action_had_no_effect"]:
            return observation, reward, terminated, truncated, info
        problem = self._problem()
        if problem is None:
            return observation, reward, terminated, truncated, info
        kind, details = problem
        self._end(details)
        if isinstance(reward, list):
            penalties: Any = [self._penalty] * len(reward)
        else:
            penalties = self._penalty
            self._correction = self._penalty - reward
        return observation, penalties, True, truncated, {**info, "error_type": kind, "error_details": details}

    def _problem(self) -> tuple[str, str] | None:
        env = self.unwrapped
        try:
            return self._verified() or self._ran()
        except NotImplementedError as error:
            message = f"The service of {env.environment.id} cannot run programs: {error}"
            remedy = "Choose benchmarks without workloads, or remove this wrapper."
            raise InvalidInput(message, field="env", value=env.environment.id, remedy=remedy) from error
        except ServiceError as error:
            if env.error is not error:
                raise
            return f"env:{error.error_type}", str(error)

    def _verified(self) -> tuple[str, str] | None:
        problem = self.unwrapped.parameter(VERIFY)
        return ("semantics:verifier", f"The program is not valid: {problem}") if problem else None

    def _ran(self) -> tuple[str, str] | None:
        env = self.unwrapped
        for result in run_workloads(env, env.benchmark.workloads, sandbox=self._sandbox):
            if result.reason:
                return result.reason, f"Workload {result.name}: {result.detail}"
        return None
