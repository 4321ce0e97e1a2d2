"""Wrappers that count, end, take back, check or store the steps of an episode, or reward its run time."""

from __future__ import annotations

import hashlib
import math
import struct
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Self, Unpack

import gymnasium
import numpy as np
from gymnasium import Env
from gymnasium.utils import RecordConstructorArgs

from optarena.actions import is_structured
from optarena.env.confined import run_workloads
from optarena.env.spaces import check_actions, listed_actions
from optarena.errors import InvalidInput, OptArenaError, ServiceError
from optarena.outcome_store import OutcomeStore, ProgramKeys, open_store
from optarena.service.client.connection import service_version
from optarena.service.protocol.messages import VERIFY
from optarena.specs import unknown_name
from optarena.specs.rewards import reward_on_error
from optarena.wrappers.base import (
    CompilerEnvWrapper,
    EndingWrapper,
    First,
    SpaceNames,
    Step,
    number,
    positive_integer,
)

if TYPE_CHECKING:
    from optarena.env import CompilerEnv


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
        before = self._count_taken()
        try:
            observation, reward, terminated, truncated, info = super().multistep(allowed, **spaces)
        except OptArenaError:
            if self._count_taken() != before:  # they were applied, but a value cannot be had
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


RUNTIME: Final = "Runtime"
Estimator = Callable[[Any], Any]
# These have a name, so that `spec` can be written as JSON
ESTIMATORS: Final[dict[str, Estimator]] = {"median": np.median, "mean": np.mean, "min": np.min, "max": np.max}


