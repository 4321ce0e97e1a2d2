"""The gymnasium environment of a compiler. What is special about one compiler lives in its own room.

An environment owns at most one session process, started by ``reset()``. A failure of the compiler ends the
episode, never the agent.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from optarena import logs
from optarena.datasets import Benchmark, Datasets, datasets
from optarena.env.backends import Backend, backend_for
from optarena.env.derived import derived_observations
from optarena.env.episode import Episode, KnownBaselines, Observer, begin_meter
from optarena.env.failures import as_failure, count_begun, failure_details, failure_info, locate_failure
from optarena.env.observations import Observations
from optarena.env.pickling import reduce_env
from optarena.env.selection import OPTIONS, Selection, checked_seed, refuse_choice, start_of
from optarena.env.session_client import ServiceInfo, SessionClient, StepOutcome
from optarena.env.spaces import RequestedSpaces, check_actions, peeked_actions
from optarena.env.views import ObservationView, RewardView
from optarena.errors import (
    InvalidAction,
    InvalidAnswer,
    InvalidInput,
    OptArenaError,
    ServiceClosed,
    ServiceError,
    ValueUnavailable,
)
from optarena.service.processes.exit_status import is_used_up
from optarena.service.protocol.messages import READ_ONLY
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.environment import METADATA
from optarena.state import EnvState

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.actions import Action, ActionTable
    from optarena.isolation.limits import ProcessLimits
    from optarena.plots import Chart
    from optarena.service.client.options import ConnectionOptions
    from optarena.validation import ValidationResult

logger = logging.getLogger(__name__)
T = TypeVar("T")
Step = tuple[Any, Any, bool, bool, dict[str, Any]]


class CompilerEnv(gymnasium.Env[Any, Any]):
    """A program, a compiler's actions on it, and a reward.

    Args:
        environment: Id or spec of the environment.
        benchmark: URI, ``file:///x.bc``, or ``Benchmark``; the first of the environment's dataset if None.
        observation_space: Name of the observation; the environment's default if None.
        reward_space: Name of the reward; the environment's default if None.
        action_space: Name of the action space; the first if None.
        render_mode: ``ansi`` or None. As in gymnasium's own environments another one is not refused, since
            frameworks ask for ``rgb_array`` by themselves: ``gymnasium.make`` warns, and ``render()`` gives
            None.
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

    metadata = METADATA

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
        given: dict[str, Any] = {
            "benchmark": benchmark,
            "observation_space": observation_space,
            "reward_space": reward_space,
            "action_space": action_space,
            "sandbox": sandbox,
            "limits": limits,
            "service": service,
            "connection": connection,
        }
        logs.configure_if_changed()
        spec = environment_spec(environment) if isinstance(environment, str) else environment
        self.environment: EnvironmentSpec = spec
        if not isinstance(sandbox, bool):
            message = f"sandbox is {sandbox!r:.100}."
            raise InvalidInput(message, field="sandbox", value=sandbox, remedy="Give True or False.")
        self.render_mode = render_mode
        self._given = given
        self._owner = os.getpid()
        self._closed = False
        self._episode: Episode | None = None
        self._applied: tuple[tuple[int, str | None], gymnasium.Space[Any], gymnasium.Space[Any]] | None = None
        self._kept: dict[str, str] = {}
        self.backend = backend_for(
            spec.service, service, process_limits=limits, sandbox=sandbox, options=connection
        )
        try:
            self.service.check_actions(self.environment)
            self.observations = Observations(self.service, derived_observations(self.environment))
            default = {
                "observation_space": spec.observation_space or None,
                "reward_space": spec.reward_space or None,
            }
            chosen = {name: given[name] for name in OPTIONS if given[name] is not None}
            self._selection = Selection()
            self._selection = self._updated({**default, **chosen})
            self._apply_selection()
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            self.backend.close()
            raise
        self.observation, self.reward = ObservationView(self), RewardView(self)

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 # attributes of any type
        """Refuse an assignment that chooses a space in other libraries, and would do nothing here.

        Raises:
            InvalidInput: A space is assigned by its name.
        """
        refuse_choice(name, value)
        super().__setattr__(name, value)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode, in a process that has no other one.

        Args:
            seed: Seeds ``np_random``; the compiler itself has no randomness.
            options: See the class.

        Returns:
            The first observation, None if there is no observation space, and an info dict with
            ``benchmark``. If the reward cannot be computed for this program, its ``reward_error`` says why,
            and ``step()`` raises this error.

        Raises:
            ValueUnavailable: The observation cannot be computed within its limits.
            InvalidInput: The seed or an option is wrong, or the program unreadable.
            ServiceError: The compiler cannot be started or crashed on the unoptimised program.

        After an error the previous settings stay in force, and the present episode goes on if its sessions
        run in processes started by this one.
        """
        self._check_usable()
        self.finish()
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
        if session.new_action_space is not None:
            self.action_space = session.new_action_space
        info = {"benchmark": benchmark.uri}
        if self._episode is not None and self._episode.missing is not None:
            info["reward_error"] = str(self._episode.missing)
        return observation, info

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
            ValueUnavailable: A value that this step names cannot be computed within its limits; as
                ``InvalidAnswer``. For one of the spaces in force the episode ends instead. Without the
                reward's baselines nothing has changed.
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
        begun: list[Any] = []
        if (episode := self._episode) is not None and episode.begun:
            begun, episode.begun = episode.begun, []
        episode = self._running()
        checked = check_actions(self.action_space, actions, lambda: self.action_table)
        is_begun = bool(begun) and begun == checked and observation_spaces is None is reward_spaces
        requested = self._requested(episode, observation_spaces, reward_spaces)
        try:
            session = episode.observer.session
            outcome = session.finish() if is_begun else session.step(checked, requested.needs)
        except InvalidInput as error:
            if not checked:
                raise  # it is about an observation
            raise InvalidAction(error.message, field="action", value=checked, remedy=error.remedy) from error
        except ServiceError as error:
            if requested.is_lack_of_named(error):
                raise
            return self._fail_step(episode, checked, error, requested)
        episode.actions.extend(checked)
        episode.terminated = outcome.end_of_session
        if outcome.new_action_space is not None:
            self.action_space = outcome.new_action_space
        return self._read_step(episode, outcome, requested)

    def begin(self, action: Any) -> bool:  # noqa: ANN401 # whatever the action space holds
        """Have the compiler begin a usual step, so that several environments work at once.

        The environment's next call must be ``step()`` with the same action, or :meth:`finish`.

        Returns:
            Whether it has begun; else nothing has happened, and ``step()`` does it all.
        """
        episode = self._episode
        if episode is None or self._closed or episode.begun or episode.error or episode.terminated:
            return False
        try:
            checked = check_actions(self.action_space, [action], lambda: self.action_table)
            requested = self._requested(episode, None, None)
        except OptArenaError:
            return False
        if not episode.session.begin(checked, requested.needs):
            return False
        episode.begun = checked
        return True

    def finish(self) -> None:
        """Wait for a step that was begun, if ``step()`` was not called for it; what it gives is lost."""
        if self._episode is not None and self._episode.begun:
            with contextlib.suppress(OptArenaError):
                self.multistep(self._episode.begun)

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
        before, first = requested.meter_positions(), len(episode.actions)
        episode.actions.extend(checked[: len(outcomes)])  # whatever happens while their values are read
        for outcome in outcomes:
            episode.terminated = outcome.end_of_session
            if outcome.new_action_space is not None:
                self.action_space = outcome.new_action_space
        taken: list[Step] = []
        try:
            for outcome in outcomes:
                taken.append(self._read_step(episode, outcome, requested))
                if episode.error is not None:
                    del episode.actions[first + len(taken) :]  # there is no step for these
                    return taken
        except BaseException:  # an interrupt, too
            requested.update_costs(outcomes[-1])
            requested.rewind_meters(before)  # nobody gets the rewards of the other steps
            if error is not None:
                self._fail_step(episode, [checked[len(outcomes)]], as_failure(error), requested)
            raise
        if error is not None:
            taken.append(self._fail_step(episode, [checked[len(outcomes)]], as_failure(error), requested))
        return taken

    def _read_step(self, episode: Episode, outcome: StepOutcome, requested: RequestedSpaces) -> Step:
        # A value that ends the episode gives a failed step; InvalidAnswer, InvalidInput and DeviceUnavailable
        # are raised, and the episode goes on. So is ValueUnavailable, if the step named its value: an agent
        # that only steps cannot go on without one of the spaces in force.
        try:
            observation, reward = requested.read(outcome)
        except InvalidAnswer:
            raise
        except ValueUnavailable as error:
            if requested.is_lack_of_named(error):
                raise
            return self._fail_step(episode, [], error, requested, observed=[error.value])
        except ServiceError as error:
            return self._fail_step(episode, [], error, requested, observed=requested.derived)
        return observation, reward, outcome.end_of_session, False, outcome.info

    def _fail_step(
        self,
        episode: Episode,
        actions: Sequence[Any],
        error: ServiceError,
        requested: RequestedSpaces,
        *,
        observed: Sequence[str] | None = None,
    ) -> Step:
        # `actions` are those of the step that are not yet the episode's, `observed` what may have failed
        # after them: what the service observes if None.
        names = requested.needs if observed is None else observed
        details = failure_details(error, self.action_table, actions, len(episode.actions), names)
        episode.actions.extend(actions[: count_begun(error, actions)])
        self._abandon(episode, error)
        observation, reward = requested.fail()
        return observation, reward, True, False, failure_info(error, details)

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
        episode = self._running()
        checked = check_actions(self.action_space, peeked_actions(actions), lambda: self.action_table)
        imagined = episode.with_own_meters()
        requested = RequestedSpaces(self, imagined, observation_spaces, reward_spaces)
        try:
            outcomes = self._guarded(lambda: episode.session.look_ahead(checked, requested.needs))
        except InvalidInput as error:
            raise InvalidAction(error.message, field="action", value=checked, remedy=error.remedy) from error
        answers: list[Step] = []
        for action, outcome in zip(checked, outcomes, strict=True):
            requested = RequestedSpaces(self, imagined.with_own_meters(), observation_spaces, reward_spaces)
            answers.append(self._imagine_step(len(episode.actions), action, outcome, requested))
        return answers

    def peek_walks(
        self,
        walks: Iterable[Iterable[int]],
        *,
        observation_spaces: Sequence[str] | None = None,
        reward_spaces: Sequence[str] | None = None,
    ) -> list[list[Step] | None]:
        """What ``steps()`` would give for each of 1 to 2,000 walks; the episode stays as it is.

        As by ``peek()``, but only where the compiler's process can try actions in a way of its own.

        Returns:
            For each walk, whose actions are numbers, the steps of all its actions; None if it must be taken
            (by ``steps()`` of a fork) to find out, as when the compiler fails.

        Raises:
            InvalidAction: There are no walks or too many, or an action is not in the action space.
            UnknownName: There is no such observation or reward space.
            ResetNeeded: No episode is running.
            ServiceError: The session's process is gone; the episode is over.
        """
        episode = self._running()
        checked = [check_actions(self.action_space, walk) for walk in peeked_actions(walks)]
        spaces = observation_spaces, reward_spaces
        needs = RequestedSpaces(self, episode.with_own_meters(), *spaces).needs
        if not all(checked):
            raise InvalidAction("A walk has no action.", field="walks", remedy="Give at least one for each.")
        told = self._guarded(lambda: episode.session.try_walks(checked, needs))
        answers: list[list[Step] | None] = []
        for outcomes in told:
            if outcomes is None:
                answers.append(None)
                continue
            requested = RequestedSpaces(self, episode.with_own_meters(), *spaces)
            answers.append(
                [
                    (*requested.read(outcome), outcome.end_of_session, False, outcome.info)
                    for outcome in outcomes
                ]
            )
        return answers

    def _imagine_step(
        self,
        position: int,
        action: Any,  # noqa: ANN401 # of any action space
        outcome: StepOutcome | ServiceError,
        requested: RequestedSpaces,
    ) -> Step:
        # A copy tried the action; if it failed, the episode goes on all the same.
        if isinstance(outcome, ServiceError):
            error, suspects, observed = outcome, [action], requested.needs
        else:
            try:
                observation, reward = requested.read(outcome)
            except ServiceError as raised:
                by_service = isinstance(raised, InvalidAnswer)
                error, suspects = raised, []
                observed = requested.needs if by_service else requested.derived
            else:
                return observation, reward, outcome.end_of_session, False, outcome.info
        details = failure_details(error, self.action_table, suspects, position, observed)
        observation, reward = requested.fail()
        return observation, reward, True, False, failure_info(error, details)

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which actions would change something now: one flag for each, by ``peek``.

        ``MaskablePPO`` of sb3-contrib asks for it before each step. An action that would fail, or that the
        compiler refuses in this state, is not allowed.

        Raises:
            InvalidInput: Actions are not single numbers.
            ResetNeeded, ServiceError: As ``peek()``.
        """
        space = self.action_space
        if not isinstance(space, gymnasium.spaces.Discrete):
            message = f"{self.action_space_name} has actions of several parts, which have no mask."
            remedy = "Reset with an action space whose actions are single numbers."
            raise InvalidInput(message, field="action_space", value=self.action_space_name, remedy=remedy)
        return np.array(self._mask_of(range(int(space.n))), dtype=np.bool_)

    def _mask_of(self, actions: Sequence[int]) -> list[bool]:
        try:
            looked = self.peek(actions, observation_spaces=[], reward_spaces=[])
        except InvalidAction:  # one is refused, and all that were asked for with it; or they are too many
            half = len(actions) // 2
            return [*self._mask_of(actions[:half]), *self._mask_of(actions[half:])] if half else [False]
        return [not info["action_had_no_effect"] and "error_type" not in info for *_, info in looked]

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
            InvalidInput: It is not a state, or its benchmark cannot be used.
        """
        options, actions = start_of(state, self)
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

    def plot(self, *, cost: str | None = None) -> Chart:
        """The cost after each action of this episode, as a figure of ``optarena.plots``; notebooks show it.

        The episode stays as it is: its actions are applied again in a copy.

        Args:
            cost: The observation space of the cost; that of the reward if None.

        Raises:
            ToolMissing: matplotlib is not installed: ``pip install 'optarena[plot]'``.
            InvalidInput: The environment has no cost, or ``cost`` is not a single number.
            UnknownName: There is no such observation.
            ResetNeeded: There was no episode yet.
        """
        from optarena.plots import walk  # noqa: PLC0415 # an extra, which drives environments

        return walk(self, cost=cost)

    def render(self) -> str | None:
        """The state of the episode as text, if the render mode is ``ansi``; else None, with a warning."""
        if self.render_mode not in self.metadata["render_modes"]:
            given = (
                "without a render mode" if self.render_mode is None else f"in mode {self.render_mode!r:.100}"
            )
            gymnasium.logger.warn(f'render() was called {given}: make(…, render_mode="ansi").')
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

    def __exit__(self, *args: object) -> Literal[False]:  # a type checker knows that errors come through
        self.close()
        return False

    def __repr__(self) -> str:
        return str(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A fork; without a running episode, another environment with the same settings."""
        self._check_usable()
        episode = self._episode
        return self._twin(_episode=None) if episode is None or episode.terminated else self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        """How to make this environment again, in the same state, in any process."""
        return reduce_env(self)

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
        self._selection = self._updated({"benchmark": benchmark})

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

    def _count_taken(self) -> int:
        return len(self._episode.actions) if self._episode else 0

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
        return self._any().session.sandbox

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
        with locate_failure(f"In {name}"):
            return self._guarded(lambda: episode.observer.view(name, cpu_seconds=cpu_seconds))

    def read_reward(self, name: str) -> float:
        """The reward of this name since its last reading; see ``reward``."""
        episode = self._alive()
        with locate_failure(f"In {name}"):
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

    def _program_text(self) -> str:
        # For `render()`; a compiler's own environment defines it.
        return ""

    def _select(self, selection: Selection, benchmark: Benchmark) -> tuple[SessionClient, Any]:
        # An unusable selection changes nothing.
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
        selection = self._selection
        with locate_failure(f"In the start of {benchmark.uri}"):
            session = SessionClient.start(self.backend, benchmark, action_space=selection.action_space)
        try:
            self._send_kept(session)
            # A confined session computes anew what this machine knows of the environment's own compiler.
            is_known = self.backend.session_type == self.environment.service and not self.is_sandboxed
            known = KnownBaselines(self.environment) if is_known else None
            observer = Observer(session, self.observations, self, known)
            spec = self.environment.reward(selection.reward_space) if selection.reward_space else None
            meter, missing = None, None
            with locate_failure(f"In the baselines of {benchmark.uri} for {selection.reward_space}"):
                try:
                    meter = begin_meter(spec, benchmark, observer) if spec else None
                except ValueUnavailable as error:
                    missing = error.of_reward(str(selection.reward_space))
            with locate_failure(f"In {selection.observation_space} of {benchmark.uri}"):
                name, observation = selection.observation_space, None
                if name is not None:
                    outcome = session.first_look(self.observations.needs((name,)))
                    observation = self.observations[name].member_in(outcome, self)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            session.close()
            raise
        kept = [(0, key, value) for key, value in self._kept.items()]
        self._episode = Episode(
            observer=observer, benchmark=benchmark, meter=meter, missing=missing, parameters=kept
        )
        return session, observation

    def _send_kept(self, session: SessionClient) -> None:
        for key, value in self._kept.items():
            try:
                session.parameter(key, value)
            except InvalidInput as error:
                self._kept = {name: kept for name, kept in self._kept.items() if name != key}
                message = f"The kept parameter {key!r:.100} with the value {value!r:.100}: {error.message}"
                remedy = "It is no longer kept. Correct it, or call reset() to go on without it."
                raise InvalidInput(message, field="key", value=key, remedy=remedy) from error

    def _updated(self, options: dict[str, Any] | None) -> Selection:
        return self._selection.updated(options, self.environment, self.service, self.observations)

    def _twin(self, **changes: Any) -> Self:  # noqa: ANN401 # attributes of any type
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.backend = self.backend.retain()
        twin.action_space = copy.deepcopy(self.action_space)
        twin.observation_space = copy.deepcopy(self.observation_space)
        twin._np_random = copy.deepcopy(self._np_random)  # of the same class
        twin.__dict__.update(changes)
        twin.observation, twin.reward = ObservationView(twin), RewardView(twin)
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
            reason = str(episode.error).rstrip(".")
            raise ResetNeeded(f"The episode ended in an error: {reason}. Call reset() to start another.")
        if episode.begun:
            message = "A step of this environment is under way."
            raise InvalidInput(message, field="begin", remedy="Call step() for it, or finish(), before this.")
        return episode

    def _running(self) -> Episode:
        episode = self._episode
        is_mine = not self._closed and self._owner == os.getpid()
        if episode is None or not is_mine or episode.begun or episode.error is not None or episode.terminated:
            self._alive()  # raises if the episode is not just over
            raise ResetNeeded("The episode is over: call reset() to start another.")
        return episode

    def _requested(
        self, episode: Episode, observation_spaces: Sequence[str] | None, reward_spaces: Sequence[str] | None
    ) -> RequestedSpaces:
        if observation_spaces is not None or reward_spaces is not None:
            return RequestedSpaces(self, episode, observation_spaces, reward_spaces)
        if episode.in_force is None:
            episode.in_force = RequestedSpaces(self, episode, None, None)
        return episode.in_force

    def _guarded(self, call: Callable[[], T]) -> T:
        # Outside of `step()` failures can only be raised. A session that gives an answer which cannot be read
        # is still there, and so is the episode; the same is true if this process has nothing left of what a
        # copy needs.
        try:
            return call()
        except (InvalidAnswer, ValueUnavailable):
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
