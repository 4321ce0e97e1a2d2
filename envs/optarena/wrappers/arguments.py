"""Checks of the arguments that several wrappers take."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    import gymnasium

T = TypeVar("T")


def positive_integer(field: str, value: object, *, least: int = 1) -> int:
    """``value``, an integer of at least ``least``.

    Raises:
        InvalidInput: It is anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        message = f"{field} is {value!r:.100}."
        raise InvalidInput(message, field=field, value=value, remedy=f"Give an integer of at least {least}.")
    return value


def items_of(field: str, values: Iterable[T], what: str) -> tuple[T, ...]:
    """The items of a list, at least one.

    Raises:
        InvalidInput: It is empty, or not a list; a single text is a frequent mistake.
    """
    remedy = f"Give a list of {what}."
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        message = f"{field} is {values!r:.100} ({type(values).__name__})."
        raise InvalidInput(message, field=field, value=values, remedy=remedy)
    items = tuple(values)
    if not items:
        raise InvalidInput(f"{field} is empty.", field=field, value=items, remedy=remedy)
    return items


def names_of(wrapper: str, space: gymnasium.Space[Any]) -> tuple[str, ...]:
    """The names of the actions of a space.

    Raises:
        InvalidInput: Its actions have no names.
    """
    names: tuple[str, ...] | None = getattr(space, "names", None)
    if names is None:
        message = f"{wrapper} needs an action space with named actions; {space!r:.100} does not have names."
        remedy = "Make the environment with its named action space, which is the first."
        raise InvalidInput(message, field="action_space", value=repr(space)[:100], remedy=remedy)
    return tuple(names)


def refuse_option(wrapper: str, options: Any, name: str, allowed: object) -> None:  # noqa: ANN401 # of any type
    """Refuse that ``reset(options=…)`` changes what a wrapper depends on.

    Raises:
        InvalidInput: The option is given, and is not ``allowed``.
    """
    if isinstance(options, Mapping) and name in options and options[name] != allowed:
        message = f"{wrapper} was made for the {name} {allowed!r}, which reset() cannot change."
        remedy = f"Leave {name} out, or wrap an environment that was made with another."
        raise InvalidInput(message, field=name, value=options[name], remedy=remedy)


def number(field: str, value: object) -> float:
    """``value``, a finite number, as a float.

    Raises:
        InvalidInput: It is anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        message = f"{field} is {value!r:.100}."
        raise InvalidInput(message, field=field, value=value, remedy="Give a finite number.")
    return float(value)
