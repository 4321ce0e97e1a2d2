"""What a replay reads of an environment: measured numbers, and what an action is about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.actions import Action
    from optarena.env.compiler_env import CompilerEnv


def plain_number(value: object) -> int | float:
    """A measured value as plain Python, which JSON and the database know.

    Raises:
        InvalidInput: It is not a single number: the environment names an observation of another type.
    """
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool) or not isinstance(plain, (int, float)):
        message = f"A cost or metric must be a number, not {type(value).__name__}."
        remedy = "Correct the observations that the environment's metrics name."
        raise InvalidInput(message, field="metrics", value=str(value)[:100], remedy=remedy)
    return plain


def subject_name(env: CompilerEnv, action: Action) -> str | None:
    """The name of what an action is about in the present state, such as a loop or a function.

    Returns:
        Empty if the program has no such thing, so that the action has no effect; None if the action names
        nothing of the program.

    Raises:
        ServiceError: The names could not be observed.
    """
    subject = getattr(env.action_table, "subject", None)
    found = subject(action) if subject else None
    if found is None:
        return None
    observation, row = found
    names = env.observation[observation]
    listed = json.loads(names) if isinstance(names, str) else names
    name = str(listed[row] or "")[: limits.SUBJECT_LENGTH] if row < len(listed) else ""
    # A name may have control characters, which no page should show.
    return name if is_printable(name) else ascii(name)[1:-1]
