"""The agent ``local``: a local search around the best known sequence.

A candidate changes the present sequence by one insertion, replacement, deletion or move, by an action at its
end, or by a block of another good sequence. What was found on other programs is a source of blocks and of how
often actions are useful. The steps that are not worse are taken, so that the search crosses plateaus. From
time to time every action is tried at the end of the best sequence, which takes less than a tenth of the time
of as many other candidates: sessions look ahead without being copied.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from optarena.agents.lists import improvements
from optarena.agents.minimising import minimise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome, Sequence
    from optarena.agents.protocol import Agent, Proposer

_START_SHARE: Final = 0.4
"""The part of the budget that may be spent on known sequences."""
_SIDEWAYS: Final = 0.3
"""The probability of taking a step that changes nothing."""
_UNIFORM: Final = 0.15
"""The part of actions that are drawn with equal probabilities."""
_SUCCESS: Final = 2.0
"""What an action that was part of an improvement counts more, beside its occurrences in known sequences."""
_PROPOSED: Final = 0.5
"""The part of actions that are drawn as they are proposed, where there is a proposer."""
_TRIES: Final = 20
"""How many changes are drawn to find a candidate that was not tried lately."""
_PATIENCE: Final = 64
"""After so many candidates every action is tried at the end of the best sequence, if there is a new one."""
_REMEMBERED: Final = 4_000
_BLOCK: Final = (2, 6)
"""The lengths of blocks, the last one excluded."""


def local(
    starts: Iterable[Sequence],
    found: Iterable[Sequence] = (),
    *,
    batch: int = 4,
    tried: int | None = None,
    proposer: Proposer | None = None,
) -> Agent:
    """The agent.

    Args:
        starts: Sequences to try first, the most promising first.
        found: Sequences that were found on other programs; they are tried after the others.
        batch: How many candidates are evaluated at a time, whatever the number of processes.
        tried: How many sequences are tried at most before the search; blocks are taken from all of them.
        proposer: Says which actions are promising at each place of the best sequence.
    """
    known = tuple(dict.fromkeys((*starts, *found)))
    return partial(_search, known=known, starts=known[:tried], batch=batch, proposer=proposer)


def _search(  # noqa: PLR0913 # what an agent gets, and what this one was made of
    evaluator: Evaluator,
    budget: Budget,
    rng: np.random.Generator,
    *,
    known: tuple[Sequence, ...],
    starts: tuple[Sequence, ...],
    batch: int,
    proposer: Proposer | None,
) -> Iterator[SearchOutcome]:
    best = evaluator.start
    most = max(1, int(_START_SHARE * min(budget.left, len(starts) / _START_SHARE)))
    first = budget.part(_START_SHARE) if budget.is_timed else budget
    for best in improvements(evaluator, first, starts[:most]):  # the last one counts
        yield best
    changes = Changes(rng, len(evaluator.names), known, proposer)
    present, quiet, ahead = best, _PATIENCE, math.inf
    while budget.left:
        is_ahead = quiet >= _PATIENCE and best.loss < ahead
        if is_ahead:
            present, ahead = best, best.loss
            tried = changes.continuations(best.effective)
        else:
            if quiet >= _PATIENCE:
                present = best = minimise(evaluator, best, most=budget.left // 3)
                quiet = 0
            changes.consult(evaluator, best.effective)
            tried = changes.candidates(present.effective, batch)
            quiet += batch
        before = present.effective
        for outcome in evaluator.evaluate(tried):
            if outcome.loss < best.loss:
                changes.succeeded(before, outcome.effective)
                present = best = outcome
                yield best
            elif not is_ahead and outcome.loss == present.loss and rng.random() < _SIDEWAYS:
                present = outcome


@dataclass(slots=True)
class _Weights:
    """How often each action is drawn."""

    counts: np.ndarray[tuple[int], np.dtype[np.float64]]

    def draw(self, rng: np.random.Generator) -> int:
        size = len(self.counts)
        if rng.random() < _UNIFORM:
            return int(rng.integers(size))
        return int(rng.choice(size, p=self.counts / self.counts.sum()))


class Changes:
    """Makes candidates out of a sequence.

    Args:
        rng: Makes all choices.
        size: The number of actions of the table.
        known: Sequences, whose actions are drawn more often and whose blocks are taken.
        proposer: Says which actions are promising at each place of a sequence.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        size: int,
        known: tuple[Sequence, ...],
        proposer: Proposer | None = None,
    ) -> None:
        self._rng = rng
        self._proposer = proposer
        self._proposed: list[np.ndarray[Any, np.dtype[np.float64]]] = []
        self._consulted: Sequence | None = None
        self._size = size
        self._known = [one for one in known if len(one) >= _BLOCK[0]]
        counts = np.ones(size)
        for sequence in known:
            np.add.at(counts, list(sequence), 1.0)
        self._weights = _Weights(counts)
        self._lately: deque[Sequence] = deque(maxlen=_REMEMBERED)
        self._kinds: tuple[tuple[Callable[[list[int]], None], float], ...] = (
            (self._insert, 0.28),
            (self._append, 0.18),
            (self._replace, 0.2),
            (self._take_block, 0.2),
            (self._move, 0.09),
            (self._delete, 0.05),
        )
        self._shares = np.array([share for _, share in self._kinds])

    def consult(self, evaluator: Evaluator, sequence: Sequence) -> None:
        """Have the proposer look at a sequence, unless it did: it spends one evaluation."""
        if self._proposer is not None and sequence != self._consulted and evaluator.budget.left > 1:
            self._consulted = sequence
            self._proposed = self._proposer(evaluator, sequence) or self._proposed

    def continuations(self, sequence: Sequence) -> list[Sequence]:
        """A sequence with each action at its end, in a random order."""
        return [(*sequence, action) for action in self._rng.permutation(self._size).tolist()]

    def candidates(self, sequence: Sequence, count: int) -> list[Sequence]:
        """Some sequences that differ from one by a change, and were not made lately."""
        made: list[Sequence] = []
        for _ in range(count):
            for _ in range(_TRIES):
                changed = self._changed(sequence)
                if changed not in self._lately:
                    break
            self._lately.append(changed)
            made.append(changed)
        return made

    def succeeded(self, before: Sequence, after: Sequence) -> None:
        """Have the actions that an improvement added drawn more often."""
        added = np.bincount(after, minlength=len(self._weights.counts)) - np.bincount(
            before, minlength=len(self._weights.counts)
        )
        self._weights.counts += _SUCCESS * np.maximum(added, 0)
        self._known.append(after)

    def _changed(self, sequence: Sequence) -> Sequence:
        actions = list(sequence)
        kind = int(self._rng.choice(len(self._kinds), p=self._shares))
        self._kinds[kind][0](actions)
        return tuple(actions)

    def _place(self, actions: list[int], more: int = 0) -> int:
        return int(self._rng.integers(len(actions) + more))

    def _draw(self, place: int) -> int:
        """An action for a place of a sequence, half of the time one that is proposed for it."""
        if self._proposed and self._rng.random() < _PROPOSED:
            odds = self._proposed[min(place, len(self._proposed) - 1)]
            return int(self._rng.choice(self._size, p=odds))
        return self._weights.draw(self._rng)

    def _insert(self, actions: list[int]) -> None:
        place = self._place(actions, 1)
        actions.insert(place, self._draw(place))

    def _append(self, actions: list[int]) -> None:
        actions.append(self._draw(len(actions)))

    def _replace(self, actions: list[int]) -> None:
        if actions:
            place = self._place(actions)
            actions[place] = self._draw(place)
        else:
            self._append(actions)

    def _delete(self, actions: list[int]) -> None:
        if actions:
            del actions[self._place(actions)]

    def _move(self, actions: list[int]) -> None:
        if actions:
            action = actions.pop(self._place(actions))
            actions.insert(self._place(actions, 1), action)

    def _take_block(self, actions: list[int]) -> None:
        if not self._known:
            self._insert(actions)
            return
        source = self._known[int(self._rng.integers(len(self._known)))]
        length = min(int(self._rng.integers(*_BLOCK)), len(source))
        begin = int(self._rng.integers(len(source) - length + 1))
        place = self._place(actions, 1)
        actions[place:place] = source[begin : begin + length]
