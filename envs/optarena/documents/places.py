"""The place of a value in a document, as its author would name it, and the problems there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from optarena.documents.texts import printable
from optarena.errors import InvalidDocument, Problem
from optarena.limits import MAX_PROBLEMS

_AS_JSON: Final = json.JSONEncoder(default=str, ensure_ascii=False)
_VALUES: Final = 3  # Of problems that differ in them alone
SHOWN: Final = 120  # The most characters of a value that a problem quotes, to fit on a line


def quote_value(value: object) -> str:
    if value is None:
        return ""
    try:
        text = value if isinstance(value, str) else _begin(_AS_JSON.iterencode(value))
    except (ValueError, RecursionError):  # Python does not convert a number of thousands of digits
        return f"(a value of type {type(value).__name__}, too large to be shown)"
    return _cut(printable(_cut(text)))


def _begin(parts: Iterable[str]) -> str:
    # The whole may be a document of megabytes.
    text = ""
    for part in parts:
        text += part
        if len(text) > SHOWN:
            break
    return text


def add_problem(problems: list[Problem], problem: Problem) -> None:
    if len(problems) >= MAX_PROBLEMS:
        raise InvalidDocument(problems, is_complete=False)
    problems.append(problem)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


@dataclass(slots=True)
class Place:
    # `path` is such as `effort.compilations` or `workloads[0].name`; `row` is the 1-based row of a CSV
    # document, or the 0-based index of a JSON list; `is_spelled`: every value is a text, numbers too.
    problems: list[Problem] = field(default_factory=list)
    path: str = ""
    row: int | None = None
    is_spelled: bool = False

    def at(self, name: str) -> Place:
        if len(name) > SHOWN or not name.isprintable():
            name = quote_value(name)
        path = f"{self.path}.{name}" if self.path else name
        return Place(self.problems, path, self.row, self.is_spelled)

    def element(self, label: object) -> Place:
        return Place(self.problems, f"{self.path}[{quote_value(label)}]", self.row, self.is_spelled)

    def record(self, row: int) -> Place:
        # Its fields are named without the list around it.
        return Place(self.problems, "", row, self.is_spelled)

    def problem(self, message: str, value: object, remedy: str) -> None:
        where = self.path or "document"
        problem = Problem(field=where, row=self.row, value=quote_value(value), message=message, remedy=remedy)
        add_problem(self.problems, problem)


def group_problems(problems: Iterable[Problem]) -> list[tuple[Problem, list[int]]]:
    # One of the problems that differ only in their rows and values, with all these rows and the first values.
    found: dict[tuple[str, ...], list[Problem]] = {}
    for one in problems:
        found.setdefault((one.field, one.message, one.remedy), []).append(one)
    groups = []
    for same in found.values():
        values = list(dict.fromkeys(one.value for one in same if one.value))
        value = ", ".join(values[:_VALUES]) + (", …" if len(values) > _VALUES else "")
        groups.append((replace(same[0], value=value), [one.row for one in same if one.row is not None]))
    return groups


def list_numbers(numbers: Iterable[int]) -> str:
    # As people do: `3`; `3, 5 to 9 and 12`.
    runs: list[tuple[int, int]] = []
    for one in sorted(set(numbers)):
        first = runs.pop()[0] if runs and one == runs[-1][1] + 1 else one
        runs.append((first, one))
    texts = [f"{first} to {last}" if last > first else str(first) for first, last in runs]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
