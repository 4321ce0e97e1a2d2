"""Flattens the REST framework's nested validation errors into one list: field, row, value, remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from optarena.documents.places import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.errors import Problem

_SECRET_FIELDS: Final = frozenset({"password", "new_password", "token"})
_REMEDIES: Final = {
    "required": "Add this field.",
    "null": "Give a value, or leave the field out.",
    "blank": "Give a value that is not empty.",
    "empty": "Give at least one element.",
    "invalid": "Give a value of the documented type.",
    "invalid_choice": "Use one of the documented values.",
    "does_not_exist": "Use an existing name; the lists under /api/v1/ show them.",
    "max_length": "Shorten the value.",
    "min_length": "Give a longer value.",
    "max_value": "Give a smaller value.",
    "min_value": "Give a larger value.",
    "not_a_list": "Give a list.",
    "unique": "Choose another value.",
}


def problem_as_dict(problem: Problem) -> dict[str, Any]:
    """One field error as it stands in a problem document."""
    entry: dict[str, Any] = {"field": problem.field}
    if problem.row is not None:
        entry["row"] = problem.row
    return entry | {
        "value": shown(problem.value),
        "message": problem.message,
        "remedy": problem.remedy,
    }


def field_errors(detail: object, data: object) -> list[dict[str, Any]]:
    """All errors of a validation, in document order.

    Args:
        detail: The ``detail`` of a ``ValidationError``: nested dicts and lists of ``ErrorDetail``.
        data: The document that was checked, from which offending values are quoted (never secrets).
    """
    return [_entry(path, error, data) for path, error in _walk((), detail)]


def _walk(path: tuple[str | int, ...], detail: object) -> Iterator[tuple[tuple[str | int, ...], object]]:
    if isinstance(detail, dict):
        for key, inner in detail.items():
            step = () if key == "non_field_errors" else (key,)
            yield from _walk(path + step, inner)
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            step = (position,) if isinstance(inner, dict | list) else ()
            yield from _walk(path + step, inner)
    else:
        yield path, detail


def _entry(path: tuple[str | int, ...], error: object, data: object) -> dict[str, Any]:
    entry: dict[str, Any] = {"field": ".".join(str(step) for step in path)}
    row = next((step for step in path if isinstance(step, int)), None)
    if row is not None:
        entry["row"] = row
    code = str(getattr(error, "code", "invalid"))
    return entry | {
        "value": _value_at(path, data),
        "message": str(error),
        "remedy": getattr(error, "remedy", "") or _REMEDIES.get(code, _REMEDIES["invalid"]),
    }


def _value_at(path: tuple[str | int, ...], data: object) -> str:
    if not path or _SECRET_FIELDS.intersection(step for step in path if isinstance(step, str)):
        return ""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return ""
    return shown(data)
