"""The gymnasium environment of a compiler. What is special about one compiler lives in its own room.

An environment owns at most one session process, started by ``reset()``. A failure of the compiler ends the
episode and never the agent.
"""

from __future__ import annotations

import copy
import logging
import os
from typing import TYPE_CHECKING, Any, Self, TypeVar

import gymnasium
from gymnasium.error import ResetNeeded

from optarena.backends import backend_for
from optarena.episode import Episode, RewardMeter
from optarena.errors import InvalidAction, InvalidInput, ServiceClosed, ServiceError
from optarena.selection import Selection
from optarena.session_client import SessionClient
from optarena.spaces import check_actions
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.state import EnvState
from optarena.views import ObservationView, RewardView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from optarena.backends import Backend
    from optarena.datasets import Benchmark
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.options import ConnectionOptions
    from optarena.service_info import ServiceInfo
    from optarena.validation import ValidationResult

logger = logging.getLogger(__name__)
T = TypeVar("T")
Step = tuple[Any, float, bool, bool, dict[str, Any]]


class CompilerEnv(gymnasium.Env[Any, Any]):
    """A program, a compiler's actions on it, and a reward.

    Args:
        environment: Id or spec of the environment.
        benchmark: URI, ``file:///x.bc``, or ``Benchmark``; the first of the environment's dataset if None.
        observation_space: Name of the observation; the environment's default if None.
        reward_space: Name of the reward; the environment's default if None.
        action_space: Name of the action space; the first if None.
        render_mode: ``ansi`` or None.
        sandbox: Confine the compiler's process as a runner does.
        limits: Of the compiler's process.
        service: Where its sessions run, if not in processes of this one: ``host:port``, ``unix:/path``, the
            path of a service's executable, ``module:Class``, ``in-process``, or another environment's
            ``backend``.
        connection: Options of the connection to a service elsewhere.

    Raises:
        PlatformNotSupported: The compiler does not run on this machine.
        UnknownName: One of the names does not exist.
        ServiceError: The service cannot be started or reached.

    ``reset(options=…)`` takes the keys ``benchmark``, ``action_space``, ``observation_space`` and
    ``reward_space``. They stay in force until changed; None for one of the last two means none at all.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 # declared by gymnasium.Env

    def __init__(  # noqa: PLR0913 # gymnasium.make passes them by keyword
        self,
        environment: str | EnvironmentSpec,
        *,
        benchmark: str | Benchmark | None = None,
        observation_space: str | None = None,
        reward_space: str | None = None,
        action_space: str | None = None,
        render_mode: str | None = None,
        sandbox: bool = False,
        limits: ProcessLimits | None = None,
        service: str | Path | Backend | None = None,
        connection: ConnectionOptions | None = None,
    ) -> None:
        self.environment: EnvironmentSpec = (
            environment_spec(environment) if isinstance(environment, str) else environment
        )
        if render_mode not in (None, *self.metadata["render_modes"]):
            message = f"There is no render mode {render_mode!r}."
            raise InvalidInput(message, field="render_mode", value=render_mode, remedy="Give 'ansi' or None.")
        self.render_mode = render_mode
        self._owner = os.getpid()
        self._closed = False
        self._episode: Episode | None = None
        names = {"observation_space": observation_space, "reward_space": reward_space}
        given = {"benchmark": benchmark, "action_space": action_space, **names}
        self.backend = backend_for(
            self.environment.service, service, process_limits=limits, sandbox=sandbox, options=connection
        )
        try:
            if service is not None:
                self.backend.info().check_actions(self.environment)
            self._selection = Selection.initial(given, self.environment, self.service)
        except BaseException:
            self.backend.close()
            raise
        self._apply_selection()
        self.observation = ObservationView(self)
        self.reward = RewardView(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode in a fresh process.

        Args:
            seed: Seeds ``np_random``; the compiler itself has no randomness.
            options: See the class.

        Returns:
            The first observation, None if there is no observation space, and an info dict.

        Raises:
            InvalidInput: An option is wrong (the present episode goes on), or the program unreadable.
            ServiceError: The compiler cannot be started or crashed on the unoptimised program.
        """
        self._check_usable()
        selection = self._selection.updated(options, self.environment, self.service)
        benchmark = selection.benchmark_or_default(self.environment)
        super().reset(seed=seed)
        self._end_episode()
        self._selection = selection
        self._apply_selection()
        session = SessionClient.start(self.backend, benchmark, action_space=selection.action_space)
        try:
            spec = selection.reward_spec(self.environment)
            meter = RewardMeter.begin(spec, benchmark, session) if spec else None
            observation = selection.member(session.step((), selection.observed), self.service)
        except BaseException:
            session.close()
            raise
        self._episode = Episode(session=session, benchmark=benchmark, meter=meter)
        if self._closed:  # by another thread, which did not see the episode
            self._end_episode()
            self._check_usable()
        self._follow(session.new_action_space)
        return observation, {"benchmark": benchmark.uri}

    def step(self, action: Any) -> Step:  # noqa: ANN401 # whatever the action space holds
        """Apply one action.

        Returns:
            Observation, reward (0.0 if there is no reward space), terminated, truncated (always False) and
            info with ``action_had_no_effect`` and ``new_action_space``; after a failure of the compiler
            also ``error_type`` and ``error_details``.

        Raises:
            InvalidAction: The action is not in the action space; nothing has changed.
            ResetNeeded: No episode is running.
        """
        return self.multistep([action])

    def multistep(self, actions: Iterable[Any]) -> Step:
        """Apply several actions, observing only after the last: one reward for all of them.

        Raises:
            InvalidAction: One of the actions is not in the action space; none was applied.
            ResetNeeded: No episode is running.
        """
        episode = self._running()
        checked = check_actions(self.action_space, actions)
        costs = [episode.meter.spec.cost] if episode.meter else []
        try:
            outcome = episode.session.step(checked, [*self._selection.observed, *costs])
            observation = self._selection.member(outcome, self.service)
            reward = episode.meter.read_outcome(outcome) if episode.meter else 0.0
        except InvalidInput as error:
            raise InvalidAction(error.message, field="action", value=checked, remedy=error.remedy) from error
        except ServiceError as error:
            return self._failed(episode, checked, error)
        episode.actions.extend(checked)
        episode.terminated = outcome.end_of_session
        self._follow(outcome.new_action_space)
        info = {
            "action_had_no_effect": outcome.had_no_effect,
            "new_action_space": outcome.new_action_space is not None,
        }
        return observation, reward, episode.terminated, False, info

    def fork(self) -> Self:
        """An environment in exactly the same state, with a process and random generators of its own.

        Raises:
            ResetNeeded: No episode is running.
            ServiceError: The session's process is gone; the episode is over.
        """
        episode = self._running()
        forked = self._guarded(episode.fork)
        twin = copy.copy(self)
        twin.backend = self.backend.retain()
        twin._episode = forked  # noqa: SLF001 # of the same class
        twin.action_space = copy.deepcopy(self.action_space)
        twin.observation_space = copy.deepcopy(self.observation_space)
        twin._np_random = copy.deepcopy(self._np_random)  # noqa: SLF001 # of the same class
        twin.observation = ObservationView(twin)
        twin.reward = RewardView(twin)
        return twin

    def apply(self, state: EnvState) -> Step:
        """Start an episode on a state's benchmark and apply its actions.

        Raises:
            InvalidCommandline: The command line is not one of this environment; the episode goes on.
            InvalidInput: The benchmark cannot be used.
        """
        actions = self.environment.parse_commandline(state.commandline)
        self.reset(options={"benchmark": state.benchmark})
        return self.multistep(actions)

    def validate(self) -> ValidationResult:
        """Replay this episode's actions in a fresh, sandboxed process and compare what it gives.

        Raises:
            ResetNeeded: There was no episode yet.
            SandboxUnavailable: This kernel does not have the sandbox.
        """
        from optarena.validation import validate_state  # noqa: PLC0415 # validation drives environments

        episode = self._any()
        return validate_state(
            self.state,
            environment=self.environment,
            reward_space=self._selection.reward_space,
            benchmark=episode.benchmark,
        )

    @property
    def service(self) -> ServiceInfo:
        """What the service offers."""
        return self.backend.info()

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
            reward=self.episode_reward,
            walltime=episode.walltime,
        )

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of this episode, or of the next if there is none yet."""
        episode = self._episode
        return episode.benchmark if episode else self._selection.benchmark_or_default(self.environment)

    @property
    def actions(self) -> list[int]:
        """The actions of this episode, including one that failed."""
        return list(self._episode.actions) if self._episode else []

    @property
    def episode_reward(self) -> float | None:
        """The sum of this episode's rewards; None without a reward space."""
        meter = self._episode.meter if self._episode else None
        return meter.total if meter else None

    @property
    def error(self) -> ServiceError | None:
        """What ended this episode, if an error of the compiler did."""
        return self._episode.error if self._episode else None

    @property
    def sandbox(self) -> dict[str, Any]:
        """How the compiler's process of this episode is confined, as JSON data."""
        return self._any().session.sandbox

    def commandline(self) -> str:
        """The command line of this episode's actions."""
        return self.environment.commandline(self.actions)

    def observe(self, name: str) -> Any:  # noqa: ANN401 # of any space
        """The observation of this name as plain Python; see ``observation``."""
        episode = self._alive()
        return self._guarded(lambda: episode.session.view(name))

    def read_reward(self, name: str) -> float:
        """The reward of this name since its last reading; see ``reward``."""
        episode = self._alive()
        return self._guarded(lambda: episode.read_reward(name, self.environment.rewards))

    def parameter(self, key: str, value: str = "") -> str:
        """Send a parameter to the compiler's session and return its reply.

        Raises:
            InvalidInput: The session knows no such parameter or value.
        """
        episode = self._alive()
        return self._guarded(lambda: episode.session.parameter(key, value))

    def render(self) -> str | None:
        """The state of the episode as text, if the render mode is ``ansi``."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() was called without a render mode: make(…, render_mode="ansi").')
            return None
        if self._episode is None:
            return f"; {self.environment.id}: no episode is running, call reset()\n"
        return f"{self.state.as_comment()}\n{self._program_text()}"

    def close(self) -> None:
        """End the session, and the service if it was started for this environment. May be called again."""
        closed, self._closed = self._closed, True
        try:
            self._end_episode()
        finally:
            if not closed:
                self.backend.close()

    def _program_text(self) -> str:
        """The program in its present state, for ``render()``; a compiler's own environment knows it."""
        return ""

    def _check_usable(self) -> None:
        if self._closed:
            raise ServiceClosed("The environment is closed. Make a new one.")
        if self._owner != os.getpid():
            raise ServiceClosed(
                "The environment was made in another process, of which this one is a fork: make a new one."
            )

    def _any(self) -> Episode:
        self._check_usable()
        if self._episode is None:
            raise ResetNeeded("No episode was started: call reset() first.")
        return self._episode

    def _alive(self) -> Episode:
        episode = self._any()
        if episode.error is not None:
            raise ResetNeeded(
                f"The episode ended in an error: {episode.error} Call reset() to start another."
            )
        return episode

    def _running(self) -> Episode:
        episode = self._alive()
        if episode.terminated:
            raise ResetNeeded("The episode is over: call reset() to start another.")
        return episode

    def _failed(self, episode: Episode, actions: list[int], error: ServiceError) -> Step:
        episode.actions.extend(actions)
        self._abandon(episode, error)
        reward = episode.meter.fail() if episode.meter else 0.0
        observation = self._selection.default_member(self.service)
        info = {
            "action_had_no_effect": False,
            "new_action_space": False,
            "error_type": error.error_type,
            "error_details": str(error),
        }
        return observation, reward, True, False, info

    def _guarded(self, call: Callable[[], T]) -> T:
        """The result of a call outside of ``step()``, where a failure has no other way to be told."""
        try:
            return call()
        except ServiceError as error:
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
        actions, observations = self._selection.spaces(self.service)
        # A space that stays the same stays the same object: it may have been seeded.
        if getattr(self, "action_space", None) != actions:
            self.action_space = actions
        if getattr(self, "observation_space", None) != observations:
            self.observation_space = copy.deepcopy(observations)

    def _follow(self, new_space: gymnasium.Space[Any] | None) -> None:
        if new_space is not None:
            self.action_space = new_space
