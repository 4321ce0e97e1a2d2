"""What an agent is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from optarena.agents.outcomes import SearchOutcome, Sequence

if TYPE_CHECKING:
    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator

Agent: TypeAlias = Callable[["Evaluator", "Budget", "np.random.Generator"], Iterator[SearchOutcome]]
"""An agent: yields the outcomes that it found, each better than those before.

It evaluates sequences with ``evaluator.evaluate``, which spends the budget, until ``budget.left`` is 0 or it
knows no more to do. All its random choices come from the generator, and it must not depend on the time: then
the same seed and the same number of evaluations give the same outcomes.
"""

Proposer: TypeAlias = Callable[["Evaluator", Sequence], list[np.ndarray[Any, np.dtype[np.float64]]]]
"""Gives probabilities of all actions for each place of a sequence: before its first action, between its
actions, and behind the last one. It spends one evaluation, and gives nothing if there is none left.
"""
