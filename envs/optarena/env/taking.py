"""What steps give once their actions were applied or failed, and what that changes in the episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.env.failures import as_failure, begun, failure_details, failure_info
from optarena.errors import InvalidAnswer, ServiceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.env.episode import Episode
    from optarena.env.episodic_env import EpisodicEnv
    from optarena.env.requested_spaces import RequestedSpaces
    from optarena.env.session_client import StepOutcome
    from optarena.errors import InvalidInput

Step = tuple[Any, Any, bool, bool, dict[str, Any]]


def taken(
    env: EpisodicEnv,
    episode: Episode,
    actions: Sequence[Any],
    outcome: StepOutcome,
    requested: RequestedSpaces,
) -> Step:
    """The step in which actions were applied.

    Raises:
        InvalidAnswer, InvalidInput, DeviceUnavailable: A value cannot be had, see ``RequestedSpaces.read``;
            the episode goes on.
    """
    _applied(env, episode, actions, outcome)
    return _told(env, episode, outcome, requested)


def outcomes_taken(  # noqa: PLR0913, PLR0917 # the arguments of a step, and the answer to several
    env: EpisodicEnv,
    episode: Episode,
    actions: Sequence[Any],
    outcomes: Sequence[StepOutcome],
    error: ServiceError | InvalidInput | None,
    requested: RequestedSpaces,
) -> list[Step]:
    """The step of each action that was applied, and of the one that failed.

    Raises:
        InvalidAnswer, InvalidInput, DeviceUnavailable: A value cannot be had; all steps were taken, and what
            they earned is part of the next reward.
    """
    before, first = requested.reading(), len(episode.actions)
    for action, outcome in zip(actions, outcomes, strict=False):
        _applied(env, episode, [action], outcome)  # whatever happens while their values are read
    steps: list[Step] = []
    try:
        for outcome in outcomes:
            steps.append(_told(env, episode, outcome, requested))
            if episode.error is not None:
                del episode.actions[first + len(steps) :]  # there is no step for these
                return steps
    except BaseException:  # an interrupt, too
        requested.see(outcomes[-1])
        requested.read_again(before)  # nobody gets the rewards of the other steps
        if error is not None:
            failed(env, episode, [actions[len(outcomes)]], as_failure(error), requested)
        raise
    if error is not None:
        steps.append(failed(env, episode, [actions[len(outcomes)]], as_failure(error), requested))
    return steps


def _applied(env: EpisodicEnv, episode: Episode, actions: Sequence[Any], outcome: StepOutcome) -> None:
    """Note what the session has done; its values have not been read."""
    episode.actions.extend(actions)
    episode.terminated = outcome.end_of_session
    env._follow(outcome.new_action_space)  # noqa: SLF001 # of this module


def _told(env: EpisodicEnv, episode: Episode, outcome: StepOutcome, requested: RequestedSpaces) -> Step:
    """The step of actions that were applied, or a failed one if a value of theirs ends the episode."""
    try:
        observation, reward = requested.read(outcome)
    except InvalidAnswer:
        raise
    except ServiceError as error:
        return failed(env, episode, [], error, requested, observed=requested.derived)
    return observation, reward, outcome.end_of_session, False, outcome.info


def failed(  # noqa: PLR0913 # the last by keyword
    env: EpisodicEnv,
    episode: Episode,
    actions: Sequence[Any],
    error: ServiceError,
    requested: RequestedSpaces,
    *,
    observed: Sequence[str] | None = None,
) -> Step:
    """The step in which an action or an observation failed, which ends the episode.

    Args:
        env: The environment.
        episode: The episode.
        actions: Those of the step that are not yet the episode's.
        error: Why it failed.
        requested: What the step gives.
        observed: What may have failed after them; what the service observes if None.
    """
    names = requested.needs if observed is None else observed
    details = failure_details(error, env.action_table, actions, len(episode.actions), names)
    episode.actions.extend(actions[: begun(error, actions)])
    env._abandon(episode, error)  # noqa: SLF001 # of this module
    observation, reward = requested.failed()
    return observation, reward, True, False, failure_info(error, details)
