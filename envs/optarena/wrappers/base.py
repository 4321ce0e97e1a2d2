"""The bases of all wrappers: gymnasium's own with the further calls of OptArena's environments.

gymnasium's ``Wrapper`` no longer forwards attributes, and does not support forks and multisteps. Here are
also the bases that change actions, observations, rewards or the end of an episode, and the checks of
arguments.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypedDict, TypeVar, Unpack, cast

import gymnasium
import numpy as np
from gymnasium import Env
from gymnasium.error import ResetNeeded
from gymnasium.utils import RecordConstructorArgs

from optarena.env import CompilerEnv
from optarena.env.selection import refuse_choice, start_of
from optarena.env.spaces import check_actions, listed_actions, peeked_actions
from optarena.env.views import ObservationView, RewardView
from optarena.errors import InvalidInput, ServiceError

if TYPE_CHECKING:
    from optarena.actions import ActionTable
    from optarena.datasets import Benchmark, Datasets
    from optarena.env.backends import Backend
    from optarena.env.observations import Observations
    from optarena.env.session_client import ServiceInfo
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState
    from optarena.validation import ValidationResult

# Observation, reward, terminated, truncated, info; the first two are lists if spaces were named
Step: TypeAlias = tuple[Any, Any, bool, bool, dict[str, Any]]


# What `reset()` returns: the first observation, and info.
First: TypeAlias = tuple[Any, dict[str, Any]]


class SpaceNames(TypedDict, total=False):
    """The keyword arguments of ``step()`` and ``multistep()``, for wrappers that pass them on.

    Attributes:
        observation_spaces: Names of what to observe instead of the default observation.
        reward_spaces: Names of the rewards to give instead of the default one.
    """

    observation_spaces: Sequence[str] | None
    reward_spaces: Sequence[str] | None


class CompilerEnvWrapper(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An environment around another, with all of ``CompilerEnv``'s interface.

    A subclass overrides ``multistep()``, which ``step()`` calls, and ``reset()``. One with mutable state of
    its own also overrides ``on_fork()``. Its constructor calls ``RecordConstructorArgs.__init__`` with its
    arguments before this one's, so that ``spec`` can make it again. All attributes must be picklable.

    Args:
        env: The environment to wrap, or another of these wrappers.

    Raises:
        InvalidInput: ``env`` is something else, for example one of gymnasium's own wrappers, which would lose
            ``fork()``. Put those outside of these.
    """

    env: CompilerEnv | CompilerEnvWrapper

    # Read-only attributes of the wrapped environment; see ``CompilerEnv``. The loop below defines them.
    observation: ObservationView
    reward: RewardView
    environment: EnvironmentSpec
    backend: Backend
    service: ServiceInfo
    observations: Observations
    datasets: Datasets
    state: EnvState
    episode_walltime: float
    action_table: ActionTable
    action_space_name: str
    observation_space_name: str | None
    reward_space_name: str | None
    error: ServiceError | None
    sandbox: dict[str, Any]
    is_sandboxed: bool
    memory_bytes: int | None

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        if not isinstance(env, (CompilerEnv, CompilerEnvWrapper)):
            message = f"{type(self).__name__} cannot wrap {env!r:.200} ({type(env).__name__})."
            remedy = (
                "Give an optarena environment or one of optarena.wrappers: gymnasium's own wrappers go "
                "outside of these. Call make() without max_episode_steps."
            )
            raise InvalidInput(message, field="env", value=type(env).__name__, remedy=remedy)
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 # attributes of any type
        refuse_choice(name, value)
        super().__setattr__(name, value)

    def __exit__(self, *args: object) -> Literal[False]:  # as in CompilerEnv
        self.close()
        return False

    def step(self, action: Any, **spaces: Unpack[SpaceNames]) -> Step:  # noqa: ANN401 # of any action space
        """Apply one action: ``multistep`` of it alone."""
        return self.multistep([action], **spaces)

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions, observing only after the last.

        Args:
            actions: Members of the action space; if one is not, none is applied.
            spaces: Names of what to observe and of the rewards to give, instead of the spaces in force.

        Returns:
            Observation, reward, terminated, truncated and info. Where spaces are named, the observation or
            the reward is a list in their order, as from the environment itself.

        Raises:
            InvalidAction: One of the actions is not in the action space; nothing has changed.
            ResetNeeded: No episode is running.
        """
        return self.env.multistep(actions, **spaces)

    def steps(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> list[Step]:
        """What ``step()`` of this wrapper gives for each of some actions, until the episode is over.

        See ``CompilerEnv.steps``, which takes one call for all of them. Here an error other than
        ``InvalidAction`` ends the call at its action, and the steps before it are lost to the caller.

        Raises:
            InvalidAction: One of the actions is not in the action space; none was applied.
        """
        taken: list[Step] = []
        listed = listed_actions(actions)
        check_actions(self.action_space, listed)
        for action in listed:
            taken.append(self.step(action, **spaces))
            if taken[-1][2] or taken[-1][3]:
                break
        return taken

    def peek(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> list[Step]:
        """What ``step()`` of this wrapper would give for each of some actions; nothing changes.

        A fork of the wrapper takes each of them, so that it may change actions, observations and rewards.
        See ``CompilerEnv.peek``, which is faster.
        """
        answers = []
        for action in peeked_actions(actions):
            with self.fork() as twin:
                answers.append(twin.step(action, **spaces))
        return answers

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which actions would change something now; see ``CompilerEnv``.

        Raises:
            InvalidInput: The wrapper has other actions, and does not say which stand for which.
        """
        if self.action_space != self.env.action_space:
            message = f"{type(self).__name__} has actions of its own, but no mask of them."
            remedy = "Override action_masks(), or make it an ActionWrapper."
            value = repr(self.action_space)[:100]
            raise InvalidInput(message, field="action_space", value=value, remedy=remedy)
        return self.env.action_masks()

    def fork(self) -> Self:
        """The same wrapper, in the same state, around a fork of the environment.

        Raises:
            ResetNeeded: No episode is running.
            ServiceError: The session's process is gone; the episode is over.
        """
        return self._around(self.env.fork())

    def apply(self, state: EnvState) -> Step:
        """Start an episode on a state's benchmark and apply its actions, by this wrapper's own calls.

        Raises:
            InvalidCommandline: This environment cannot read the command line; the episode goes on.
            InvalidAction: This wrapper's action space does not have one of the actions; the episode goes on.
            InvalidInput: The benchmark cannot be used.
        """
        options, actions = start_of(state, self.unwrapped)
        own = self._from_inside(list(actions))
        self.reset(options=options)
        return self.multistep(own)

    def validate(self) -> ValidationResult:
        """Replay this episode's actions in a fresh, sandboxed process; see ``CompilerEnv.validate``."""
        return self.env.validate()

    def commandline(self) -> str:
        """The command line of this episode's actions, as the wrapped environment writes it."""
        return self.env.commandline()

    def observe(self, name: str, *, cpu_seconds: float | None = None) -> Any:  # noqa: ANN401 # of any space
        """The observation of this name as plain Python; see ``CompilerEnv.observe``."""
        return self.env.observe(name, cpu_seconds=cpu_seconds)

    def read_reward(self, name: str) -> float:
        """The reward of this name since its last reading; see ``reward``."""
        return self.env.read_reward(name)

    def parameter(self, key: str, value: str = "", *, keep: bool = False) -> str:
        """Send a parameter to the compiler's session and return its reply."""
        return self.env.parameter(key, value, keep=keep)

    @property
    def unwrapped(self) -> CompilerEnv:
        """The environment inside all wrappers, with its compiler's own attributes."""
        return cast("CompilerEnv", self.env.unwrapped)

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of this episode, or of the next; set it for the next ``reset()``."""
        return self.env.benchmark

    @benchmark.setter
    def benchmark(self, benchmark: str | Benchmark) -> None:
        self.env.benchmark = benchmark

    @property
    def actions(self) -> list[Any]:
        """The actions of this episode, as members of this wrapper's action space."""
        return self._from_inside(self._taken())

    @property
    def episode_reward(self) -> float | None:
        """The sum of this wrapper's rewards in this episode; None without a reward space."""
        return self.env.episode_reward

    def _around(self, env: CompilerEnv | CompilerEnvWrapper) -> Self:
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self), env=env)
        twin._action_space = copy.deepcopy(self._action_space)  # noqa: SLF001 # of the same class
        twin._observation_space = copy.deepcopy(self._observation_space)  # noqa: SLF001 # of the same class
        twin.on_fork()
        return twin

    def on_fork(self) -> None:
        """Called on a new fork, whose attributes are still its parent's: copy what the two must not share."""

    def _taken(self) -> list[Any]:
        # As members of the innermost environment's action space.
        inner = self.env
        return inner._taken() if isinstance(inner, CompilerEnvWrapper) else inner.actions  # noqa: SLF001 # of the same class

    def _count_taken(self) -> int:
        # Without a copy of all of them: it is asked for in each step.
        return self.env._count_taken()  # noqa: SLF001 # of the same interface

    def _from_inside(self, actions: list[Any]) -> list[Any]:
        # Actions of the innermost environment as members of this wrapper's action space.
        inner = self.env
        return inner._from_inside(actions) if isinstance(inner, CompilerEnvWrapper) else actions  # noqa: SLF001 # of the same class

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._around(copy.deepcopy(self.env, memo))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_cached_spec": None}  # it may not be picklable, and is computed again


