"""An agent of one's own: simulated annealing, which takes steps that are worse less and less often.

    PYTHONPATH=examples/agents optarena search annealing:search --dataset kernels-v0 --evaluations 200

An agent is a generator: it evaluates sequences until the budget is used up, and yields each outcome that is
better than those before. The command does the rest: the table, the results, the report, and going on after an
interruption. With the same seed and number of evaluations it must find the same, so it asks for nothing but
the generator of random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from optarena.agents import Budget, Evaluator, SearchOutcome

HOT, COLD = 0.03, 0.0005
"""How much worse, as a share of the cost, a step may be to be taken in one of three cases: first and last."""


def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
    """Change the present sequence at one place, and take the change if it is good, or by chance."""
    present = best = evaluator.start
    total = budget.left
    while budget.left:
        temperature = HOT * (COLD / HOT) ** (1 - budget.left / total)
        for outcome in evaluator.evaluate([changed(present.effective, len(evaluator.names), rng)]):
            worse = (outcome.loss - present.loss) / abs(present.loss)
            if worse <= 0 or rng.random() < math.exp(-worse / temperature):
                present = outcome
            if outcome.loss < best.loss:
                best = outcome
                yield best


def changed(actions: tuple[int, ...], size: int, rng: np.random.Generator) -> list[int]:
    """A sequence with another action at a random place, in the place of one that was there or beside it."""
    place = int(rng.integers(len(actions) + 1))
    rest = place + int(rng.integers(2))
    return [*actions[:place], int(rng.integers(size)), *actions[rest:]]
