"""The agent ``random``: random walks, of each of which the best prefix counts.

It loses to the compiler's own level on programs whose functions ask for small code, since most actions of a
walk have no effect or add instructions. It is what other agents must be better than.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome
    from optarena.agents.protocol import Agent

_BATCH = 8


def random_walks(*, length: int = 80) -> Agent:
    """The agent.

    Args:
        length: The number of actions of a walk.
    """

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        while budget.left:
            walks = [rng.integers(len(evaluator.names), size=length).tolist() for _ in range(_BATCH)]
            for outcome in evaluator.evaluate(walks):
                if outcome.loss < best.loss:
                    best = outcome
                    yield best

    return search
