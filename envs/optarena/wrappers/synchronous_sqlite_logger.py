"""Writing every step to an SQLite database."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gymnasium.utils import RecordConstructorArgs

from optarena.errors import InvalidInput, OptArenaError, ServiceError
from optarena.wrappers.arguments import positive_integer
from optarena.wrappers.base import CompilerEnvWrapper
from optarena.wrappers.sqlite_tables import (
    Database,
    EpisodeRow,
    ObservationRow,
    StateRow,
    StepRow,
    json_text,
    sql_value,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class SynchronousSqliteLogger(CompilerEnvWrapper):
    """Writes episodes, steps, and the resulting states, with observations of each, to an SQLite database.

    Tables: ``Episodes``, ``Steps`` (step 0 is ``reset()``), ``States`` (each program once) and
    ``Observations`` (of each state once). ``state`` is the environment's digest of the program, which is read
    after each step that changed it. Values are numbers, texts and bytes, or JSON. A step that raises an error
    although its actions were applied has a row with the error and without a reward. A program that a
    parameter has changed has no row in ``States``, since no command line leads to it.

    Rows are kept in memory and written in one transaction: by ``flush()``, ``close()``, and when there are
    ``flush_every`` of them. Any number of processes may write to one file of a local disk. Each fork is an
    episode of its own, which names its parent.

    Args:
        env: The environment to wrap.
        database: Path of the file; made if it does not exist.
        observations: Names of what to observe of each new state.
        flush_every: The most rows to keep in memory.

    Raises:
        InvalidInput: The file cannot be used, or a number is out of range.
        UnknownName: There is no such observation.
        OptArenaError: From ``flush()`` and its callers: the rows cannot be written, and are kept.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        database: str | Path,
        observations: Sequence[str] = (),
        *,
        flush_every: int = 1000,
    ) -> None:
        if isinstance(observations, str) or not isinstance(observations, Iterable):
            message = f"observations is {observations!r:.100}."
            raise InvalidInput(
                message, field="observations", value=observations, remedy="Give a list of names."
            )
        RecordConstructorArgs.__init__(
            self, database=str(database), observations=list(observations), flush_every=flush_every
        )
        super().__init__(env)
        self._observed = tuple(self.observations[name].name for name in observations)
        self._flush_every = positive_integer("flush_every", flush_every)
        self._database = Database(Path(database).absolute())
        self._database.prepare()
        self._seen: set[str] = set()
        self._unwritten: EpisodeRow | None = None
        self._episode = ""
        self._step = 0
        self._state: str | None = None

    @property
    def episode(self) -> str:
        """The id of this episode in the database; empty before the first ``reset()``."""
        return self._episode

    def flush(self) -> None:
        """Write the rows that are kept in memory.

        Raises:
            OptArenaError: The database cannot be written; the rows are kept.
        """
        self._database.write()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode and log its first state; see ``CompilerEnv.reset``."""
        first = super().reset(seed=seed, options=options)
        self._begin(parent=None)
        self._state = None
        info: dict[str, Any] = {}
        try:
            self._state = self._look()
        except OptArenaError as error:
            info = _told(error)
            raise
        finally:
            self._log([], None, terminated=self.error is not None, truncated=False, info=info)
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions, which are logged as one step; see ``CompilerEnvWrapper``."""
        before = len(self.unwrapped.actions)
        try:
            step = super().multistep(actions, **spaces)
        except OptArenaError as error:
            if len(self.unwrapped.actions) > before:  # they were applied, but a value cannot be had
                self._log_step(before, (None, [], False, False, {}), error)
            raise
        unread = self._log_step(before, step)
        if unread is None:
            return step
        failure = _told(unread)
        if self.error is not unread:
            raise unread
        observation, reward, _, truncated, info = step
        return observation, reward, True, truncated, info | failure

    def peek(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> list[Step]:
        """What steps would give; nothing of it is logged. See ``CompilerEnv.peek``."""
        return self.env.peek(actions, **spaces)

    def close(self) -> None:
        """Write the rows kept in memory and end the session, even if that fails; may be called again."""
        try:
            self.flush()
        finally:
            super().close()

    def _log_step(self, before: int, step: Step, error: OptArenaError | None = None) -> OptArenaError | None:
        """Log a step, or the error that it raised; gives the error of reading the new state."""
        _, reward, terminated, truncated, info = step
        unread = None
        try:
            if self.error is not None:
                self._state = None
            elif self._state is None or not info.get("action_had_no_effect"):
                self._state = self._look()
        except OptArenaError as problem:
            self._state, unread = None, problem
        if (shown := error or unread) is not None:
            info = info | _told(shown)
        self._step += 1
        self._log(
            self.unwrapped.actions[before:],
            None if isinstance(reward, list) else float(reward),
            terminated=terminated or self.error is not None,
            truncated=truncated,
            info=info,
        )
        return unread

    def _look(self) -> str:
        """The digest of the present state; a new state is logged with its observations."""
        state = str(self.observe(self.environment.digest_observation))
        if state not in self._seen:
            there = {"environment": self.environment.id, "state": state}
            values = {name: sql_value(self.observe(name)) for name in self._observed}
            observed = (ObservationRow(**there, name=name, value=value) for name, value in values.items())
            self._database.rows += observed
            with suppress(InvalidInput):  # a parameter has changed the program: no command line leads here
                found = self.env.state
                row = StateRow(**there, benchmark=found.benchmark, commandline=found.commandline)
                self._database.rows.append(row)
                self._seen.add(state)  # else it is looked at again, as an episode of actions may lead here
        return state

    def _log(
        self,
        actions: list[Any],
        reward: float | None,
        *,
        terminated: bool,
        truncated: bool,
        info: dict[str, Any],
    ) -> None:
        row = StepRow(
            episode=self._episode,
            step=self._step,
            actions=json_text(actions),
            state=self._state,
            reward=reward,
            terminated=terminated,
            truncated=truncated,
            error_type=info.get("error_type"),
            error_details=info.get("error_details"),
            walltime=self.episode_walltime,
        )
        if self._unwritten is not None:
            self._database.rows.append(self._unwritten)
            self._unwritten = None
        self._database.rows.append(row)
        if len(self._database.rows) >= self._flush_every:
            self.flush()

    def _begin(self, parent: str | None) -> None:
        row = EpisodeRow(
            episode=uuid.uuid4().hex,
            parent=parent,
            parent_step=None if parent is None else self._step,
            environment=self.environment.id,
            benchmark=self.benchmark.uri,
            reward_space=self.reward_space_name,
            started=time.time(),
        )
        self._unwritten = row  # until the first step: many forks never have one
        self._episode = row.episode
        self._step = 0 if parent is None else self._step

    def on_fork(self) -> None:
        """Begin an episode that names its parent; see ``CompilerEnvWrapper``."""
        self._database = Database(self._database.path)
        self._seen = set(self._seen)
        if self._episode:
            self._begin(parent=self._episode)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.on_fork()  # the original writes its own rows


def _told(error: OptArenaError) -> dict[str, Any]:
    kind = error.error_type if isinstance(error, ServiceError) else ServiceError.error_type
    return {"error_type": kind, "error_details": str(error)}