for _name in CompilerEnvWrapper.__annotations__.keys() - {"env"}:
    setattr(CompilerEnvWrapper, _name, property(attrgetter(f"env.{_name}"), doc=f"``{_name}`` of ``env``."))


T = TypeVar("T")


def positive_integer(field: str, value: object, *, least: int = 1) -> int:
    """Return ``value`` if it is an integer of at least ``least``, else raise InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        message = f"{field} is {value!r:.100}."
        raise InvalidInput(message, field=field, value=value, remedy=f"Give an integer of at least {least}.")
    return value


def items_of(field: str, values: Iterable[T], what: str) -> tuple[T, ...]:
    """The items of a list; InvalidInput if it is empty, or not a list, such as a single text."""
    remedy = f"Give a list of {what}."
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        message = f"{field} is {values!r:.100} ({type(values).__name__})."
        raise InvalidInput(message, field=field, value=values, remedy=remedy)
    items = tuple(values)
    if not items:
        raise InvalidInput(f"{field} is empty.", field=field, value=items, remedy=remedy)
    return items


def names_of(wrapper: str, space: gymnasium.Space[Any]) -> tuple[str, ...]:
    """The names of the actions of a space, else InvalidInput."""
    names: tuple[str, ...] | None = getattr(space, "names", None)
    if names is None:
        message = f"{wrapper} needs an action space with named actions; {space!r:.100} does not have names."
        remedy = "Make the environment with its named action space, which is the first."
        raise InvalidInput(message, field="action_space", value=repr(space)[:100], remedy=remedy)
    return tuple(names)


def refuse_option(wrapper: str, options: Any, name: str, allowed: object) -> None:  # noqa: ANN401 # of any type
    """Refuse, by InvalidInput, that ``reset(options=…)`` changes what a wrapper depends on."""
    if isinstance(options, Mapping) and name in options and options[name] != allowed:
        message = f"{wrapper} was made for the {name} {allowed!r}, which reset() cannot change."
        remedy = f"Leave {name} out, or wrap an environment that was made with another."
        raise InvalidInput(message, field=name, value=options[name], remedy=remedy)


def number(field: str, value: object) -> float:
    """Return ``value`` as a float if it is a finite number, else raise InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        message = f"{field} is {value!r:.100}."
        raise InvalidInput(message, field=field, value=value, remedy="Give a finite number.")
    return float(value)


