"""Command lines whose words after the first are one action each."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from optarena.action_tables import check_action
from optarena.errors import InvalidAction, InvalidCommandline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHOWN: Final = 200


def split(commandline: str, program: str, example: str) -> list[str]:
    """The words after the first, which must be ``program``.

    Raises:
        InvalidCommandline: It is another one.
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
        position: Of the action, from 0.
        word: What was given.
        problem: What is wrong with it.
        known: What could have been meant.
    """
    near = difflib.get_close_matches(word[:_SHOWN], list(known), n=3, cutoff=0.5)
    remedy = f"Did you mean {' or '.join(map(repr, near))}?" if near else "See the action table."
    message = f"Action {position + 1} of the command line {problem}."
    return InvalidCommandline(message, field="commandline", value=word[:_SHOWN], remedy=remedy)


def shown(word: str) -> str:
    """A word for a message."""
    return repr(word[:_SHOWN])


def components(action: object, sizes: Sequence[int], position: int | None) -> tuple[int, ...]:
    """An action as plain integers, one for each component, each within its size.

    Raises:
        InvalidAction: It has another form, or a component is out of range, which the error names.
    """
    parts = action.tolist() if hasattr(action, "tolist") else action
    if not isinstance(parts, (list, tuple)) or len(parts) != len(sizes):
        where = "" if position is None else f" at position {position}"
        raise InvalidAction(
            f"Action {action!r:.{_SHOWN}}{where} has not the form of this action space.",
            field="action",
            value=action,
            remedy=f"Give a tuple of {len(sizes)} integers.",
        )
    return tuple(
        check_action(part, size, position, component)
        for component, (part, size) in enumerate(zip(parts, sizes, strict=True))
    )
