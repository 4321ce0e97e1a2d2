"""The agent ``greedy``: appends, again and again, the action that gains most; a beam keeps several sequences.

It begins with the known sequences, since from the program as given it ends in a worse place than they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.agents.lists import improvements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np

    from optarena.agents.budget import Budget
    from optarena.agents.evaluator import Evaluator
    from optarena.agents.outcomes import SearchOutcome, Sequence
    from optarena.agents.protocol import Agent


def greedy(starts: Iterable[Sequence], *, width: int = 1) -> Agent:
    """The agent.

    Args:
        starts: Sequences to begin with; the best one is continued.
        width: How many sequences are kept at a time. Of those that are equally good one is kept, since they
            mostly lead to the same program.
    """
    known = tuple(starts)

    def search(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Iterator[SearchOutcome]:
        best = evaluator.start
        for best in improvements(evaluator, budget, known):  # the last one counts
            yield best
        order = rng.permutation(len(evaluator.names)).tolist()
        beam = [best]
        while beam and budget.left:
            tried = [(*kept.prefix, action) for kept in beam for action in order]
            worst, members = max(kept.loss for kept in beam), {kept.prefix for kept in beam}
            # A member with a useless action is the member again, whose continuations have been tried.
            new = [one for one in evaluator.evaluate(tried) if one.prefix not in members]
            found = {one.loss: one for one in reversed(new) if one.loss < worst}
            beam = [found[loss] for loss in sorted(found)[:width]]
            if beam and beam[0].loss < best.loss:
                best = beam[0]
                yield best

    return search