class _Converting:
    convert: Callable[[Any], Any]

    def __call__(self, value: Any) -> Any:  # noqa: ANN401 # of any space; the class says it
        return self.convert(value)


class ConvertingObservationView(_Converting, ObservationView):
    """The observations of the wrapped environment, by name; a call converts one."""


class ConvertingRewardView(_Converting, RewardView):
    """The rewards of the wrapped environment, by name; a call converts one."""


View = type[ConvertingObservationView] | type[ConvertingRewardView]


def take_either_name(kind: type[CompilerEnvWrapper], name: str, view: View) -> None:
    """Make both names lead to the nearest definition of either, in a subclass or its bases.

    ``name`` is that of the view, ``reward`` or ``observation``; the other name has ``convert_`` before it.
    InvalidInput if a class defines both.
    """
    names = (name, f"convert_{name}")
    home = next(one for one in kind.__mro__ if vars(one).keys() & names)
    given = [vars(home)[each] for each in names if callable(vars(home).get(each))]
    if not given:
        return
    if given[0] is not given[-1]:
        message = f"{home.__name__} defines both {names[0]}() and {names[1]}(), which mean the same."
        raise InvalidInput(message, field=name, value=home.__name__, remedy="Define one of them.")

    def converting(self: CompilerEnvWrapper) -> _Converting:
        made = view(self.unwrapped)
        made.convert = given[0].__get__(self) if hasattr(given[0], "__get__") else given[0]
        return made

    setattr(kind, names[0], property(converting))
    setattr(kind, names[1], given[0])


