"""What is known of each prefix of the sequences that were evaluated: a tree of the actions as they were run.

A prefix is known by its exact actions. Two that lead to equal programs are not the same: an action without
effect, or another order, may leave the program in a state from which further actions lead elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
        seconds: About how long the last action took.
        error: Why the last action failed; empty if it did not.
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
