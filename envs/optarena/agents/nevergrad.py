"""The agent ``nevergrad``: an optimiser that knows nothing of compilers, begun at the known list.

A sequence is a row of whole numbers, each an action or none. Nevergrad is by Rapin and Teytaud (2018,
"Nevergrad: A gradient-free optimization platform"); it needs the extra ``nevergrad``.
"""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.agents.lists import improvements
from optarena.errors import ToolMissing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome, Sequence
    from optarena.agents.protocol import Agent

OPTIMISERS: Final = ("PortfolioDiscreteOnePlusOne", "DiscreteOnePlusOne", "NGOpt")
"""Those that do well on rows of numbers without an order, the default first."""
_BATCH: Final = 4
_MOST: Final = 10_000
"""What an optimiser plans for where the budget is a time."""
_WORST: Final = 10.0
"""A sequence that failed counts as so many times the program as given."""


def optimised(starts: Iterable[Sequence], *, optimiser: str, length: int) -> Agent:
    """The agent.

    Args:
        starts: Sequences to begin with; the best one is changed.
        optimiser: The name of one of ``OPTIMISERS``.
        length: The most actions of a sequence.

    Raises:
        ToolMissing: Nevergrad is not installed.
    """
    nevergrad, known = _installed(), tuple(starts)

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        for best in improvements(evaluator, budget, known):  # the last one counts
            yield best
        if not budget.left:
            return
        none = len(evaluator.names)
        row = np.full(length, float(none))
        actions = best.effective[:length]
        row[: len(actions)] = actions
        numbers = nevergrad.p.Array(init=row, lower=0, upper=none).set_integer_casting()
        numbers.random_state = np.random.RandomState(int(rng.integers(2**31)))
        asked = nevergrad.optimizers.registry[optimiser](numbers, min(budget.left, _MOST), num_workers=_BATCH)
        while budget.left:
            candidates = [asked.ask() for _ in range(min(_BATCH, budget.left))]
            sequences = [[int(one) for one in each.value if one < none] for each in candidates]
            for candidate, outcome in zip(candidates, evaluator.evaluate(sequences), strict=False):
                asked.tell(candidate, _finite(outcome.loss, evaluator.start.loss))
                if outcome.loss < best.loss:
                    best = outcome
                    yield best

    return search


def _finite(loss: float, start: float) -> float:
    return start + _WORST * abs(start) if math.isinf(loss) else loss


def _installed() -> Any:  # noqa: ANN401 # Nevergrad is optional
    try:
        return importlib.import_module("nevergrad")
    except ImportError as error:
        message, remedy = "Nevergrad is not installed.", 'pip install "optarena[nevergrad]"'
        raise ToolMissing(message, field="nevergrad", value="nevergrad", remedy=remedy) from error
