"""Tables of named actions and their text form: what every environment has, and a ready one for new ones.

Pure data: a session's process imports this too.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Protocol

from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN: Final = 200


class ActionTable(Protocol):
    """The named, ordered actions of an environment and their text form."""

    @property
    def name(self) -> str:
        """Stable name of the table, with its version: ``llvm-passes-v0``."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each action, by index."""

    def parse(self, commandline: str) -> tuple[int, ...]:
        """The actions that a command line stands for."""

    def commandline(self, actions: Sequence[int]) -> str:
        """The command line that stands for the actions."""


@dataclass(frozen=True, slots=True)
class NamedActions:
    """An action table whose command line is a program's name and the names of the actions after it.

    Attributes:
        name: Stable name of the table, with its version: ``stack-rewrites-v0``.
        names: The name of each action, by index: single words.
        program: The first word of a command line: ``stack-opt``.
        descriptions: What each action does, for people; empty, or one sentence for each action.

    Raises:
        InvalidInput: A name is no single word or is there twice, or the descriptions are too few or many, or
            something is no text.
    """

    name: str
    names: tuple[str, ...]
    program: str
    descriptions: tuple[str, ...] = field(default=(), kw_only=True)
    _indices: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for given in (self.names, self.descriptions):
            if isinstance(given, str) or not isinstance(given, Iterable):
                raise self._invalid(f"{given!r:.{_SHOWN}} is no list of texts.", given)
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "descriptions", tuple(self.descriptions))
        for text in (self.name, self.program, *self.names, *self.descriptions):
            if not isinstance(text, str):
                raise self._invalid(f"{text!r:.{_SHOWN}} is no text ({type(text).__name__}).", text)
        object.__setattr__(self, "_indices", {name: index for index, name in enumerate(self.names)})
        for word in (self.name, self.program, *self.names):
            if not word.isprintable() or word.split() != [word]:
                raise self._invalid(f"{word[:_SHOWN]!r} is no single word.", word)
        if not self.names or len(self._indices) < len(self.names):
            raise self._invalid("Its actions must be at least one, with different names.", self.names)
        if len(self.descriptions) not in (0, len(self.names)):
            raise self._invalid("It has another number of descriptions than of actions.", self.descriptions)

    def parse(self, commandline: str) -> tuple[int, ...]:
        """The actions of a command line as ``commandline`` writes it.

        Raises:
            InvalidCommandline: It is of another program, or names an action that is not in the table.
        """
        words = commandline.split()
        if words[:1] != [self.program]:
            raise InvalidCommandline(
                "The command line has the wrong form.",
                field="commandline",
                value=commandline[:_SHOWN],
                remedy=f"Write {self.program!r} and the names of the actions after it.",
            )
        return tuple(self._index(position, word) for position, word in enumerate(words[1:], start=1))

    def commandline(self, actions: Sequence[int]) -> str:
        """The command line of some actions.

        Raises:
            InvalidAction: One of them is not in the table.
        """
        size = len(self.names)
        indices = [check_action(action, size, position) for position, action in enumerate(actions)]
        return " ".join([self.program, *(self.names[index] for index in indices)])

    def _index(self, position: int, word: str) -> int:
        if word in self._indices:
            return self._indices[word]
        near = get_close_matches(word[:_SHOWN], self.names, n=3, cutoff=0.5)
        raise InvalidCommandline(
            f"Action {position} of the command line, {word[:_SHOWN]!r}, is not in {self.name}.",
            field="commandline",
            value=word[:_SHOWN],
            remedy=f"Did you mean {' or '.join(map(repr, near))}?"
            if near
            else "See the environment's action table.",
        )

    def _invalid(self, problem: str, value: object) -> InvalidInput:
        return InvalidInput(f"The action table {self.name!r}: {problem}", field="action_table", value=value)


def check_action(action: object, size: int, position: int | None = None) -> int:
    """``action`` as a plain integer in ``[0, size)``.

    Raises:
        InvalidAction: It is not an integer, or out of range.
    """
    where = "" if position is None else f" at position {position}"
    remedy = f"Allowed are the integers 0 to {size - 1}."
    try:
        index = None if isinstance(action, bool) else operator.index(action)  # type: ignore[arg-type] # any object
    except TypeError:
        index = None
    if index is None:
        message = f"Action {action!r}{where} is no integer ({type(action).__name__})."
        raise InvalidAction(message, field="action", value=action, remedy=remedy)
    if not 0 <= index < size:
        message = f"Action {index}{where} is not in the action space."
        raise InvalidAction(message, field="action", value=index, remedy=remedy)
    return index
