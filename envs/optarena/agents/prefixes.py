"""What is known of each prefix of the sequences that were evaluated: a tree of the actions as they were run.

A prefix is known by its exact actions. Two that lead to equal programs are not the same: an action without
effect, or another order, may leave the program in a state from which further actions lead elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optarena.outcome_store import OutcomeTrace

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True, eq=False)
class PrefixNode:
    """A prefix: its last action, and what there was after it.

    Attributes:
        cost: The environment's cost.
        had_effect: Whether the last action had an effect.
        parent: The prefix without its last action; None for the empty one.
        action: The last action.
        depth: The number of actions.
        seconds: About how long the last action took; 0 until it ran here, if a store told of it.
        error: Why the last action failed; empty if it did not.
        is_lasting: Whether a failure is of the action itself, and not of the machine's load.
        is_final: Whether the last action ended the episode.
        measured: The objective's value, if it was measured here.
        regret: Seconds that a live copy here would have saved so far.
        children: The known prefixes that are longer by one action.
    """

    cost: float
    had_effect: bool = True
    parent: PrefixNode | None = None
    action: int = -1
    depth: int = 0
    seconds: float = 0.0
    error: str = ""
    is_lasting: bool = True
    is_final: bool = False
    measured: float | None = None
    regret: float = 0.0
    children: dict[int, PrefixNode] = field(default_factory=dict)

    @property
    def is_end(self) -> bool:
        """Whether nothing can follow: the last action failed or ended the episode."""
        return self.is_final or bool(self.error)

    def known(self, actions: Sequence[int]) -> list[PrefixNode]:
        """The known prefixes of a sequence, this one first, the longest last."""
        path = [self]
        for action in actions:
            following = path[-1].children.get(action)
            if following is None:
                break
            path.append(following)
        return path

    def follow(self, action: int, made: PrefixNode) -> PrefixNode:
        """Add what is known of this prefix and one more action, unless it is known already."""
        made.parent, made.action, made.depth = self, action, self.depth + 1
        return self.children.setdefault(action, made)

    def back_to(self, ancestor: PrefixNode) -> list[PrefixNode]:
        """The prefixes between an ancestor, which is left out, and this one, which is the last."""
        path: list[PrefixNode] = []
        node: PrefixNode | None = self
        while node is not None and node is not ancestor:
            path.append(node)
            node = node.parent
        return path[::-1]

    def trace(self, actions: Sequence[int]) -> OutcomeTrace | None:
        """What is known of a sequence, to be kept; None if that is not all, or would not be so elsewhere."""
        path = self.known(actions)
        last, ran = path[-1], [one for one in path if not one.error]
        if not (last.is_end or len(path) == len(actions) + 1) or not last.is_lasting:
            return None
        effects = tuple(one.had_effect for one in ran[1:])
        return OutcomeTrace(tuple(one.cost for one in ran), effects, last.error, last.is_final)

    def agrees(self, actions: Sequence[int], trace: OutcomeTrace) -> bool:
        """Whether a trace of a sequence is whole, and contradicts nothing that is known."""
        if not trace.ends(actions):
            return False
        for node, cost, had_effect in zip(
            self.known(actions), trace.costs, (True, *trace.effects), strict=False
        ):
            if node.error or (node.cost, node.had_effect) != (cost, had_effect):
                return False
        return True

    def learn(self, actions: Sequence[int], trace: OutcomeTrace) -> tuple[PrefixNode, int]:
        """Take over a trace of a sequence, in the place of what was known.

        Returns:
            The longest prefix that ran or failed, and how many prefixes were not known.
        """
        node, before = self, len(self.known(actions))
        for action, cost, had_effect in zip(actions, trace.costs[1:], trace.effects, strict=False):
            node = node.follow(action, PrefixNode(cost))
            node.cost, node.had_effect, node.error = cost, had_effect, ""
        node.is_final = trace.is_final
        if trace.error:
            node = node.follow(actions[len(trace.effects)], PrefixNode(node.cost))
            node.error = trace.error
        return node, node.depth + 1 - before
