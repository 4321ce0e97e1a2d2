"""Beam search: keep the best few sequences, look at every continuation of each, and keep the best again.

Of sequences that earned the same, one is kept: they mostly lead to the same program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from common import Budget, run

if TYPE_CHECKING:
    import numpy as np

    from optarena.env import CompilerEnv
    from optarena.specs import Action

WIDTH: Final = 3
"""How many sequences are kept."""


def beam_search(env: CompilerEnv, budget: Budget, rng: np.random.Generator) -> list[Action]:
    """The best sequence seen; ends when no kept sequence can be continued with a gain."""
    order: list[int] = rng.permutation(len(env.environment.action_table.names)).tolist()
    beam = [env.fork()]
    best: tuple[float, list[Action]] = (0.0, [])
    try:
        while beam and budget.left:
            following = continuations(beam, order, budget)
            copies = [(parent.fork(), action) for parent, action in following]
            for parent in beam:
                parent.close()
            beam = [copy for copy, _ in copies]
            for copy, action in copies:
                copy.step(action)
                best = max(best, (copy.episode_reward or 0.0, copy.actions), key=lambda one: one[0])
    finally:
        for copy in beam:
            copy.close()
    return best[1]


def continuations(beam: list[CompilerEnv], order: list[int], budget: Budget) -> list[tuple[CompilerEnv, int]]:
    """The best continuations of the kept sequences that gain something: a sequence and its next action."""
    found: dict[float, tuple[CompilerEnv, int]] = {}
    for parent in beam:
        looked = order[: budget.left]
        if not looked:
            break
        budget.spend(len(looked))
        for action, (_, reward, terminated, _, _) in zip(looked, parent.peek(looked), strict=True):
            if reward > 0 and not terminated:
                found.setdefault((parent.episode_reward or 0.0) + reward, (parent, action))
    return [found[total] for total in sorted(found, reverse=True)[:WIDTH]]


if __name__ == "__main__":
    run(beam_search, name="beam-search", budget=1000)
