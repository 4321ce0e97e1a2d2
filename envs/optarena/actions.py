"""Tables of named actions and their text form: the interface, and an implementation for new environments.

Pure data: a session's process imports this too.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from optarena.documents.texts import is_printable
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput
from optarena.suggestions import did_you_mean

_SHOWN: Final = 200

# An action in its canonical form: an index, or one number for each component of a structured action.
Action: TypeAlias = int | tuple[int, ...]


class ActionTable(Protocol):
    """The named, ordered actions of an action space and their text form.

    A table of structured actions also has a method ``check(action, position)``, which gives an action in its
    canonical form or raises ``InvalidAction``; the actions of all others are the indices of their names. It
    may have a method ``text(action)``, which gives the action as one word, and a method ``subject(action)``:
    the name of an observation, which is a list of names or its JSON, and the number in it of what the action
    is about; or None. A method ``matching(text, actions)`` gives the actions that people find by a text after
    some others. Any table may have ``descriptions``: a sentence for each name, or none at all.
    """

    @property
    def name(self) -> str:
        """Stable name of the table, with its version: ``stack-rewrites-v0``."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each action, by index."""

    def parse(self, commandline: str) -> tuple[Action, ...]:
        """The actions that a command line stands for."""

    def commandline(self, actions: Sequence[Any]) -> str:
        """The command line that stands for the actions, which are in their canonical form."""


@dataclass(frozen=True, slots=True)
class NamedActions:
    """An action table whose command line is a program's name and the names of the actions after it.

    Attributes:
        name: Stable name of the table, with its version: ``stack-rewrites-v0``.
        names: The name of each action, by index: single words.
        program: The first word of a command line: ``stack-opt``.
        descriptions: What each action does, for people; empty, or one sentence for each action.

    Raises:
        InvalidInput: A name is not a single word or appears twice, the number of descriptions is wrong, or
            something is not a text.
    """

    name: str
    names: tuple[str, ...] = field(repr=False)
    program: str
    descriptions: tuple[str, ...] = field(default=(), kw_only=True, repr=False)
    _indices: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for given in (self.names, self.descriptions):
            if isinstance(given, str) or not isinstance(given, Iterable):
                raise self._invalid(f"{given!r:.{_SHOWN}} is not a list of texts.", given)
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "descriptions", tuple(self.descriptions))
        for text in (self.name, self.program, *self.names, *self.descriptions):
            if not isinstance(text, str):
                raise self._invalid(f"{text!r:.{_SHOWN}} is not a text ({type(text).__name__}).", text)
        object.__setattr__(self, "_indices", {name: index for index, name in enumerate(self.names)})
        for word in (self.name, self.program, *self.names):
            if not is_printable(word) or word.split() != [word]:
                raise self._invalid(f"{word[:_SHOWN]!r} is not a single word.", word)
        if not self.names or len(self._indices) < len(self.names):
            problem = "The table must have at least one action, and all names must differ."
            raise self._invalid(problem, self.names)
        if len(self.descriptions) not in (0, len(self.names)):
            problem = "The numbers of its descriptions and of its actions differ."
            raise self._invalid(problem, self.descriptions)

    def parse(self, commandline: str) -> tuple[int, ...]:
        """The actions of a command line as ``commandline`` writes it.

        Raises:
            InvalidCommandline: It is for another program, or names an action that is not in the table.
        """
        words = commandline.split()
        if words[:1] != [self.program]:
            message = "The command line has the wrong form."
            remedy = f"Write {self.program!r} and the names of the actions after it."
            value = commandline[:_SHOWN]
            raise InvalidCommandline(message, field="commandline", value=value, remedy=remedy)
        for position, word in enumerate(words[1:], start=1):
            if word not in self._indices:
                message = f"Action {position} of the command line, {word[:_SHOWN]!r}, is not in {self.name}."
                remedy = did_you_mean(word, self.names, otherwise="See the environment's action table.")
                raise InvalidCommandline(message, field="commandline", value=word[:_SHOWN], remedy=remedy)
        return tuple(self._indices[word] for word in words[1:])

    def commandline(self, actions: Sequence[int]) -> str:
        """The command line of some actions; raises InvalidAction where one of them is not in the table."""
        size = len(self.names)
        indices = [check_action(action, size, position) for position, action in enumerate(actions)]
        return " ".join([self.program, *(self.names[index] for index in indices)])

    def _invalid(self, problem: str, value: object) -> InvalidInput:
        return InvalidInput(f"The action table {self.name!r}: {problem}", field="action_table", value=value)


