"""What steps give once their actions were applied or failed, and what that changes in the episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.env.failures import as_failure, begun, failure_details, failure_info
from optarena.errors import InvalidAnswer, InvalidInput, ServiceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.env.episode import Episode
    from optarena.env.episodic_env import EpisodicEnv
    from optarena.env.requested_spaces import RequestedSpaces
    from optarena.env.session_client import StepOutcome

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
        InvalidAnswer, InvalidInput: A value cannot be had, see ``RequestedSpaces.read``; the episode goes on.
    """
    episode.actions.extend(actions)
    episode.terminated = outcome.end_of_session
    env._follow(outcome.new_action_space)  # noqa: SLF001 # of this module
    try:
        observation, reward = requested.read(outcome)
    except InvalidAnswer:
        raise
    except ServiceError as error:
        return failed(env, episode, [], error, requested)
    return observation, reward, episode.terminated, False, outcome.info


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
        InvalidAnswer, InvalidInput: A value cannot be had; all steps were taken, and what they earned is part
            of the next reward.
    """
    before = requested.reading()
    steps: list[Step] = []
    missing: list[InvalidAnswer | InvalidInput] = []
    for action, outcome in zip(actions, outcomes, strict=False):
        try:
            steps.append(taken(env, episode, [action], outcome, requested))
        except (InvalidAnswer, InvalidInput) as problem:
            missing.append(problem)
        if episode.terminated:
            break
    if error is not None and not episode.terminated:
        steps.append(failed(env, episode, [actions[len(outcomes)]], as_failure(error), requested))
    if missing:
        if episode.error is None:
            requested.read_again(before)  # nobody gets the rewards of the other steps
        raise missing[0]
    return steps


def failed(
    env: EpisodicEnv,
    episode: Episode,
    actions: Sequence[Any],
    error: ServiceError,
    requested: RequestedSpaces,
) -> Step:
    """The step in which an action failed, which ends the episode."""
    details = failure_details(error, env.action_table, actions, len(episode.actions), requested.needs)
    episode.actions.extend(actions[: begun(error, actions)])
    env._abandon(episode, error)  # noqa: SLF001 # of this module
    observation, reward = requested.failed()
    return observation, reward, True, False, failure_info(error, details)
