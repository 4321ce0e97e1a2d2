"""The agent ``genetic``: a pool of good sequences, which are joined with each other and changed.

A child is the beginning of one sequence of the pool and the end of another, or one of them alone. Most are
then changed as local search changes sequences. Parents are the better of two that are drawn. Orders of passes
were first searched so by Cooper et al. (1999, "Optimizing for reduced code space using genetic algorithms").
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from optarena.agents.local import Changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome, Sequence
    from optarena.agents.protocol import Agent

_BATCH: Final = 4
_START_SHARE: Final = 0.4
"""The part of the budget that may be spent on known sequences."""
_JOINED: Final = 0.6
"""The probability of a child of two sequences."""
_SAME_PLACE: Final = 0.3
"""The probability that both are cut at the same place, so that the child is no longer than its parents."""
_CHANGED: Final = 0.7
"""The probability that a child of two sequences is changed; another one always is."""


def genetic(starts: Iterable[Sequence], found: Iterable[Sequence] = (), *, size: int = 16) -> Agent:
    """The agent.

    Args:
        starts: Sequences to try first, the most promising first.
        found: Sequences that were found on other programs; they are tried after the others.
        size: How many sequences the pool keeps.
    """
    known = tuple(dict.fromkeys((*starts, *found)))

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        changes = Changes(rng, len(evaluator.names), known)
        pool, best = _Pool(rng, size, evaluator.start), evaluator.start
        first = budget.part(_START_SHARE) if budget.is_timed else budget
        waiting = list(known[: max(1, int(_START_SHARE * min(budget.left, len(known) / _START_SHARE)))])
        while budget.left:
            if waiting and first.left:
                tried, waiting = waiting[:_BATCH], waiting[_BATCH:]
            else:
                tried = [pool.child(changes) for _ in range(_BATCH)]
            for outcome in evaluator.evaluate(tried):
                pool.add(outcome)
                if outcome.loss < best.loss:
                    changes.succeeded(best.effective, outcome.effective)
                    best = outcome
                    yield best

    return search


class _Pool:
    """The best sequences so far, by their effective actions.

    Args:
        rng: Makes all choices.
        size: How many there may be.
        start: The outcome of no action, the first of them.
    """

    def __init__(self, rng: np.random.Generator, size: int, start: SearchOutcome) -> None:
        self._rng = rng
        self._size = size
        self._kept: dict[Sequence, SearchOutcome] = {start.effective: start}

    def add(self, outcome: SearchOutcome) -> None:
        """Keep a sequence if it is among the best; of equally good ones, the shorter."""
        if math.isfinite(outcome.loss):
            self._kept.setdefault(outcome.effective, outcome)
        if len(self._kept) > self._size:
            del self._kept[max(self._kept, key=lambda one: (self._kept[one].loss, len(one)))]

    def child(self, changes: Changes) -> Sequence:
        """A sequence that differs from those of the pool, unless chance makes one again."""
        first, second = self._parent(), self._parent()
        made = first
        if self._rng.random() < _JOINED:
            end = int(self._rng.integers(len(first) + 1))
            begin = int(self._rng.integers(len(second) + 1))
            if self._rng.random() < _SAME_PLACE:
                begin = min(end, len(second))
            made = first[:end] + second[begin:]
        if made == first or self._rng.random() < _CHANGED:
            [made] = changes.candidates(made, 1)
        return made

    def _parent(self) -> Sequence:
        """The better of two that are drawn."""
        drawn = self._rng.integers(len(self._kept), size=2).tolist()
        sequences = list(self._kept)
        return min((sequences[one] for one in drawn), key=lambda one: self._kept[one].loss)
