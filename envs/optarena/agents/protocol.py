"""What an agent is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from optarena.agents.outcomes import SearchOutcome

if TYPE_CHECKING:
    import numpy as np

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator

Agent: TypeAlias = Callable[["Evaluator", "Budget", "np.random.Generator"], Iterator[SearchOutcome]]
"""An agent: yields the outcomes that it found, each better than those before.

It evaluates sequences with ``evaluator.evaluate``, which spends the budget, until ``budget.left`` is 0 or it
knows no more to do. All its random choices come from the generator, and it must not depend on the time: then
the same seed and the same number of evaluations give the same outcomes.
"""
