"""Walks: sequences of which each action is chosen by what there is after those before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from optarena.agents.outcomes import SearchOutcome, Sequence


@dataclass(frozen=True, slots=True)
class WalkSoFar:
    """What the next action of a walk is chosen by.

    Attributes:
        actions: The actions so far.
        effects: Whether each of them had an effect.
        observation: What there is now.
    """

    actions: Sequence
    effects: tuple[bool, ...]
    observation: Any

    @property
    def useless(self) -> frozenset[int]:
        """The actions that had no effect since the program changed: they would have none again."""
        found: set[int] = set()
        for action, had_effect in zip(reversed(self.actions), reversed(self.effects), strict=True):
            if had_effect:
                break
            found.add(action)
        return frozenset(found)


Chooser: TypeAlias = Callable[[WalkSoFar], int | None]
"""Gives the next action, or None to end the walk.

The same walk so far must give the same action: after a fault of the machine a walk is begun anew.
"""


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk that has ended.

    Attributes:
        outcome: What its actions gave.
        steps: What there was before each action that was chosen, and at the end.
    """

    outcome: SearchOutcome
    steps: tuple[WalkSoFar, ...]