class RuntimePointEstimateReward(EndingWrapper):
    """Rewards the run time that a step saves, in seconds: the estimate before it minus the one after it.

    The program is run at ``reset()`` and after each step that changed it; a step without effect gives 0.
    The estimate is noisy: the sum of an episode's rewards is the first estimate minus the last.
    ``state.reward`` stays that of the environment's own reward space. A step in which the compiler or the
    program failed takes back what the episode had won. Rewards that are requested by name are not changed,
    and nothing is run for them.

    Args:
        runtime_count: How many times the program is run for one estimate, at least 1.
        warmup_count: How many times it is run before that, without measuring.
        estimator: Reduces an array of seconds to a number: ``median``, ``mean``, ``min``, ``max`` or a
            function.
        observation: The observation space that gives the run times: a number or an array. The counts are for
            ``Runtime`` alone.

    Raises:
        InvalidInput: A count is out of range, or there is no such estimator; or, from ``reset()``, the
            benchmark cannot be run.
        UnknownName: The environment does not have the observation.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        runtime_count: int = 30,
        warmup_count: int = 0,
        estimator: str | Estimator = "median",
        *,
        observation: str = RUNTIME,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            runtime_count=runtime_count,
            warmup_count=warmup_count,
            estimator=estimator,
            observation=observation,
        )
        super().__init__(env)
        self._counts = {
            "runtime_observation_count": positive_integer("runtime_count", runtime_count),
            "runtime_warmup_count": positive_integer("warmup_count", warmup_count, least=0),
        }
        if not callable(estimator) and estimator not in list(ESTIMATORS):
            raise unknown_name("estimator", estimator, list(ESTIMATORS))
        self._estimator = estimator if callable(estimator) else ESTIMATORS[estimator]
        self._observation = self.observations[observation].name
        if observation == RUNTIME and not all(hasattr(self.unwrapped, name) for name in self._counts):
            message = f"{self.environment.id} does not support repeated run times."
            remedy = "Name another observation."
            raise InvalidInput(message, field="observation", value=observation, remedy=remedy)
        self._runtime = math.nan
        self._total = 0.0

    @property
    def runtime(self) -> float:
        """The latest estimate, in seconds; not a number before the first ``reset()``."""
        return self._runtime

    @property
    def episode_reward(self) -> float | None:
        """The seconds saved in this episode."""
        return self._total

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._total = 0.0
        self._end("the program's first run time could not be measured.")
        self._runtime = self._estimate()
        self._ended = ""
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        observation, reward, terminated, truncated, info = super().multistep(actions, **spaces)
        if spaces.get("reward_spaces") is not None:
            return observation, reward, terminated, truncated, info
        reward, failure = self._saved(info)
        self._total += reward
        return observation, reward, terminated or bool(failure), truncated, {**info, **failure}

    def _saved(self, info: dict[str, Any]) -> tuple[float, dict[str, str]]:
        if "error_type" in info:
            return reward_on_error(self._total), {}
        if info["action_had_no_effect"]:
            return 0.0, {}
        try:
            before, self._runtime = self._runtime, self._estimate()
        except (ServiceError, InvalidInput) as error:
            if isinstance(error, ServiceError) and self.error is not error:
                raise
            self._end(f"the program can no longer be run: {error}")
            kind = error.error_type if isinstance(error, ServiceError) else "semantics:crash"
            return reward_on_error(self._total), {"error_type": kind, "error_details": str(error)}
        return before - self._runtime, {}

    def _estimate(self) -> float:
        inner = self.unwrapped
        for name, count in self._counts.items():
            if hasattr(inner, name):
                setattr(inner, name, count)
        seconds = np.asarray(inner.observation[self._observation], np.float64)
        estimate = float(self._estimator(np.atleast_1d(seconds))) if seconds.size else math.nan
        if not math.isfinite(estimate):
            message = f"{self._observation} of {inner.benchmark.uri} gives no run time: {seconds!r:.100}."
            remedy = "Choose a benchmark that can be run."
            raise InvalidInput(message, field="benchmark", value=inner.benchmark.uri, remedy=remedy)
        return estimate


AUDITED: Final = 0.05  # the share that is taken again of episodes that the store answered to their end
# whether the action had an effect, whether it ended the episode, and the reward
_HEAD: Final = struct.Struct("<??d")
_USUAL: Final = {"action_had_no_effect", "new_action_space"}  # what the info of a step has that can be kept


class StoredEnv(CompilerEnvWrapper):
    """Answers ``step()`` from a store as long as the exact actions of the episode are known.

    At the first step that the store does not know, or when anything else is asked of the episode, the
    actions are taken at once, and the store gets what follows. So a policy that repeats itself, or a run that
    is repeated, need no compiler; a search that always tries something new gains nothing. Nothing is read or
    kept once a parameter of the session has been set, which may change what actions give.

    The values are compared when the actions are taken, and in some of the episodes that the store has
    answered to their end. What differs is removed, with a warning that has both values.

    Args:
        env: The environment itself; other wrappers go outside of this one.
        store: A store, or the URL of one: see ``optarena.outcome_store.open_store``.

    Raises:
        InvalidInput: ``env`` is a wrapper, or the store cannot be used; at ``reset()``, the observation or
            the reward is not the same each time, has no fixed shape, or the actions have several parts.
        ToolMissing: The library for the store is not installed.
    """

    def __init__(self, env: Env[Any, Any], store: str | OutcomeStore = "memory:") -> None:
        RecordConstructorArgs.__init__(self, store=store)
        if isinstance(env, CompilerEnvWrapper):
            message = (
                f"StoredEnv cannot wrap {type(env).__name__}, whose values are not the environment's own."
            )
            remedy = f"Put the others outside: {type(env).__name__}(StoredEnv(env))."
            raise InvalidInput(message, field="env", value=type(env).__name__, remedy=remedy)
        self._ahead: list[int] = []
        self._answers: list[tuple[bytes, bytes]] = []
        self._keys: ProgramKeys | None = None
        self._usual = 0
        self._episodes = 0
        self._hits = 0
        super().__init__(env)
        self._store = open_store(store)

    @property  # type: ignore[override] # narrower than gymnasium's
    def env(self) -> CompilerEnv | CompilerEnvWrapper:
        """The environment, after all actions of the episode."""
        self._catch_up()
        return self._inner

    @env.setter
    def env(self, env: Any) -> None:  # noqa: ANN401 # as gymnasium's
        self._inner: CompilerEnv = env

    @property  # type: ignore[misc] # gymnasium's can be assigned
    def action_space(self) -> gymnasium.Space[Any]:  # type: ignore[override] # as above
        return self._inner.action_space

    @property  # type: ignore[misc] # gymnasium's can be assigned
    def observation_space(self) -> gymnasium.Space[Any]:  # type: ignore[override] # as above
        return self._inner.observation_space

    @property
    def hits(self) -> int:
        """How many steps the store has answered."""
        return self._hits

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        self._audit()
        first = self._inner.reset(seed=seed, options=options)
        self._ahead, self._answers, self._usual = [], [], 0
        self._keys = None
        self._keys = self._episode_keys()
        self._episodes += 1
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        asked = listed_actions(actions)
        is_usual = len(asked) == 1 and not any(value is not None for value in spaces.values())
        before = self._taken()
        if not is_usual or self._keys is None or self._usual != len(before) or self._has_parameters():
            return self._catch_up() or self._inner.multistep(asked, **spaces)
        [action] = check_actions(self.action_space, asked, lambda: self._inner.action_table)
        key = self._keys.key([*before, action])
        if len(self._ahead) == len(before):
            [row] = self._store.find([key])
            step = None if row is None else self._read(row)
            if row is not None and step is not None:
                self._ahead.append(int(action))
                self._answers.append((key, row))
                self._usual += 1
                self._hits += 1
                return step
        failed = self._catch_up()
        if failed is not None:
            return failed
        step = self._inner.multistep([action])
        self._usual += 1
        row = self._row(step)
        if row is not None:
            self._store.keep({key: row})
        return step

    def close(self) -> None:
        try:
            self._audit()
        finally:
            self._ahead, self._answers, self._keys = [], [], None
            self._inner.close()
            self._store.close()

    def on_fork(self) -> None:
        self._inner = vars(self).pop("env")
        self._ahead, self._answers = [], []

    def _taken(self) -> list[Any]:
        return [*self._inner.actions, *self._ahead]

    def _count_taken(self) -> int:
        return self._inner._count_taken() + len(self._ahead)  # noqa: SLF001 # of the same interface

    def _from_inside(self, actions: list[Any]) -> list[Any]:
        return actions

    def _has_parameters(self) -> bool:
        episode = self._inner._episode  # noqa: SLF001 # part of the environment
        return bool(self._inner._kept or (episode is not None and episode.parameters))  # noqa: SLF001 # as above

    def _audit(self) -> None:
        # Only some of the episodes that the store has answered to their end.
        if not self._answers:
            return
        text = self._answers[-1][0] + b"%d" % self._episodes
        drawn = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
        if drawn < AUDITED * 2**64:
            self._catch_up()

    def _catch_up(self) -> Step | None:
        # Take the actions that the store has answered, and compare; returns the step if one of them fails
        # now.
        ahead, answers = self._ahead, self._answers
        self._ahead, self._answers = [], []
        if not ahead:
            return None
        taken = self._inner.steps(ahead)
        for length, ((_, row), step) in enumerate(zip(answers, taken, strict=False), 1):
            now = self._row(step)
            if now not in (None, row):
                self._tell(length, row, step)
                self._store.remove([key for key, _ in answers[length - 1 :]])
                break
        return taken[-1] if "error_type" in taken[-1][4] or len(taken) < len(ahead) else None

    def _tell(self, length: int, row: bytes, step: Step) -> None:
        kept = self._read(row)
        theirs = "nothing readable" if kept is None else f"reward {kept[1]:g}, {kept[0]!r:.200}"
        self._store.warn(
            f"A row of {self._inner.benchmark.uri} is wrong and is removed: after action {length} of "
            f"{self._inner.actions!r:.200} it has {theirs}; the compiler gives reward {step[1]:g}, "
            f"{step[0]!r:.200}. The episode got the former."
        )

    def _row(self, step: Step) -> bytes | None:
        # None if the step must not be kept.
        observation, reward, terminated, _, info = step
        if info.keys() != _USUAL or info["new_action_space"]:
            return None
        head = _HEAD.pack(not info["action_had_no_effect"], terminated, reward)
        space = self.observation_space
        if not isinstance(space, gymnasium.spaces.Box):
            return head
        return head + np.asarray(observation, space.dtype).tobytes()

    def _read(self, row: bytes) -> Step | None:
        # None if the row is not one of this environment.
        space, observation = self.observation_space, None
        is_array = isinstance(space, gymnasium.spaces.Box)
        size = np.dtype(space.dtype).itemsize * math.prod(space.shape or ()) if is_array else 0
        if len(row) != _HEAD.size + size:
            return None
        had_effect, terminated, reward = _HEAD.unpack_from(row)
        if is_array:
            observation = np.frombuffer(row, space.dtype, offset=_HEAD.size).reshape(space.shape).copy()
            if observation not in space:
                return None
        info = {"action_had_no_effect": not had_effect, "new_action_space": False}
        return observation, reward, terminated, False, info

    def _episode_keys(self) -> ProgramKeys:
        env = self._inner
        observation, reward = env.observation_space_name, env.reward_space_name
        if is_structured(env.action_table):
            raise _cannot_keep("action_space", env.action_space_name, "its actions have several parts")
        if observation is not None:
            spec = env.observations[observation]
            if not spec.deterministic or getattr(spec, "platform_dependent", False):
                raise _cannot_keep("observation_space", observation, "it is not the same each time")
            if not isinstance(self.observation_space, gymnasium.spaces.Box):
                raise _cannot_keep("observation_space", observation, "it is not an array of a fixed shape")
        if reward is not None and not env.environment.rewards[reward].deterministic:
            raise _cannot_keep("reward_space", reward, "it is not the same each time")
        baselines = {metric: dict(levels) for metric, levels in env.benchmark.baselines.items()}
        what = ["step", service_version(), env.service.compiler_version, observation, reward, baselines]
        return ProgramKeys(env.environment, env.benchmark, env.action_space_name, what)


def _cannot_keep(field: str, name: str, why: str) -> InvalidInput:
    message = f"A store cannot keep steps with {name}: {why}."
    return InvalidInput(message, field=field, value=name, remedy="Choose another, or use no StoredEnv.")