@dataclass(frozen=True, slots=True)
class Decisions(NamedActions):
    """An action table whose actions answer a compiler's yes-or-no questions, one after the other.

    So an action means what it means by its place: a search changes actions, and inserts or removes none. The
    first action says no, the second says yes.

    Attributes:
        default: The action that decides on the next question as the compiler does by itself.
        defaults: The one that decides so on the next questions, as many as an action may.
        margin: An observation: negative where the compiler itself says yes to the next question, else
            positive, and the nearer to 0 the less it takes to change that; 0 after the last question.
        topic: An observation: a number that is the same for all questions about the same thing.
    """

    default: int = field(kw_only=True)
    defaults: int = field(kw_only=True)
    margin: str = field(kw_only=True)
    topic: str = field(kw_only=True)


def action_description(table: ActionTable, action: Action) -> str:
    """What an action does, in a sentence; empty where its table does not say."""
    sentences: Sequence[str] = getattr(table, "descriptions", ())
    index = action if isinstance(action, int) else action[0]
    return sentences[index] if index < len(sentences) else ""


def action_name(table: ActionTable, action: Any) -> str:  # noqa: ANN401 # of any action space
    """An action as one word, or in the words of its table's command line."""
    if isinstance(action, int) and 0 <= action < len(table.names):
        return table.names[action]
    try:
        if hasattr(table, "text"):
            return str(table.text(action))
        return table.commandline([action])
    except Exception:  # noqa: BLE001 # a service that changes its space has actions that no table names
        return repr(action)


def is_structured(table: ActionTable) -> bool:
    """Whether the actions of a table are not the indices of its names."""
    return hasattr(table, "check")


def check_actions(table: ActionTable, actions: Iterable[object], first: int = 0) -> tuple[Action, ...]:
    """Actions in their canonical form; ``first`` is the position of the first of them, for the message.

    Raises:
        InvalidAction: Names the first action that is not in the table, and its position.
    """
    check = getattr(table, "check", None)
    if check is None:
        size = len(table.names)
        # Most are plain numbers of the table; a submission has millions, too many to check one by one.
        whole: tuple[Any, ...] = tuple(actions)
        if set(map(type, whole)) <= {int} and (not whole or 0 <= min(whole) <= max(whole) < size):
            return whole
        placed = enumerate(whole, first)
        return tuple(check_action(one, size, position, names=table.names) for position, one in placed)
    return tuple(check(action, position) for position, action in enumerate(actions, first))


def check_action(
    action: object,
    size: int,
    position: int | None = None,
    component: int | None = None,
    names: Sequence[str] = (),
) -> int:
    """``action`` as a plain integer in ``[0, size)``; the other arguments are for the message.

    Raises:
        InvalidAction: It is not an integer, or out of range.
    """
    where = "" if component is None else f", component {component}"
    where = f"{where} at position {position}" if position is not None else where
    remedy = f"Give an integer from 0 to {size - 1}."
    try:
        index = None if isinstance(action, bool) else operator.index(action)  # type: ignore[arg-type] # any object
    except TypeError:
        index = None
    if index is None:
        message = f"Action {action!r:.200}{where} is not an integer ({type(action).__name__})."
        if isinstance(action, str) and names:
            remedy = _number_of(action, names)
        elif isinstance(action, list):
            remedy += " multistep() takes a list of actions."
        raise InvalidAction(message, field="action", value=action, remedy=remedy)
    if not 0 <= index < size:
        message = f"Action {index}{where} is not in the action space."
        raise InvalidAction(message, field="action", value=index, remedy=remedy)
    return index


def _number_of(name: str, names: Sequence[str]) -> str:
    if name in names:
        return f"Give its number, {names.index(name)}: env.action_space.names.index({name!r})."
    listed = f"Give an integer from 0 to {len(names) - 1}."
    near = did_you_mean(name, names, otherwise=listed)
    return f"{near} env.action_space.names.index(NAME) gives a name's number."


def components(action: object, sizes: Sequence[int], position: int | None) -> tuple[int, ...]:
    """An action as plain integers, one for each component, each within its size.

    Raises:
        InvalidAction: The action has another form, or a component is out of range; the error names it.
    """
    parts = action.tolist() if hasattr(action, "tolist") else action
    if not isinstance(parts, (list, tuple)) or len(parts) != len(sizes):
        where = "" if position is None else f" at position {position}"
        message = f"Action {action!r:.{_SHOWN}}{where} does not have the form of this action space."
        remedy = f"Give a tuple of {len(sizes)} integers."
        raise InvalidAction(message, field="action", value=action, remedy=remedy)
    return tuple(
        check_action(part, size, position, component)
        for component, (part, size) in enumerate(zip(parts, sizes, strict=True))
    )
