"""The steps of a replay: each action applied, and what the trace shows of the state after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.env.failures import action_name
from optarena.env.readings import plain_number, subject_name
from optarena.errors import InvalidInput, ServiceError
from optarena.replay_failures import failure_of, reporting
from optarena.specs.results import StateTrace, StepTrace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.actions import Action
    from optarena.env import CompilerEnv
    from optarena.env.compiler_env import Step
    from optarena.service.processes.memory import MemoryWatch


def state_of(env: CompilerEnv) -> StateTrace:
    """What the trace shows of the present state."""
    spec = env.environment
    return StateTrace(
        digest=str(env.observation[spec.digest_observation]),
        cost=plain_number(env.observation[spec.cost]) if spec.cost else None,
    )


def stepped(
    env: CompilerEnv, actions: Sequence[Action], initial: StateTrace, memory: MemoryWatch
) -> Iterator[StepTrace]:
    """Apply actions to an environment after ``reset()``, and tell of each.

    Where a trace has no costs, the actions are cheap, and one call applies all of them. If one fails then,
    they are applied one by one to the program as it was: this says which fails, and why.

    Raises:
        Failed: An action fails.
        ServiceError: The machinery does.
    """
    together = _together(env, actions, initial)
    if together is not None:
        yield from together
        return
    state = initial
    for index, action in enumerate(actions):
        what = f"step {index} ({action_name(env.action_table, action)})"
        with reporting(memory, index, what):
            about = subject_name(env, action)
            _, _, _, _, info = env.step(action)
        if env.error is not None:
            raise failure_of(env.error, memory, index, what)
        no_effect = bool(info["action_had_no_effect"])
        if not no_effect:
            with reporting(memory, index, what):
                state = state_of(env)
        yield _told(env, index, action, state, no_effect=no_effect, about=about)


def _together(env: CompilerEnv, actions: Sequence[Action], initial: StateTrace) -> Iterator[StepTrace] | None:
    """The steps of actions that one call applies; None if it must not, or something fails.

    Whatever fails, the environment is at the start of an episode again.
    """
    spec, table = env.environment, env.action_table
    if spec.traces_costs or hasattr(table, "subject"):
        return None
    try:
        steps = env.steps(actions, observation_spaces=[spec.digest_observation])
    except (InvalidInput, ServiceError, NotImplementedError):  # what ``reporting`` tells of, one by one
        steps = []
    is_over = env.error is not None or any(terminated for _, _, terminated, _, _ in steps)
    if is_over or len(steps) < len(actions):
        env.reset()
        return None
    return _told_together(env, actions, steps, initial)


def _told_together(
    env: CompilerEnv, actions: Sequence[Action], steps: Sequence[Step], initial: StateTrace
) -> Iterator[StepTrace]:
    state = initial
    for index, (action, (observation, _, _, _, info)) in enumerate(zip(actions, steps, strict=True)):
        no_effect = bool(info["action_had_no_effect"])
        if not no_effect:
            state = StateTrace(digest=str(observation[0]), cost=None)
        yield _told(env, index, action, state, no_effect=no_effect)


def _told(  # noqa: PLR0913 # all but the first four by keyword
    env: CompilerEnv,
    index: int,
    action: Action,
    state: StateTrace,
    *,
    no_effect: bool,
    about: str | None = None,
) -> StepTrace:
    return StepTrace(
        index=index,
        action=action,
        name=action_name(env.action_table, action),
        had_no_effect=no_effect,
        digest=state.digest,
        cost=state.cost,
        about=about,
    )
