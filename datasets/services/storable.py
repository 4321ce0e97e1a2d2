"""Checks that the database can hold a document: text without NUL, finite numbers, no text beyond its column.

A document that has anything else is refused here, with the names of its fields, before anything is written.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from optarena.documents.texts import is_whole
from optarena.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import Model

_LISTED: Final = "benchmarks"
_SHOWN: Final = 100


def unstorable(document: object) -> list[Problem]:
    """Every text and number of JSON data that the database cannot hold, in the order of rows and fields."""
    problems = [
        _problem(path, value, *fault) for path, value in _leaves(document) if (fault := _fault(value))
    ]
    return sorted(problems, key=lambda one: (-1 if one.row is None else one.row, one.field))


def too_long(
    model: type[Model], texts: Mapping[str, str], *, row: int | None = None, path: str = ""
) -> list[Problem]:
    """The texts that are longer than the model's fields.

    Args:
        model: The model.
        texts: The texts, by the names of their fields.
        row: The record that has them; None for the document itself.
        path: Their place in the record.
    """
    problems = []
    for name, text in texts.items():
        most = getattr(model._meta.get_field(name), "max_length", None)  # noqa: SLF001 - Django documents it
        if most is not None and len(text) > most:
            message = f"The text has {len(text)} characters; at most {most} can be stored."
            field = f"{path}.{name}" if path else name
            problems.append(
                Problem(row=row, field=field, value=text[:_SHOWN], message=message, remedy="Shorten it.")
            )
    return problems


def _leaves(document: object) -> Iterator[tuple[tuple[Any, ...], object]]:
    """Every key, and every value that holds no others, with its place; nesting costs no call."""
    left: list[tuple[tuple[Any, ...], object]] = [((), document)]
    while left:
        path, value = left.pop()
        if isinstance(value, dict):
            left.extend(((*path, key), key) for key in value)
            left.extend(((*path, key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            left.extend(((*path, place), inner) for place, inner in enumerate(value))
        else:
            yield path, value


def _fault(value: object) -> tuple[str, str] | None:
    """Why the database cannot hold a value, and what to do; None if it can."""
    if isinstance(value, str):
        if "\0" in value:
            return "The text has a NUL character, which the database cannot hold.", "Use printable text."
        # A surrogate alone is half a character; JSON can write one, UTF-8 cannot.
        if not is_whole(value):
            return (
                "The text has half a character (a lone surrogate).",
                "Write the whole character, or remove it.",
            )
    if isinstance(value, float) and not math.isfinite(value):
        return (
            "The number is not finite, which JSON does not allow.",
            "Give a finite number, or leave it out.",
        )
    return None


def _problem(path: tuple[Any, ...], value: object, message: str, remedy: str) -> Problem:
    is_row = len(path) > 2 and path[0] == _LISTED and isinstance(path[1], int)  # noqa: PLR2004 - a field of a row
    field = ""
    for step in path[2:] if is_row else path:
        field += f"[{step}]" if isinstance(step, int) else f".{step}" if field else step
    return Problem(
        row=path[1] if is_row else None,
        # Both must be printable on a terminal.
        field=ascii(field)[1:-1][:_SHOWN] or "document",
        value=ascii(value)[:_SHOWN],
        message=message,
        remedy=remedy,
    )
