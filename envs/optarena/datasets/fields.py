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


_LARGEST: Final = 2**53
"""Up to here a float is every integer."""


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

    def problem(self, name: str, message: str, value: object) -> None:
        """Record that the field ``name`` is wrong."""
        self.failed = True
        place = ".".join(part for part in (self.path, name) if part) or "document"
        self.problems.append(Problem(field=place, row=self.row, message=message, value=str(value)[:100]))

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
        """The text at ``name``."""
        value = self._get(name, str, "a text")
        if value == "" and not empty:
            self.problem(name, "It must not be empty.", value)
        return value or ""

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts at ``name``."""
        values = self.items(name)
        if not all(isinstance(value, str) for value in values):
            self.problem(name, "It must be a list of texts.", values)
            return ()
        return tuple(values)

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
        """The object at ``name``, as it is."""
        return dict(self._get(name, dict, "an object") or {})

    def items(self, name: str) -> list[Any]:
        """The list at ``name``, as it is."""
        return list(self._get(name, list, "a list") or [])
