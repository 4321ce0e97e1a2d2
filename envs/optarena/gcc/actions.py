"""The actions of GCC's environment: choose a value for an option. Their text form is a real command line.

Pure data: clients, pages and sessions read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from optarena.actions import components
from optarena.errors import InvalidCommandline
from optarena.gcc.options import SAFE, UNSAFE, UNSET, OptionTable
from optarena.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PROGRAM: Final = "gcc"
FILES: Final = ("-c", "program.c", "-o", "program.o")
"""The end of every command line: what is compiled, and into what."""
SEMANTICS: Final = 1
"""Raise this when an action means something else."""
_SHOWN: Final = 200


def command(options: OptionTable, choices: Sequence[int]) -> str:
    """The command line of some choices."""
    return " ".join((PROGRAM, *options.words(choices), *FILES))


@dataclass(frozen=True)
class ChoiceTable:
    """Actions that each choose a value for one option.

    An action is a pair: the number of an option, and the number of its value, counted from 1; 0 takes the
    option from the command line. Numbers beyond an option's last value begin again from 0, so that every
    member of the space is an action, and each of an option's values is as likely as the others;
    :meth:`check` gives the plain number. Choosing for an option again replaces what was chosen.

    A command line says what was chosen in the end: :meth:`parse` of :meth:`commandline` gives one action for
    each option that it has, in the table's order, and these lead to the same state.

    Attributes:
        options: The options and their values.
    """

    options: OptionTable
    sizes: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        most = max(len(option.choices) for option in self.options.options)
        object.__setattr__(self, "sizes", (len(self.options.options), most + 1))

    @property
    def name(self) -> str:
        """The name of the table and of its action space."""
        return self.options.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the options, by index: the first component of an action."""
        return tuple(option.name for option in self.options.options)

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on, as plain data."""
        return {**self.options.version_spec(), "semantics": SEMANTICS}

    def check(self, action: object, position: int | None = None) -> tuple[int, ...]:
        """An action in its canonical form: a pair of plain integers.

        Raises:
            InvalidAction: ``action`` is not in the table; the error names the component, its value and what
                is allowed.
        """
        option, value = components(action, self.sizes, position)
        return option, value % (len(self.options.options[option].choices) + 1)

    def text(self, action: Sequence[int]) -> str:
        """The word that stands for an action: ``-fno-gcse``, or ``unset:-fgcse``."""
        option, value = self.options.options[action[0]], action[1]
        return option.choices[value - 1] if value else f"unset:{option.name}"

    def applied(self, actions: Iterable[Any]) -> tuple[int, ...]:
        """The choice for each option after some actions; ``UNSET`` where there is none.

        Raises:
            InvalidAction: One of them is not in the table.
        """
        choices = [UNSET] * len(self.options.options)
        for position, action in enumerate(actions):
            option, value = self.check(action, position)
            choices[option] = value - 1
        return tuple(choices)

    def after(self, choices: Sequence[int], action: Sequence[int]) -> tuple[int, ...]:
        """The choices after an action in its canonical form."""
        option, value = action
        return (*choices[:option], value - 1, *choices[option + 1 :])

    def leading(self, before: Sequence[int], after: Sequence[int]) -> list[tuple[int, int]]:
        """The actions that lead from some choices to others."""
        pairs = enumerate(zip(before, after, strict=True))
        return [(option, new + 1) for option, (old, new) in pairs if old != new]

    def commandline(self, actions: Sequence[Any]) -> str:
        """The command line of what was chosen in the end.

        Raises:
            InvalidAction: One of the actions is not in the table.
        """
        return command(self.options, self.applied(actions))

    def parse(self, commandline: str) -> tuple[tuple[int, int], ...]:
        """The actions of a command line, one for each option.

        Raises:
            InvalidCommandline: It is for another program, has another end, or has a word that is not in the
                table, or two for the same option.
        """
        words = commandline.split()
        if words[:1] != [PROGRAM] or tuple(words[-len(FILES) :]) != FILES or len(words) <= len(FILES):
            raise InvalidCommandline(
                "The command line has the wrong form.",
                field="commandline",
                value=commandline[:_SHOWN],
                remedy=f"Write it as: {PROGRAM} -Os -fno-tree-vrp … {' '.join(FILES)}",
            )
        chosen: dict[int, int] = {}
        for word in words[1 : -len(FILES)]:
            option, choice = self._found(word)
            if option in chosen:
                before = self.options.options[option].choices[chosen[option]]
                raise _refused(word, f"is given after {before}", "Give each option once.")
            chosen[option] = choice
        return tuple((option, choice + 1) for option, choice in sorted(chosen.items()))

    def _found(self, word: str) -> tuple[int, int]:
        found = self.options.by_word.get(word)
        if found is not None:
            return found
        stem = f"{word.rpartition('=')[0]}=" if "=" in word else ""
        index = self.options.by_name.get(stem)
        if index is not None:
            choices = self.options.options[index].choices
            values = ", ".join(choice.removeprefix(stem) for choice in choices)
            raise _refused(word, "has a value that is not in the table", f"Give one of: {values}.")
        for other in (*self.options.others, *self.options.options):
            if word in (*other.choices, *other.left_out) or other.name == (stem or None):
                why = other.reason or "it changes what floating-point arithmetic computes"
                raise _refused(word, f"is not allowed: {why}", "Leave it out.")
        remedy = did_you_mean(word, self.options.by_word, otherwise="See the environment's action table.")
        raise _refused(word, f"is not an option of {self.name}", remedy)


def _refused(word: str, problem: str, remedy: str) -> InvalidCommandline:
    return InvalidCommandline(
        f"{word[:_SHOWN]!r} {problem}.", field="commandline", value=word[:_SHOWN], remedy=remedy
    )


CHOICES: Final = ChoiceTable(SAFE)
"""The actions that boards take."""
UNSAFE_CHOICES: Final = ChoiceTable(UNSAFE)
"""The same for all options."""
