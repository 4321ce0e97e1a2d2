"""Reading JSON objects field by field, collecting every problem instead of stopping at the first.

A wrong field reads as an empty value of its type; the caller looks at ``problems`` at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import Problem

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


_LARGEST: Final = 2**53
"""Up to here a float is every integer."""
_NO_TEXT: Final = "It has half of a pair of surrogates, which is no text."


def shown(text: str) -> str:
    """The text as it can be printed anywhere: what is not UTF-8, half of a pair of surrogates, is escaped."""
    return text.encode(errors="backslashreplace").decode()


def _is_text(text: str) -> bool:
    """Whether UTF-8 can write it; JSON can spell what it cannot, half of a pair of surrogates."""
    return text.isascii() or shown(text) == text


def _texts_in(value: object) -> Iterator[str]:
    """All texts in JSON data, names of fields too; without recursion, as it may be nested deeply."""
    values = [value]
    while values:
        match values.pop():
            case str(text):
                yield text
            case list(items):
                values.extend(items)
            case dict(items):
                values.extend((*items, *items.values()))


class Fields:
    """One JSON object that should have certain fields.

    Args:
        raw: What the document has at this place.
        problems: The list that problems are added to.
        row: Index of the record that the object belongs to; None for the document itself.
        path: Name of the object inside its record, for messages.
    """

    def __init__(self, raw: object, problems: list[Problem], row: int | None, path: str = "") -> None:
        self.problems = problems
        self.row = row
        self.path = path
        self.failed = False
        self.valid = isinstance(raw, Mapping)
        self._raw: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        if not self.valid:
            self.problem("", "It must be an object.", raw)

    def problem(self, name: str, message: str, value: object, *, remedy: str = "") -> None:
        """Record that the field ``name`` is wrong."""
        self.failed = True
        place = shown(".".join(part for part in (self.path, name) if part) or "document")
        text = shown(str(value)[:100])[:100]
        problem = Problem(field=place, row=self.row, message=message, value=text, remedy=remedy)
        self.problems.append(problem)

    def child(self, name: str, raw: object) -> Fields:
        """A nested object that was found at ``name``."""
        return Fields(raw, self.problems, self.row, f"{self.path}.{name}" if self.path else name)

    def nested(self, name: str) -> Fields:
        """The object at ``name``."""
        return self.child(name, self._raw.get(name))

    def __contains__(self, name: object) -> bool:
        """Whether the object has a field of this name, whatever is in it."""
        return name in self._raw

    def get(self, name: str) -> object:
        """What is at ``name``, as it is; None where there is nothing."""
        return self._raw.get(name)

    def _get(self, name: str, kind: type | tuple[type, ...], what: str) -> Any:  # noqa: ANN401 # JSON data
        value = self._raw.get(name)
        if isinstance(value, kind) and not isinstance(value, bool):
            return value
        if self.valid:
            self.problem(
                name,
                f"It must be {what}." if name in self._raw else f"It is missing; it must be {what}.",
                value,
            )
        return None

    def text(self, name: str, *, empty: bool = False) -> str:
        """The text at ``name``, which UTF-8 can write."""
        value = self._get(name, str, "a text")
        if self._is_flawed(name, value):
            return ""
        if value == "" and not empty:
            self.problem(name, "It must not be empty.", value)
        return value or ""

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts at ``name``."""
        values = self.items(name)
        if not all(isinstance(value, str) for value in values):
            self.problem(name, "It must be a list of texts.", values)
            return ()
        return () if self._is_flawed(name, values) else tuple(values)

    def filled_texts(self, name: str) -> tuple[str, ...]:
        """The list of texts at ``name``, none of them empty; an empty list where there is no such field."""
        values = self.texts(name) if name in self else ()
        if "" in values:
            self.problem(name, "None of its texts may be empty.", values)
        return values

    def day(self, name: str, *, default: str | None = None) -> str:
        """The day at ``name``, as ISO 8601 writes it: ``2026-11-21``; the default where there is nothing."""
        if default is not None and name not in self:
            return default
        value = self.text(name)
        try:
            is_day = date.fromisoformat(value).isoformat() == value
        except ValueError:
            is_day = not value  # which was told already
        if not is_day:
            self.problem(name, "It must be a day, written as 2026-11-21.", value)
        return value

    def matching(self, name: str, pattern: re.Pattern[str], what: str, *, default: str | None = None) -> str:
        """The text at ``name``, which must match ``pattern``; the default where there is nothing."""
        if default is not None and name not in self._raw:
            return default
        value = self.text(name)
        if value and not pattern.fullmatch(value):
            self.problem(name, f"It must be {what}.", value)
        return value

    def choice(self, name: str, allowed: Collection[str], *, default: str | None = None) -> str:
        """The text at ``name``, which must be one of ``allowed``; the default where there is nothing."""
        if default is not None and name not in self:
            return default
        value = self.text(name)
        if value and value not in allowed:
            self.problem(name, f"It must be one of {', '.join(allowed)}.", value)
        return value

    def integer(self, name: str, *, minimum: int = 0) -> int:
        """The integer at ``name``."""
        value = self._get(name, int, "an integer")
        if value is not None and value < minimum:
            self.problem(name, f"It must be at least {minimum}.", value)
        return minimum if value is None else int(value)

    def number(self, name: str) -> float:
        """The finite, non-negative number at ``name``."""
        value = self._get(name, (int, float), "a number")
        if value is not None and not 0 <= value <= sys.float_info.max:
            self.problem(name, "It must be finite and not negative.", value)
            return 0.0
        return float(value or 0)

    def positive(self, name: str) -> int | float:
        """The number above 0 at ``name``; 1 where there is none."""
        value = self._get(name, (int, float), "a number")
        if value is None:
            return 1
        if not 0 < value <= _LARGEST:
            self.problem(name, f"It must be above 0, and at most {_LARGEST}.", value)
            return 1
        return int(value) if isinstance(value, int) else float(value)

    def names(self, pattern: re.Pattern[str], what: str) -> list[str]:
        """The names of the object's fields; each that does not match ``pattern`` is a problem."""
        for name in self._raw:
            if not pattern.fullmatch(name):
                self.problem(name[:100], f"Its name must be {what}.", name)
        return [name for name in self._raw if pattern.fullmatch(name)]

    def mapping(self, name: str) -> dict[str, Any]:
        """The object at ``name``, as it is, if all texts in it are texts."""
        value = self._get(name, dict, "an object") or {}
        return {} if self._is_flawed(name, value) else dict(value)

    def _is_flawed(self, name: str, value: object) -> bool:
        """Whether a text in JSON data cannot be used as one, which is then a problem."""
        for text in _texts_in(value):
            if not _is_text(text):
                self.problem(name, _NO_TEXT, text, remedy="Write text that UTF-8 can hold.")
                return True
        return False

    def items(self, name: str) -> list[Any]:
        """The list at ``name``, as it is."""
        return list(self._get(name, list, "a list") or [])
