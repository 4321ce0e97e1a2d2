"""Answers steps from a store while it knows the exact actions so far."""

from __future__ import annotations

import hashlib
import math
import struct
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs

from optarena.actions import is_structured
from optarena.env.spaces import check_actions, listed_actions
from optarena.errors import InvalidInput
from optarena.outcome_store import OutcomeStore, ProgramKeys, open_store
from optarena.service.client.connection import service_version
from optarena.wrappers.base import CompilerEnvWrapper, First, SpaceNames, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.env import CompilerEnv

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
