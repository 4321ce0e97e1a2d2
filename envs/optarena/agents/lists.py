"""The agents ``oz-list`` and ``portfolio``: try known sequences, and keep the best.

A few sequences that are good on many programs, of which the best is taken for each, are what later work
agrees on: Huang et al. (2019, "AutoPhase") found that single sequences generalise, and Liang et al. (2023,
"Learning compiler pass orders using coreset and normalized value prediction") chose among a coreset of 50.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome, Sequence
    from optarena.agents.protocol import Agent

_BATCH = 4


def best_of(sequences: Iterable[Sequence]) -> Agent:
    """The agent that tries these sequences, as many as the budget allows.

    Args:
        sequences: The sequences, the most promising first.
    """
    known = tuple(dict.fromkeys(sequences))

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        del rng
        yield from improvements(evaluator, budget, known)

    return search


def improvements(
    evaluator: Evaluator, budget: Budget, sequences: Iterable[Sequence]
) -> Iterator[SearchOutcome]:
    """Evaluate sequences, some at a time; yields each outcome that is better than those before."""
    best, waiting = evaluator.start, list(sequences)
    while waiting and budget.left:
        for outcome in evaluator.evaluate(waiting[:_BATCH]):
            if outcome.loss < best.loss:
                best = outcome
                yield best
        del waiting[:_BATCH]
