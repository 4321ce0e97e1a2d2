"""The end of every search: the result with fewer actions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome


def minimise(evaluator: Evaluator, best: SearchOutcome, *, most: int | None = None) -> SearchOutcome:
    """Leave out actions one by one, the last first, as long as the result does not get worse.

    Takes at most one evaluation for each action and one more, and no more than the budget has. Of results
    with equal losses boards put the earlier one first, and people read the shorter one.

    Args:
        evaluator: The evaluator of the program; its budget is spent.
        best: The outcome to begin with.
        most: The most evaluations that may be spent; as many as the budget has if None.

    Returns:
        An outcome that is at least as good, all of whose actions had an effect or were not tried; ``best``
        itself if it is worth nothing, since every other sequence would be as good.
    """
    budget = evaluator.budget
    last = budget.spent + (budget.left if most is None else most)
    kept = best
    if budget.spent >= last or math.isinf(best.loss):
        return kept
    for outcome in evaluator.evaluate([best.effective]):
        kept = outcome if outcome.loss <= best.loss else best
    position = kept.length - 1
    while position >= 0 and budget.left and budget.spent < last:
        actions = kept.prefix
        for outcome in evaluator.evaluate([actions[:position] + actions[position + 1 :]]):
            if outcome.loss <= kept.loss:
                kept = outcome
        position = min(position, kept.length) - 1
    return kept
