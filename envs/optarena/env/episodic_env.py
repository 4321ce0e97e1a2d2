"""What an environment has at any time: its service, its settings, and the running episode.

``compiler_env`` adds gymnasium's calls, which change these; here they are read, and guarded against misuse.
"""

from __future__ import annotations

import copy
import logging
import os
from typing import TYPE_CHECKING, Any, Self, TypeVar

import gymnasium
from gymnasium.error import ResetNeeded

from optarena import logs
from optarena.datasets import Benchmark, datasets
from optarena.env.backends import backend_for
from optarena.env.derived import derived_observations
from optarena.env.failures import placed
from optarena.env.observations import Observations
from optarena.env.selection import Selection
from optarena.env.views import ObservationView, RewardView
from optarena.errors import InvalidAnswer, InvalidInput, ServiceClosed, ServiceError
from optarena.service.processes.resources import is_used_up
from optarena.service.protocol.parameters import READ_ONLY
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.state import EnvState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optarena.actions import Action, ActionTable
    from optarena.datasets import Datasets
    from optarena.env.episode import Episode
    from optarena.env.service_info import ServiceInfo
    from optarena.env.session_client import SessionClient

logger = logging.getLogger(__name__)
T = TypeVar("T")


class EpisodicEnv(gymnasium.Env[Any, Any]):
    """What :class:`optarena.env.CompilerEnv` has besides the calls of gymnasium."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 # declared by gymnasium.Env

    def __init__(
        self, environment: str | EnvironmentSpec, render_mode: str | None, given: Mapping[str, Any]
    ) -> None:
        logs.configure_if_changed()
        self.environment: EnvironmentSpec = (
            environment_spec(environment) if isinstance(environment, str) else environment
        )
        if render_mode not in (None, *self.metadata["render_modes"]):
            message = f"There is no render mode {render_mode!r:.100}."
            raise InvalidInput(message, field="render_mode", value=render_mode, remedy="Give 'ansi' or None.")
        if not isinstance(given["sandbox"], bool):
            message = f"sandbox is {given['sandbox']!r:.100}."
            raise InvalidInput(message, field="sandbox", value=given["sandbox"], remedy="Give True or False.")
        self.render_mode = render_mode
        self._given = dict(given)
        self._owner = os.getpid()
        self._closed = False
        self._episode: Episode | None = None
        self._applied: tuple[tuple[int, str | None], gymnasium.Space[Any], gymnasium.Space[Any]] | None = None
        self._kept: dict[str, str] = {}
        self.backend = backend_for(
            self.environment.service,
            given["service"],
            process_limits=given["limits"],
            sandbox=given["sandbox"],
            options=given["connection"],
        )
        try:
            self.service.check_actions(self.environment)
            self.observations = Observations(self.service, derived_observations(self.environment))
            chosen = {name: given[name] for name in ("benchmark", "action_space", *_SPACES)}
            self._selection = Selection.initial(chosen, self.environment, self.service, self.observations)
            self._apply_selection()
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            self.backend.close()
            raise
        self._view()

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 # attributes of any type
        """Refuse an assignment that chooses a space in other libraries, and would do nothing here.

        Raises:
            InvalidInput: A space is assigned by its name.
        """
        refuse_choice(name, value)
        super().__setattr__(name, value)

    @property
    def service(self) -> ServiceInfo:
        """What the service offers."""
        return self.backend.info()

    @property
    def datasets(self) -> Datasets:
        """The datasets of this installation."""
        return datasets()

    @property
    def state(self) -> EnvState:
        """What this episode has found so far.

        Raises:
            ResetNeeded: There was no episode yet.
        """
        episode = self._any()
        return EnvState(
            benchmark=episode.benchmark.uri,
            commandline=self.commandline(),
            reward=episode.meter.total if episode.meter else None,
            walltime=episode.walltime,
        )

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of this episode, or of the next if there is none yet.

        Setting it (to a URI or a ``Benchmark``) chooses that of the next episode: call ``reset()``.
        """
        episode = self._episode
        return episode.benchmark if episode else self._selection.benchmark_or_default(self.environment)

    @benchmark.setter
    def benchmark(self, benchmark: str | Benchmark) -> None:
        options = {"benchmark": benchmark}
        self._selection = self._updated(options)

    @property
    def action_table(self) -> ActionTable:
        """The actions of the action space that is in force."""
        return self.environment.table(self.service.action_spaces[self._selection.action_space].name)

    @property
    def action_space_name(self) -> str:
        """The name of the action space that is in force."""
        return self.service.action_spaces[self._selection.action_space].name

    @property
    def observation_space_name(self) -> str | None:
        """The name of what ``step()`` observes; None for nothing."""
        return self._selection.observation_space

    @property
    def reward_space_name(self) -> str | None:
        """The name of the reward that ``step()`` gives; None for none."""
        return self._selection.reward_space

    @property
    def actions(self) -> list[Action]:
        """The actions of this episode, including one that failed."""
        return list(self._episode.actions) if self._episode else []

    @property
    def episode_reward(self) -> float | None:
        """The sum of this episode's rewards; None without a reward space.

        Steps that name ``reward_spaces`` do not change it: what their actions earn is in the reward of the
        next step that names none, unless they named the reward space in force. ``state.reward`` is the reward
        of all actions.
        """
        meter = self._episode.meter if self._episode else None
        return meter.given if meter else None

    @property
    def episode_walltime(self) -> float:
        """Seconds since this episode began.

        Raises:
            ResetNeeded: There was no episode yet.
        """
        return self._any().walltime

    @property
    def error(self) -> ServiceError | None:
        """The error of the compiler that ended this episode, if one did."""
        return self._episode.error if self._episode else None

    @property
    def sandbox(self) -> dict[str, Any]:
        """How the compiler's process of this episode is confined, as JSON data."""
        confinement: dict[str, Any] = self._any().session.sandbox
        return confinement

    @property
    def is_sandboxed(self) -> bool:
        """Whether the environment was made to confine the compiler's processes."""
        return bool(self._given["sandbox"])

    @property
    def memory_bytes(self) -> int | None:
        """The most memory that this episode's process can have to itself; None for a service elsewhere.

        What a copy still shares with its origin counts in full.
        """
        return self._any().session.memory_bytes

    def commandline(self) -> str:
        """The command line of this episode's actions alone; ``state`` tells if it leads to the program."""
        return self.action_table.commandline(self.actions)

    def observe(self, name: str, *, cpu_seconds: float | None = None) -> Any:  # noqa: ANN401 # of any space
        """The observation of this name as plain Python; see ``observation``.

        Args:
            name: The observation space.
            cpu_seconds: CPU time that it may use, if not as much as an action.
        """
        episode = self._alive()
        with placed(f"In {name}"):
            return self._guarded(lambda: episode.observer.view(name, cpu_seconds=cpu_seconds))

    def read_reward(self, name: str) -> float:
        """The reward of this name since its last reading; see ``reward``."""
        episode = self._alive()
        with placed(f"In {name}"):
            return self._guarded(lambda: episode.read_reward(name, self.environment.rewards))

    def parameter(self, key: str, value: str = "", *, keep: bool = False) -> str:
        """Send a parameter to the compiler's session and return its reply.

        Args:
            key: The parameter's name.
            value: Its value.
            keep: Send it to the session of every later episode, too, before anything else. Then it may be set
                before the first ``reset()``, and the reply is empty until there is a session.

        Raises:
            InvalidInput: The session does not know the parameter or value, or one of them is not a text.
            ResetNeeded: No episode is running, and the parameter is not to be kept.
        """
        self._check_usable()
        for name, text in (("key", key), ("value", value)):
            if not isinstance(text, str):
                message = f"The parameter's {name} is {text!r:.100} ({type(text).__name__})."
                raise InvalidInput(message, field=name, value=text, remedy="Give a text.")
        if keep and (self._episode is None or self._episode.error is not None):
            self._kept = {**self._kept, key: value}
            return ""
        episode = self._alive()
        reply = self._guarded(lambda: episode.session.parameter(key, value))
        if key not in READ_ONLY:
            episode.parameters.append((len(episode.actions), key, value))
        if keep:
            self._kept = {**self._kept, key: value}  # a copy of this environment shares the old dict
        return reply

    def _send_kept(self, session: SessionClient) -> None:
        for key, value in self._kept.items():
            try:
                session.parameter(key, value)
            except InvalidInput as error:
                self._kept = {name: kept for name, kept in self._kept.items() if name != key}
                message = f"The kept parameter {key!r:.100} with the value {value!r:.100}: {error.message}"
                remedy = "It is no longer kept. Correct it, or call reset() to go on without it."
                raise InvalidInput(message, field="key", value=key, remedy=remedy) from error

    def _start_of(self, state: EnvState) -> tuple[dict[str, Any], tuple[Action, ...]]:
        """The options of the ``reset()`` from which a state begins, and its actions.

        Raises:
            InvalidInput: It is not a state.
            InvalidCommandline: This environment cannot read its command line.
        """
        if not isinstance(state, EnvState):
            message = f"The state is {state!r:.100} ({type(state).__name__})."
            raise InvalidInput(message, field="state", value=state, remedy="Give an optarena.state.EnvState.")
        table, actions = self.environment.parse(state.commandline)
        here = self._episode.benchmark if self._episode else self._selection.benchmark
        is_here = here is not None and here.uri == state.benchmark
        options: dict[str, Any] = {"benchmark": here if is_here else state.benchmark}
        if table is not self.action_table:
            options["action_space"] = table.name
        return options, actions

    def _view(self) -> None:
        self.observation = ObservationView(self)
        self.reward = RewardView(self)

    def _updated(self, options: dict[str, Any] | None) -> Selection:
        return self._selection.updated(options, self.environment, self.service, self.observations)

    def _twin(self, **changes: Any) -> Self:  # noqa: ANN401 # attributes of any type
        """Another environment with the same settings, on the same backend."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.backend = self.backend.retain()
        twin.action_space = copy.deepcopy(self.action_space)
        twin.observation_space = copy.deepcopy(self.observation_space)
        twin._np_random = copy.deepcopy(self._np_random)  # of the same class
        twin.__dict__.update(changes)
        twin._view()  # of the same class
        return twin

    def _check_usable(self) -> None:
        if self._closed:
            raise ServiceClosed("The environment is closed. Make a new one.")
        if self._owner != os.getpid():
            raise ServiceClosed(
                "The environment was made in another process, from which this one was forked. Make a new one."
            )

    def _any(self) -> Episode:
        self._check_usable()
        if self._episode is None:
            raise ResetNeeded("No episode has been started: call reset() first.")
        return self._episode

    def _alive(self) -> Episode:
        episode = self._any()
        if episode.error is not None:
            cause = str(episode.error).rstrip(".")
            raise ResetNeeded(f"The episode ended in an error: {cause}. Call reset() to start another.")
        return episode

    def _running(self) -> Episode:
        episode = self._alive()
        if episode.terminated:
            raise ResetNeeded("The episode is over: call reset() to start another.")
        return episode

    def _guarded(self, call: Callable[[], T]) -> T:
        """The result of a call outside of ``step()``, where failures can only be raised.

        A session that gives an answer which cannot be read is still there, and so is the episode. The same
        is true if this process has nothing left of what a copy needs.
        """
        try:
            return call()
        except InvalidAnswer:
            raise
        except ServiceError as error:
            if not is_used_up(error.__cause__):
                self._abandon(self._any(), error)
            raise

    def _abandon(self, episode: Episode, error: ServiceError) -> None:
        logger.info("%s: %d actions ended in an error: %s", self.environment.id, len(episode.actions), error)
        episode.terminated = True
        episode.error = error
        episode.session.close()

    def _end_episode(self) -> None:
        episode, self._episode = self._episode, None
        if episode is not None and self._owner == os.getpid():
            episode.session.close()

    def _apply_selection(self) -> None:
        chosen = self._selection.action_space, self._selection.observation_space
        if self._applied is not None:
            applied, *spaces = self._applied
            if applied == chosen and spaces[0] is self.action_space and spaces[1] is self.observation_space:
                return  # the usual case, at each reset
        actions, observations = self._selection.spaces(self.service, self.observations)
        # A space that stays the same stays the same object: it may have been seeded.
        if getattr(self, "action_space", None) != actions:
            self.action_space = actions
        if getattr(self, "observation_space", None) != observations:
            self.observation_space = copy.deepcopy(observations)
        self._applied = chosen, self.action_space, self.observation_space

    def _follow(self, new_space: gymnasium.Space[Any] | None) -> None:
        if new_space is not None:
            self.action_space = new_space


_SPACES = ("observation_space", "reward_space")


def refuse_choice(name: str, value: object) -> None:
    """Refuse to choose a space by assigning its name to an attribute of an environment.

    Raises:
        InvalidInput: The attribute is such a name; the message says what to do instead.
    """
    if name == "reward_space" or (name in ("action_space", "observation_space") and isinstance(value, str)):
        raise InvalidInput(
            f"{name} cannot be chosen by assignment.",
            field=name,
            value=value,
            remedy=f"Give make({name}=…), or reset(options={{{name!r}: …}}) for the next episode.",
        )
