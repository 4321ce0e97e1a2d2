"""The action space ``default``, CompilerGym's: an action sets an option, or moves its choice up or down.

An option of few values has an action for each. One of many has actions that move its choice by 1, and by 10,
100 and 1,000 if it has so many; parameters have all numbers of their range here, and not a list. Pure data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from optarena import limits
from optarena.actions import NamedActions
from optarena.errors import InvalidInput
from optarena.gcc.options import SAFE, UNSAFE, UNSET, GccOption, OptionTable, whole_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME: Final = "default"
"""The name of the action space, as CompilerGym has it."""
PROGRAM: Final = "gcc-default"
"""The first word of its command lines, which GCC itself does not read."""
_FEW: Final = 10
_STEPS: Final = {1: _FEW, 10: 50, 100: 500, 1000: 5000}
"""How many values an option must have for a step of this size."""


@dataclass(frozen=True, slots=True)
class OptionChange:
    """What an action does to one option.

    Attributes:
        option: The number of the option.
        name: The name of the action: ``-fno-gcse``, ``--param=max-hoist-depth[+10]``.
        value: The number of the choice that it sets, or by how much it moves the choice.
        is_step: Whether it moves the choice.
    """

    option: int
    name: str
    value: int
    is_step: bool


@dataclass(frozen=True)
class RelativeTable:
    """Actions that set an option or move its choice, by their index.

    Moving stops at the first and the last choice; -1, no choice, is the one before the first.

    Attributes:
        options: The options with all their values.
    """

    options: OptionTable
    changes: tuple[OptionChange, ...] = field(init=False, repr=False, compare=False)
    _named: NamedActions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        changes = tuple(
            change for index, option in enumerate(self.options.options) for change in _changes(index, option)
        )
        object.__setattr__(self, "changes", changes)
        named = NamedActions(self.options.name, tuple(one.name for one in changes), PROGRAM)
        object.__setattr__(self, "_named", named)

    @property
    def name(self) -> str:
        """The name of the table and of its action space."""
        return self.options.name

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each action, by index."""
        return self._named.names

    def parse(self, commandline: str) -> tuple[int, ...]:
        """The actions of a command line as :meth:`commandline` writes it.

        Raises:
            InvalidCommandline: It is for another program, or names an action that is not in the table.
        """
        return self._named.parse(commandline)

    def commandline(self, actions: Sequence[int]) -> str:
        """The names of the actions, in the order in which they were taken.

        Raises:
            InvalidAction: One of them is not in the table.
        """
        return self._named.commandline(actions)

    def after(self, choices: Sequence[int], action: int) -> tuple[int, ...]:
        """The choices after an action."""
        change = self.changes[action]
        made = list(choices)
        last = len(self.options.options[change.option].choices) - 1
        moved = made[change.option] + change.value
        made[change.option] = max(UNSET, min(moved, last)) if change.is_step else change.value
        return tuple(made)

    def leading(self, before: Sequence[int], after: Sequence[int]) -> list[int]:
        """The actions that lead from some choices to others.

        Raises:
            InvalidInput: There are none, or too many for one episode.
        """
        by_option: dict[int, list[int]] = {}
        for action, change in enumerate(self.changes):
            by_option.setdefault(change.option, []).append(action)
        found: list[int] = []
        for index, option in enumerate(self.options.options):
            if before[index] != after[index]:
                found += self._path(option, by_option[index], before[index], after[index])
                if len(found) > limits.MAX_ACTIONS_PER_ITEM:
                    return _refuse_length(option)
        return found

    def _path(self, option: GccOption, actions: Sequence[int], before: int, after: int) -> list[int]:
        """The actions that lead from one choice of an option to another."""
        set_ = [one for one in actions if self.changes[one].value == after and not self.changes[one].is_step]
        if set_ or not self.changes[actions[0]].is_step:
            return set_ or _refuse(option, "no action takes it away again", "Call reset() first.")
        found: list[int] = []
        for one in sorted(actions, key=lambda one: -abs(self.changes[one].value)):
            change, left = self.changes[one].value, after - before
            count = max(0, left // change)
            if len(found) + count > limits.MAX_ACTIONS_PER_ITEM:
                return _refuse_length(option)
            found += [one] * count
            before += change * count
        return found


def _changes(index: int, option: GccOption) -> Iterator[OptionChange]:
    size = len(option.choices)
    if size < _FEW:
        for value, word in enumerate(option.choices):
            yield OptionChange(option=index, name=word, value=value, is_step=False)
        return
    for step, needed in _STEPS.items():
        for change in (step, -step) if size >= needed else ():
            yield OptionChange(
                option=index, name=f"{option.name.rstrip('=')}[{change:+}]", value=change, is_step=True
            )


def _refuse_length(option: GccOption) -> list[int]:
    why = f"the choices take more than {limits.MAX_ACTIONS_PER_ITEM} actions"
    return _refuse(option, why, "Give a value that is nearer, or use another action space.")


def _refuse(option: GccOption, why: str, remedy: str) -> list[int]:
    message = f"choices: {option.name} cannot be set so in the action space {NAME}: {why}."
    raise InvalidInput(message, field="choices", value=option.name, remedy=remedy)


DEFAULT: Final = RelativeTable(whole_table(SAFE, NAME))
"""Of the options that boards take."""
UNSAFE_DEFAULT: Final = RelativeTable(whole_table(UNSAFE, NAME))
"""Of all options."""
