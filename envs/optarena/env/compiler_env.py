"""The gymnasium environment of a compiler. What is special about one compiler lives in its own room.

An environment owns at most one session process, started by ``reset()``. A failure of the compiler ends the
episode, never the agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import gymnasium

from optarena.env import looking_ahead
from optarena.env.baselines import KnownBaselines
from optarena.env.episode import Episode, Observer, RewardMeter
from optarena.env.episodic_env import EpisodicEnv
from optarena.env.failures import placed
from optarena.env.pickling import pickled
from optarena.env.requested_spaces import RequestedSpaces
from optarena.env.selection import checked_seed
from optarena.env.session_client import SessionClient
from optarena.env.spaces import check_actions
from optarena.env.taking import failed, outcomes_taken, taken
from optarena.errors import InvalidAction, InvalidInput, ServiceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from optarena.datasets import Benchmark
    from optarena.env.backends import Backend
    from optarena.env.selection import Selection
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.client.options import ConnectionOptions
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState
    from optarena.validation import ValidationResult

Step = tuple[Any, Any, bool, bool, dict[str, Any]]


class CompilerEnv(EpisodicEnv):
    """A program, a compiler's actions on it, and a reward.

    Args:
        environment: Id or spec of the environment.
        benchmark: URI, ``file:///x.bc``, or ``Benchmark``; the first of the environment's dataset if None.
        observation_space: Name of the observation; the environment's default if None.
        reward_space: Name of the reward; the environment's default if None.
        action_space: Name of the action space; the first if None.
        render_mode: ``ansi`` or None.
        sandbox: Confine the compiler's process as a runner does.
        limits: The limits of the compiler's process.
        service: Where sessions run, if not in processes started by this one: ``host:port``, ``unix:/path``,
            the path of a service's executable, ``module:Class``, ``in-process``, or another environment's
            ``backend``.
        connection: Options of the connection to a service elsewhere.

    Raises:
        PlatformNotSupported: The compiler does not run on this machine.
        UnknownName: One of the names does not exist.
        ServiceError: The service cannot be started or reached.

    ``reset(options=…)`` takes the keys ``benchmark``, ``action_space``, ``observation_space`` and
    ``reward_space``. They stay in force until changed; None for one of the last two turns it off.

    ``copy.deepcopy`` of an environment is a fork. A pickle holds how it was made, what it is set to and the
    actions of its episode, which loading it replays.
    """

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
        given = {
            "benchmark": benchmark,
            "observation_space": observation_space,
            "reward_space": reward_space,
            "action_space": action_space,
            "sandbox": sandbox,
            "limits": limits,
            "service": service,
            "connection": connection,
        }
        super().__init__(environment, render_mode, given)

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
            InvalidInput: The seed or an option is wrong, or the program unreadable.
            ServiceError: The compiler cannot be started or crashed on the unoptimised program.

        After an error the previous settings stay in force, and the present episode goes on if its sessions
        run in processes started by this one.
        """
        self._check_usable()
        selection = self._updated(options)
        benchmark = selection.benchmark_or_default(self.environment)
        number = checked_seed(seed)
        if not self.backend.isolates_sessions:
            self._end_episode()  # ending it shows whether the service still answers
        before = self._episode
        session, observation = self._select(selection, benchmark)
        super().reset(seed=number)
        if before is not None:
            before.session.close(soon=True)
        self._apply_selection()
        if self._closed:  # by another thread, which did not see this episode
            self._end_episode()
            self._check_usable()
        self._follow(session.new_action_space)
        return observation, {"benchmark": benchmark.uri}

    def step(
        self,
        action: Any,  # noqa: ANN401 # whatever the action space holds
        *,
        observation_spaces: Sequence[str] | None = None,
        reward_spaces: Sequence[str] | None = None,
    ) -> Step:
        """Apply one action.

        Args:
            action: An element of the action space.
            observation_spaces: Names of what to observe this time, instead of the space in force.
            reward_spaces: Names of the rewards to give this time, instead of the space in force: each since
                it was last read in this episode.

        Returns:
            Observation (a list if ``observation_spaces`` is given), reward (0.0 if there is no reward space,
            a list if ``reward_spaces`` is given), terminated, truncated (always False) and info with
            ``action_had_no_effect`` and ``new_action_space``; after a failure of the compiler also
            ``error_type`` and ``error_details``.

        Raises:
            InvalidAction: The action is not in the action space; nothing has changed.
            UnknownName: There is no such observation or reward space; nothing has changed.
            InvalidAnswer: The value of an observation or of a reward cannot be decoded; the actions were
                applied, and what they earned is part of the next reward.
            InvalidInput: The observation does not exist for this program, such as a run time without
                workloads; as ``InvalidAnswer``.
            DeviceUnavailable: What the value is measured on cannot be used now; as ``InvalidAnswer``.
            ResetNeeded: No episode is running.
        """
        return self.multistep([action], observation_spaces=observation_spaces, reward_spaces=reward_spaces)

    def multistep(
        self,
        actions: Iterable[Any],
        *,
        observation_spaces: Sequence[str] | None = None,
        reward_spaces: Sequence[str] | None = None,
    ) -> Step:
        """Apply several actions, observing only after the last: one reward for all of them.

        ``steps()`` also gives what there is after each. Arguments and results are those of ``step()``.

        Raises:
            InvalidAction: One of the actions is not in the action space; none was applied.
            UnknownName: There is no such observation or reward space; none was applied.
            ResetNeeded: No episode is running.
        """
        episode = self._running()
        checked = check_actions(self.action_space, actions, lambda: self.action_table)
        requested = RequestedSpaces(self, episode, observation_spaces, reward_spaces)
        try:
            outcome = episode.session.step(checked, requested.needs)
        except InvalidInput as error:
            if not checked:
                raise  # it is about an observation
            raise InvalidAction(error.message, field="action", value=checked, remedy=error.remedy) from error
        except ServiceError as error:
            return failed(self, episode, checked, error, requested)
        return taken(self, episode, checked, outcome, requested)

    def steps(
        self,
        actions: Iterable[Any],
        *,
        observation_spaces: Sequence[str] | None = None,
        reward_spaces: Sequence[str] | None = None,
    ) -> list[Step]:
        """What ``step()`` gives for each of some actions, applied one after the other by one call.

        Returns:
            A step for each action that was applied; the last one failed, or ended the episode, if there are
            fewer than actions. Arguments are those of ``multistep()``.

        Raises:
            InvalidAction: One of the actions is not in the action space; none was applied. Where a
                service elsewhere alone can tell, the actions before it are applied, and the episode ends.
            UnknownName: There is no such observation or reward space; none was applied.
            InvalidAnswer, InvalidInput, DeviceUnavailable: A value after one of the actions cannot be had,
                see ``step()``; the others were applied as well, and what all of them earned is part of the
                next reward. If the compiler's process refuses a value, the episode ends: ask ``step()``
                first for a value that the program may lack.
            ResetNeeded: No episode is running.
        """
        episode = self._running()
        checked = check_actions(self.action_space, actions, lambda: self.action_table)
        requested = RequestedSpaces(self, episode, observation_spaces, reward_spaces)
        if not checked:
            return []
        outcomes, error = episode.session.steps(checked, requested.needs)
        if isinstance(error, InvalidInput) and not outcomes:
            raise InvalidAction(error.message, field="action", value=checked, remedy=error.remedy) from error
        return outcomes_taken(self, episode, checked, outcomes, error, requested)

    def peek(
        self,
        actions: Iterable[Any],
        *,
        observation_spaces: Sequence[str] | None = None,
        reward_spaces: Sequence[str] | None = None,
    ) -> list[Step]:
        """What ``step()`` would give for each of 1 to 2,000 actions; the episode stays as it is.

        The compiler's process tries each action in a copy of itself, some at a time, so the answers are
        exact. Services whose sessions cannot do this copy their session for each action. Arguments are those
        of ``multistep()``; derived observations must depend on what they need alone.

        Returns:
            For each action what ``step()`` returns. If the compiler fails, that action's answer has
            ``error_type`` and ``error_details``.

        Raises:
            InvalidAction: There are no actions or too many, or one of them is not in the action space.
            UnknownName: There is no such observation or reward space.
            InvalidInput, DeviceUnavailable: A derived value cannot be had, see ``step()``.
            ResetNeeded: No episode is running.
            ServiceError: The session's process is gone; the episode is over.
        """
        return looking_ahead.peek(self, self._running(), actions, observation_spaces, reward_spaces)

    def fork(self) -> Self:
        """An environment in exactly the same state, with a process and random generators of its own.

        Raises:
            ResetNeeded: No episode is running.
            ServiceError: The session's process is gone, and the episode is over. It goes on if only the
                descriptors or processes for a copy are missing.
        """
        episode = self._running()
        twin = self._twin(_episode=None)
        try:
            twin._episode = self._guarded(lambda: episode.fork(twin))  # noqa: SLF001 # of the same class
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            twin.close()
            raise
        return twin

    def apply(self, state: EnvState) -> Step:
        """Start an episode on a state's benchmark and apply its actions in their action space.

        A benchmark that is not in any dataset works only if it is the environment's present one.

        Raises:
            InvalidCommandline: This environment cannot read the command line; the episode goes on.
            InvalidInput: The benchmark cannot be used.
        """
        options, actions = self._start_of(state)
        self.reset(options=options)
        return self.multistep(actions)

    def validate(self) -> ValidationResult:
        """Replay this episode's actions in a fresh, sandboxed process and compare what it gives.

        Raises:
            InvalidInput: The program is that of no state, since a parameter has changed it.
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
            reward_sandbox=self.is_sandboxed,
        )

    def render(self) -> str | None:
        """The state of the episode as text, if the render mode is ``ansi``."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() was called without a render mode: make(…, render_mode="ansi").')
            return None
        if self._episode is None:
            return f"; {self.environment.id}: no episode is running, call reset()\n"
        program = "; the compiler failed\n" if self.error else self._program_text()
        try:
            heading = self.state.as_comment()
        except InvalidInput as error:  # the program is that of no state
            heading = f"; {error}"
        return f"{heading}\n{program}"

    def close(self) -> None:
        """End the session, and the service if it was started for this environment. May be called again."""
        closed, self._closed = self._closed, True
        try:
            self._end_episode()
        finally:
            if not closed:
                self.backend.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A fork; without a running episode, another environment with the same settings."""
        self._check_usable()
        episode = self._episode
        return self._twin(_episode=None) if episode is None or episode.terminated else self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        """How to make this environment again, in the same state, in any process."""
        return pickled(self)

    def _program_text(self) -> str:
        """The program in its present state, for ``render()``; defined by a compiler's own environment."""
        return ""

    def _select(self, selection: Selection, benchmark: Benchmark) -> tuple[SessionClient, Any]:
        """Begin an episode with a selection; an unusable one changes nothing."""
        before = self._selection, self._episode
        self._selection, self._episode = selection, None
        try:
            return self._begin(benchmark)
        except BaseException:  # an interrupt too
            self._selection, self._episode = before
            if self._closed:  # by another thread, which did not see this episode
                self._end_episode()
            raise

    def _begin(self, benchmark: Benchmark) -> tuple[SessionClient, Any]:
        """Begin an episode with the present selection; return its session and first observation."""
        selection = self._selection
        with placed(f"In the start of {benchmark.uri}"):
            session = SessionClient.start(self.backend, benchmark, action_space=selection.action_space)
        try:
            self._send_kept(session)
            observer = Observer(session, self.observations, self, self._known_baselines())
            spec = selection.reward_spec(self.environment)
            with placed(f"In the baselines of {benchmark.uri} for {selection.reward_space}"):
                meter = RewardMeter.begin(spec, benchmark, observer) if spec else None
            with placed(f"In {selection.observation_space} of {benchmark.uri}"):
                observation = self._first_observation(observer, selection.observation_space)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            session.close()
            raise
        kept = [(0, key, value) for key, value in self._kept.items()]
        self._episode = Episode(observer=observer, benchmark=benchmark, meter=meter, parameters=kept)
        return session, observation

    def _known_baselines(self) -> KnownBaselines | None:
        """What this machine knows of the environment's own compiler; a confined session computes anew."""
        own = self.backend.session_type == self.environment.service
        return KnownBaselines(self.environment) if own and not self.is_sandboxed else None

    def _first_observation(self, observer: Observer, name: str | None) -> Any:  # noqa: ANN401 # of any space
        if name is None:
            return None
        outcome = observer.session.first_look(self.observations.needs((name,)))
        return self.observations.member(name, outcome, self)
