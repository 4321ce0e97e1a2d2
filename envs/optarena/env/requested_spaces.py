"""The observations and rewards requested of one step, and reading them from the service's reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.env.observations import listed

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
        self._listed = observation_spaces is not None, reward_spaces is not None
        in_force = env.observation_space_name
        if observation_spaces is None:
            self.observations = [] if in_force is None else [in_force]
        else:
            names = listed("observation_spaces", observation_spaces)
            self.observations = [env.observations[name].name for name in names]
        self._meters = [] if episode.meter is None else [episode.meter]
        self._silent = []
        if reward_spaces is not None:
            self._meters = [self._meter(name) for name in listed("reward_spaces", reward_spaces)]
            self._silent = [meter for meter in (episode.meter,) if meter and meter not in self._meters]

    @property
    def needs(self) -> Sequence[str]:
        """What the service must observe for them."""
        # The reward in force is kept up to date, so that the episode's reward is that of all its actions;
        # but no program is run for a reward that was not requested.
        seen = [meter for meter in self._silent if meter.spec.deterministic]
        costs = [meter.spec.cost for meter in (*self._meters, *seen)]
        return self._env.observations.needs([*self.observations, *costs])

    def observed(self, outcome: StepOutcome | None) -> Any:  # noqa: ANN401 # of any space
        """The observation, or the list of them; the defaults after a failure."""
        there = self._env.observations
        values = [
            there[name].default if outcome is None else there.member(name, outcome, self._env)
            for name in self.observations
        ]
        return values if self._listed[0] else values[0] if values else None

    def earned(self, outcome: StepOutcome | None) -> Any:  # noqa: ANN401 # a float or a list of floats
        """The reward, or the list of them."""
        for meter in self._silent:
            if outcome is None:
                meter.fail()
            elif meter.spec.deterministic:
                meter.see_outcome(outcome, self._episode.observer)
        earned: dict[str, float] = {}  # a name may be there twice, and is read once
        for meter in self._meters:
            if meter.spec.name not in earned:
                earned[meter.spec.name] = self._read(meter, outcome)
        values = [earned[meter.spec.name] for meter in self._meters]
        return values if self._listed[1] else values[0] if values else 0.0

    def _read(self, meter: RewardMeter, outcome: StepOutcome | None) -> float:
        if outcome is None:
            return meter.fail()
        reward = meter.read_outcome(outcome, self._episode.observer)
        if self._listed[1]:
            meter.named += reward
        return reward

    def _meter(self, name: str) -> RewardMeter:
        spec = self._env.environment.reward(name)
        meter = self._episode.meter
        if meter is not None and meter.spec == spec:
            return meter
        return self._env._guarded(lambda: self._episode.reading(name, self._env.environment.rewards))  # noqa: SLF001 # of this module
