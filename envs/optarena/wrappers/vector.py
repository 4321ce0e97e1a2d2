"""Several environments that step at once, without a thread or a process of the agent's for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import gymnasium.wrappers
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

from optarena.env.spaces import check_actions
from optarena.errors import InvalidInput
from optarena.wrappers.base import CompilerEnvWrapper, EndingWrapper, ObservationWrapper, RewardWrapper
from optarena.wrappers.common import TimeLimit

if TYPE_CHECKING:
    from optarena.env.compiler_env import CompilerEnv

__all__ = ["CompilerVectorEnv"]

# Of wrappers that do nothing before the step of what they wrap; gymnasium's have no multistep().
_STEPS: Final = {
    CompilerEnvWrapper.step,
    gymnasium.Wrapper.step,
    gymnasium.ObservationWrapper.step,
    gymnasium.RewardWrapper.step,
    gymnasium.wrappers.RecordEpisodeStatistics.step,
    gymnasium.wrappers.TimeLimit.step,
}
_MULTISTEPS: Final = {
    None,
    CompilerEnvWrapper.multistep,
    EndingWrapper.multistep,
    ObservationWrapper.multistep,
    RewardWrapper.multistep,
    TimeLimit.multistep,
}


class CompilerVectorEnv(SyncVectorEnv):
    """Members that are environments of one id, each with a compiler's process of its own.

    A step has the compilers of all members work at once, and then takes what they give, in order. A member
    whose compiler fails ends its episode alone: the error is in its ``info``, and the others go on. Members
    take turns if a wrapper may do something before their step, or if a value is measured.

    Args:
        make: Makes a member, with ``benchmark`` and ``arguments``.
        num_envs: How many members there are.
        wrappers: What to put around each member, the innermost first.
        autoreset_mode: When a member whose episode is over begins the next one; see gymnasium.
        benchmark: That of all members, or a list with one for each.
        arguments: Those of each member.

    Raises:
        InvalidInput: The number of members, or of benchmarks, is wrong.
    """

    def __init__(
        self,
        make: Callable[..., CompilerEnv],
        num_envs: int,
        *,
        wrappers: Sequence[Callable[[Any], gymnasium.Env[Any, Any]]] = (),
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        benchmark: Any = None,  # noqa: ANN401 # as make() takes it
        **arguments: Any,  # noqa: ANN401 # as make() takes them
    ) -> None:
        if type(num_envs) is not int or num_envs < 1:
            message, remedy = f"num_envs is {num_envs!r:.100}.", "Give a whole number above 0."
            raise InvalidInput(message, field="num_envs", value=num_envs, remedy=remedy)
        benchmarks = benchmark if isinstance(benchmark, (list, tuple)) else [benchmark] * num_envs
        if len(benchmarks) != num_envs:
            message = f"There are {len(benchmarks)} benchmarks for {num_envs} members."
            remedy = "Give one for all, or a list with one for each."
            raise InvalidInput(message, field="benchmark", value=len(benchmarks), remedy=remedy)
        made: list[CompilerEnv] = []

        def member(chosen: object) -> gymnasium.Env[Any, Any]:
            if made:  # processes of earlier episodes serve all members
                arguments["service"] = made[0].backend
            made.append(make(benchmark=chosen, **arguments))
            env: gymnasium.Env[Any, Any] = made[-1]
            for wrapper in wrappers:
                env = wrapper(env)
            return env

        try:
            super().__init__([partial(member, one) for one in benchmarks], autoreset_mode=autoreset_mode)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            for env in made:
                env.close()
            raise
        self._all = np.ones(num_envs, np.bool_)
        self._leading = [
            one if num_envs > 1 and _leads(env) else None for one, env in zip(made, self.envs, strict=True)
        ]

    def step(self, actions: Any) -> tuple[Any, ...]:  # noqa: ANN401 # a member of the batched action space
        """Apply one action of each member; see gymnasium.

        Raises:
            InvalidAction: One of them is not in the action space; nothing has changed.
            ResetNeeded: The episode of a member is over, and nothing resets it; nothing has changed.
        """
        listed = check_actions(self.single_action_space, getattr(actions, "tolist", lambda: actions)())
        if self.autoreset_mode is AutoresetMode.DISABLED and self._autoreset_envs.any():
            over = ", ".join(map(str, np.flatnonzero(self._autoreset_envs)))
            raise ResetNeeded(f"Episodes are over, of members {over}. Call reset() with their reset_mask.")
        # The members get plain numbers, which exist already; a wrapper's arrays are what it expects.
        is_listed = isinstance(self.single_action_space, gymnasium.spaces.Discrete)
        given = listed if is_listed else list(iterate(self.action_space, actions))
        resets = (self._autoreset_envs & (self.autoreset_mode is AutoresetMode.NEXT_STEP)).tolist()
        begun = []
        try:
            for env, action, is_reset in zip(self._leading, listed, resets, strict=True):
                if env is not None and not is_reset and env.begin(action):
                    begun.append(env)
            each = zip(self.envs, given, resets, strict=True)
            return self._batch([self._step_member(*one) for one in each])
        except BaseException:  # KeyboardInterrupt too: nobody else waits for the others
            for env in begun:
                env.finish()
            raise

    def _step_member(
        self,
        env: gymnasium.Env[Any, Any],
        action: Any,  # noqa: ANN401 # of any action space
        is_reset: bool,  # noqa: FBT001 # of a list
    ) -> tuple[Any, ...]:
        # What the member gives, and the last of its episode if the next one has begun in the same step.
        if is_reset:
            observation, info = env.reset()
            return observation, 0.0, False, False, info, {}
        *given, terminated, truncated, info = env.step(action)
        if (terminated or truncated) and self.autoreset_mode is AutoresetMode.SAME_STEP:
            final = {"final_obs": given[0], "final_info": info}
            given[0], info = env.reset()
            return *given, terminated, truncated, info, final
        return *given, terminated, truncated, info, {}

    def _batch(self, given: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        self._env_obs, rewards, terminated, truncated, infos, finals = map(list, zip(*given, strict=True))
        space = self.single_observation_space
        kind = space.shape, space.dtype
        if all(isinstance(one, np.ndarray) and (one.shape, one.dtype) == kind for one in self._env_obs):
            observations: Any = np.array(self._env_obs)  # as below, several times as fast
        else:
            empty: Any = create_empty_array(space, self.num_envs)
            observations = deepcopy(concatenate(space, self._env_obs, empty))  # not what the members keep
        ended = np.array(terminated, np.bool_), np.array(truncated, np.bool_)
        self._autoreset_envs = np.logical_or(*ended)
        rewarded = np.fromiter(rewards, np.float64, self.num_envs)
        return observations, rewarded, *ended, self._batch_infos(infos, finals)

    def _batch_infos(self, infos: list[dict[str, Any]], finals: list[dict[str, Any]]) -> dict[str, Any]:
        # As gymnasium does, but faster if all have the same keys, and numbers of one type for each.
        batch: dict[str, Any] = {}
        if not any(finals) and all(info.keys() == infos[0].keys() for info in infos):
            for key in infos[0]:
                values = [info[key] for info in infos]
                if len(kinds := set(map(type, values))) != 1 or not kinds <= {bool, int, float}:
                    break
                batch[key], batch[f"_{key}"] = np.array(values, *kinds), self._all.copy()
            else:
                return batch
        batch = {}
        for place, each in enumerate(zip(finals, infos, strict=True)):
            for info in each:
                batch = self._add_info(batch, info, place)
        return batch


def _leads(env: gymnasium.Env[Any, Any]) -> bool:
    while isinstance(env, gymnasium.Wrapper):
        kind = type(env)
        if kind.step not in _STEPS or getattr(kind, "multistep", None) not in _MULTISTEPS:
            return False
        env = env.env
    return True