class ActionWrapper(CompilerEnvWrapper):
    """Converts each action into one of the wrapped environment, or into a list of several.

    The several are applied by one multistep, so they have one observation and one reward.

    A subclass defines ``action()``, and ``reverse_action()`` if ``actions`` and ``apply()`` are needed, and
    sets ``action_space`` if it has another one. gymnasium's class of this name has no ``multistep()``.
    """

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions; see ``CompilerEnvWrapper``. All are converted before any is applied."""
        inner: list[Any] = []
        for action in listed_actions(actions):
            converted = self.action(action)
            inner += converted if self._are_several(converted) else [converted]
        return self.env.multistep(inner, **spaces)

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """As in ``CompilerEnv``; of several actions that one stands for, one must change something.

        Raises:
            InvalidInput: Actions are not single numbers.
        """
        if not isinstance(self.action_space, gymnasium.spaces.Discrete):
            message = f"{self.action_space!r:.100} has actions of several parts, which have no mask."
            remedy = "Wrap with an action space whose actions are single numbers."
            value = repr(self.action_space)[:100]
            raise InvalidInput(message, field="action_space", value=value, remedy=remedy)
        inner, first = self.env.action_masks(), getattr(self.env.action_space, "start", 0)
        own = range(int(self.action_space.start), int(self.action_space.start + self.action_space.n))
        flags = [inner[np.asarray(self.action(action), dtype=int) - first].any() for action in own]
        return np.array(flags, dtype=np.bool_)

    def _are_several(self, converted: Any) -> bool:  # noqa: ANN401 # of any space
        # One action of several parts may be a list, too.
        space = self.env.action_space
        if not isinstance(converted, list):
            return False
        if isinstance(space, gymnasium.spaces.Sequence):
            return bool(converted) and np.ndim(converted[0]) > len(space.feature_space.shape or ())
        if space.shape is None:
            return converted not in space
        return not converted or np.ndim(converted[0]) >= len(space.shape)

    def action(self, action: Any) -> Any:  # noqa: ANN401 # of any space
        """The wrapped environment's action that an action of this wrapper stands for; a list if several.

        Raises:
            InvalidAction: It is not in this wrapper's action space.
        """
        raise NotImplementedError(f"{type(self).__name__} must define action().")

    def reverse_action(self, action: Any) -> Any:  # noqa: ANN401 # of any space
        """The action of this wrapper that stands for an action of the wrapped environment.

        Raises:
            InvalidAction: There is no such action.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define reverse_action().")

    def _from_inside(self, actions: list[Any]) -> list[Any]:
        return [self.reverse_action(action) for action in super()._from_inside(actions)]


class ObservationWrapper(CompilerEnvWrapper):
    """Converts the default observation of ``reset()`` and ``step()``.

    A subclass defines ``convert_observation(observation)``, or ``observation(observation)`` as in gymnasium;
    of a class and its bases, the nearest definition counts, whichever name it has. It sets
    ``observation_space`` if it has another one. Observations that are requested by name, in ``step()`` or
    ``observation[...]``, are not converted.

    Raises:
        InvalidInput: When a subclass is defined: it defines both names.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        take_either_name(cls, "observation", ConvertingObservationView)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        observation, info = self.env.reset(seed=seed, options=options)
        return self.convert_observation(observation), info

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        observation, *rest = self.env.multistep(actions, **spaces)
        if spaces.get("observation_spaces") is None:
            observation = self.convert_observation(observation)
        return (observation, *rest)

    def convert_observation(self, observation: Any) -> Any:  # noqa: ANN401 # of any space
        """The observation of this wrapper, for one of the wrapped environment."""
        raise NotImplementedError(
            f"{type(self).__name__} must define convert_observation() or observation()."
        )


class RewardWrapper(CompilerEnvWrapper):
    """Converts the default reward of ``step()``.

    A subclass defines ``convert_reward(reward)``, or ``reward(reward)`` as in gymnasium; of a class and its
    bases, the nearest definition counts, whichever name it has. ``episode_reward`` is the sum of the
    converted rewards; ``state.reward`` stays that of the wrapped environment, which a replay can confirm.
    Rewards that are requested by name, in ``step()`` or ``reward[...]``, are not converted.

    Raises:
        InvalidInput: When a subclass is defined: it defines both names.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        take_either_name(cls, "reward", ConvertingRewardView)

    def __init__(self, env: Env[Any, Any]) -> None:
        super().__init__(env)
        self._total = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = self.env.reset(seed=seed, options=options)
        self._total = 0.0
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        observation, reward, *rest = self.env.multistep(actions, **spaces)
        if spaces.get("reward_spaces") is None:
            reward = self.convert_reward(reward)
            self._total += reward
        return (observation, reward, *rest)

    def convert_reward(self, reward: float) -> float:
        """The reward of this wrapper, for one of the wrapped environment."""
        raise NotImplementedError(f"{type(self).__name__} must define convert_reward() or reward().")

    @property
    def episode_reward(self) -> float | None:
        return self._total


class EndingWrapper(CompilerEnvWrapper):
    """Keeps an episode ended until the next ``reset()``, once a subclass has called ``_end()``."""

    def __init__(self, env: Env[Any, Any]) -> None:
        super().__init__(env)
        self._ended = ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        first = super().reset(seed=seed, options=options)
        self._ended = ""
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        if self._ended:
            raise ResetNeeded(f"The episode is over: {self._ended} Call reset() to start another.")
        return super().multistep(actions, **spaces)

    def _end(self, why: str) -> None:
        # Every step fails until the next `reset()`; `why` is a sentence for people.
        self._ended = why
