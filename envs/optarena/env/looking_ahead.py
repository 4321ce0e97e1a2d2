"""What single actions would give, without taking them: the answers of ``CompilerEnv.peek``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena import limits
from optarena.env.failures import failure_details, failure_info
from optarena.env.requested_spaces import RequestedSpaces
from optarena.env.spaces import check_actions, listed_actions
from optarena.errors import InvalidAction, InvalidAnswer, InvalidInput, ServiceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optarena.env.episode import Episode
    from optarena.env.episodic_env import EpisodicEnv
    from optarena.env.session_client import StepOutcome

Step = tuple[Any, Any, bool, bool, dict[str, Any]]


def peek(
    env: EpisodicEnv,
    episode: Episode,
    actions: Iterable[Any],
    observation_spaces: Sequence[str] | None,
    reward_spaces: Sequence[str] | None,
) -> list[Step]:
    """See ``CompilerEnv.peek``."""
    checked = check_actions(env.action_space, peeked_actions(actions), lambda: env.action_table)
    imagined = episode.imagined()
    requested = RequestedSpaces(env, imagined, observation_spaces, reward_spaces)
    try:
        outcomes = env._guarded(lambda: episode.session.look_ahead(checked, requested.needs))  # noqa: SLF001 # of this module
    except InvalidInput as error:
        raise InvalidAction(error.message, field="action", value=checked, remedy=error.remedy) from error
    return [
        _step(env, imagined.imagined(), action, outcome, observation_spaces, reward_spaces)
        for action, outcome in zip(checked, outcomes, strict=True)
    ]


def peeked_actions(actions: Iterable[Any]) -> list[Any]:
    """The actions to look at.

    Raises:
        InvalidAction: They are not a list, or there are none or too many.
    """
    listed = listed_actions(actions)
    if not 0 < len(listed) <= limits.MAX_PEEKED_ACTIONS:
        raise InvalidAction(
            f"There are {len(listed)} actions to look at.",
            field="actions",
            value=len(listed),
            remedy=f"Give between 1 and {limits.MAX_PEEKED_ACTIONS} actions.",
        )
    return listed


def _step(  # noqa: PLR0913, PLR0917 # the arguments of the call, and one action's answer
    env: EpisodicEnv,
    episode: Episode,
    action: Any,  # noqa: ANN401 # of any action space
    outcome: StepOutcome | ServiceError,
    observation_spaces: Sequence[str] | None,
    reward_spaces: Sequence[str] | None,
) -> Step:
    requested = RequestedSpaces(env, episode, observation_spaces, reward_spaces)
    suspects = [action]
    try:
        known = _known(outcome)
        suspects = []
        observation, reward = requested.read(known)
    except ServiceError as error:
        by_service = suspects or isinstance(error, InvalidAnswer)
        observed = requested.needs if by_service else requested.derived
        details = failure_details(error, env.action_table, suspects, len(episode.actions), observed)
        observation, reward = requested.failed()
        return observation, reward, True, False, failure_info(error, details)
    return observation, reward, known.end_of_session, False, known.info


def _known(outcome: StepOutcome | ServiceError) -> StepOutcome:
    if isinstance(outcome, ServiceError):
        raise outcome
    return outcome
