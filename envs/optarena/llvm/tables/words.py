"""Tables of structured actions; in their command lines, each word after the first is one action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

from optarena.actions import components
from optarena.errors import InvalidCommandline
from optarena.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHOWN: Final = 200


class WordTable(ABC):
    """Actions of several components, each written as one word.

    Attributes:
        name: Stable name of the table and of its action space.
        program: The first word of a command line.
        example: Words that may follow, for messages.
    """

    __slots__ = ()

    program: ClassVar[str]
    example: ClassVar[str]
    name: str

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """Number of choices of each component."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the choices of the first component, by index."""

    def check(self, action: object, position: int | None = None) -> tuple[int, ...]:
        """An action in its canonical form: a tuple of plain integers.

        Args:
            action: A tuple of ``len(sizes)`` integers.
            position: The action's position in a list, for the message.

        Raises:
            InvalidAction: ``action`` is not in the table; the error names the component, its value and what
                is allowed.
        """
        return components(action, self.sizes, position)

    @abstractmethod
    def text(self, action: Sequence[int]) -> str:
        """The word that stands for an action in its canonical form."""

    @abstractmethod
    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        """The action that a word stands for.

        Raises:
            InvalidCommandline: The word stands for no action.
        """

    def commandline(self, actions: Iterable[Any]) -> str:
        """The command line of some actions; :meth:`parse` gives them back in their canonical form.

        Raises:
            InvalidAction: One of them is not in the table.
        """
        checked = (self.check(action, position) for position, action in enumerate(actions))
        return " ".join([self.program, *map(self.text, checked)])

    def parse(self, commandline: str) -> tuple[tuple[int, ...], ...]:
        """The actions of a command line as :meth:`commandline` writes it.

        Raises:
            InvalidCommandline: The first word is another one, or a word stands for no action; the error names
                it and similar words.
        """
        words = split(commandline, self.program, self.example)
        return tuple(self.parse_word(position, word) for position, word in enumerate(words))


def split(commandline: str, program: str, example: str) -> list[str]:
    """The words after the first, which must be ``program``.

    Raises:
        InvalidCommandline: The first word is another one.
    """
    words = commandline.split()
    if words[:1] != [program]:
        raise InvalidCommandline(
            "The command line has the wrong form.",
            field="commandline",
            value=commandline[:_SHOWN],
            remedy=f"Write it as: {program} {example}",
        )
    return words[1:]


def unknown(position: int, word: str, problem: str, known: Iterable[str]) -> InvalidCommandline:
    """The error for a word that stands for no action.

    Args:
        position: The action's position, from 0.
        word: The given word.
        problem: What is wrong with it.
        known: The words that are allowed.
    """
    remedy = did_you_mean(word, known, otherwise="See the action table.")
    message = f"Action {position + 1} of the command line {problem}."
    return InvalidCommandline(message, field="commandline", value=word[:_SHOWN], remedy=remedy)


def shown(word: str) -> str:
    """A word for a message."""
    return repr(word[:_SHOWN])
