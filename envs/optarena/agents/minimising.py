"""The end of every search: the result with fewer actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import Outcome


def minimise(evaluator: Evaluator, best: Outcome) -> Outcome:
    """Leave out actions one by one, the last first, as long as the result does not get worse.

    Takes at most one evaluation for each action and one more, and no more than the budget has. Of results
    with equal losses boards put the earlier one first, and people read the shorter one.

    Args:
        evaluator: The evaluator of the program; its budget is spent.
        best: The outcome to begin with.

    Returns:
        An outcome that is at least as good, all of whose actions had an effect or were not tried.
    """
    kept = best
    for outcome in evaluator.evaluate([best.effective]):
        kept = outcome if outcome.loss <= best.loss else best
    position = kept.length - 1
    while position >= 0 and evaluator.budget.left:
        actions = kept.prefix
        for outcome in evaluator.evaluate([actions[:position] + actions[position + 1 :]]):
            if outcome.loss <= kept.loss:
                kept = outcome
        position = min(position, kept.length) - 1
    return kept
