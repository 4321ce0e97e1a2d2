"""The observations and rewards requested of one step, and reading them from the service's reply."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from optarena.env.observations import listed
from optarena.errors import OptArenaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.env.episode import Episode, RewardMeter
    from optarena.env.episodic_env import EpisodicEnv
    from optarena.env.session_client import StepOutcome


class RequestedSpaces:
    """The observations and rewards of one step: those in force, or lists of those that were named."""

    def __init__(
        self,
        env: EpisodicEnv,
        episode: Episode,
        observation_spaces: Sequence[str] | None,
        reward_spaces: Sequence[str] | None,
    ) -> None:
        self._env = env
        self._episode = episode
        self._is_listed = observation_spaces is not None
        if observation_spaces is None:
            name = env.observation_space_name
            self.observations = [] if name is None else [name]
        else:
            names = listed("observation_spaces", observation_spaces)
            self.observations = [env.observations[name].name for name in names]
        self._meters = [] if episode.meter is None else [episode.meter]
        self._silent: list[RewardMeter] = []
        self._names = None
        if reward_spaces is not None:
            self._names = listed("reward_spaces", reward_spaces)
            named = {meter.spec.name: meter for meter in map(self._meter, self._names)}
            self._silent = [meter for meter in self._meters if meter not in named.values()]
            self._meters = list(named.values())
        # The reward in force is kept up to date, so that the episode's reward is that of all its actions;
        # but no program is run for a reward that was not requested.
        self._seen = [meter for meter in self._silent if meter.spec.deterministic]

    @property
    def needs(self) -> Sequence[str]:
        """What the service must observe for them."""
        return self._env.observations.needs(self._names_read)

    @property
    def derived(self) -> Sequence[str]:
        """Those of them that the client derives, each once."""
        is_derived = self._env.observations.is_derived
        return [name for name in dict.fromkeys(self._names_read) if is_derived(name)]

    @property
    def _names_read(self) -> list[str]:
        costs = [meter.spec.cost for meter in (*self._meters, *self._seen)]
        return [*self.observations, *costs]

    def read(self, outcome: StepOutcome) -> tuple[Any, Any]:
        """The observation and the reward of a step that was taken, or lists of them.

        Raises:
            InvalidAnswer: The value of an observation or of a cost cannot be decoded.
            InvalidInput: One of them does not exist for this program.
            DeviceUnavailable: What one of them is measured on cannot be used now.
            ServiceError: A derived one cannot be computed.

        Then no reward has been given: what the actions earned is part of the next one.
        """
        there, observer = self._env.observations, self._episode.observer
        try:
            values = [there.member(name, outcome, self._env) for name in self.observations]
            costs = [meter.cost_in(outcome, observer) for meter in self._meters]
            for meter in self._seen:
                meter.latest = meter.cost_in(outcome, observer)
        except BaseException:  # an interrupt, too
            self.see(outcome)
            raise
        rewards = [self._given(meter, cost) for meter, cost in zip(self._meters, costs, strict=True)]
        return self._told(values, rewards)

    def see(self, outcome: StepOutcome) -> None:
        """Take note of the costs that can be read; their rewards are not given now."""
        for meter in (*self._meters, *self._seen):
            if meter.spec.deterministic:
                with suppress(OptArenaError):
                    meter.latest = meter.cost_in(outcome, self._episode.observer)

    def reading(self) -> list[tuple[float, float]]:
        """Up to where the rewards have been given, for :meth:`read_again`."""
        return [(meter.cost, meter.named) for meter in self._meters]

    def read_again(self, reading: list[tuple[float, float]]) -> None:
        """Take back the rewards since a reading: they are part of the next ones."""
        for meter, (cost, named) in zip(self._meters, reading, strict=True):
            meter.cost, meter.named = cost, named

    def failed(self) -> tuple[Any, Any]:
        """The observation and the reward of a step that ended the episode: defaults, and penalties."""
        for meter in self._silent:
            meter.fail()
        values = [self._env.observations[name].default for name in self.observations]
        return self._told(values, [meter.fail() for meter in self._meters])

    def _told(self, values: list[Any], rewards: list[float]) -> tuple[Any, Any]:
        observation = values if self._is_listed else values[0] if values else None
        if self._names is None:
            return observation, rewards[0] if rewards else 0.0
        by_name = dict(zip(dict.fromkeys(self._names), rewards, strict=True))  # a name may be there twice
        return observation, [by_name[name] for name in self._names]

    def _given(self, meter: RewardMeter, cost: float) -> float:
        reward = meter.read(cost)
        if self._names is not None:
            meter.named += reward
        return reward

    def _meter(self, name: str) -> RewardMeter:
        spec = self._env.environment.reward(name)
        meter = self._episode.meter
        if meter is not None and meter.spec == spec:
            return meter
        return self._env._guarded(lambda: self._episode.reading(name, self._env.environment.rewards))  # noqa: SLF001 # of this module
