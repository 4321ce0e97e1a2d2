"""Reading TOML tables field by field, collecting every problem instead of stopping at the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.errors import Problem

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping


class Table:
    """One TOML table that should have certain fields; a wrong one reads as an empty value of its type.

    Args:
        raw: What the document has at this place.
        place: Name of the table for messages, with a dot at its end; empty for the document.
        problems: The list that problems are added to.
    """

    def __init__(self, raw: object, place: str, problems: list[Problem]) -> None:
        self.raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        self.place = place
        self.problems = problems
        self._known: set[str] = set()

    def problem(self, field: str, message: str, value: object) -> None:
        """Record that a field is wrong."""
        self.problems.append(Problem(field=f"{self.place}{field}", message=message, value=_shown(value)))

    def get(self, name: str) -> object:
        """The value at ``name``, whatever it is; None if there is none."""
        self._known.add(name)
        return self.raw.get(name)

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        return name in self.raw

    def text(self, name: str, *, optional: bool = False) -> str:
        """The text at ``name``, which must not be empty where it is needed."""
        value = self.get(name)
        if value is None and optional:
            return ""
        if not isinstance(value, str) or not value.strip():
            self.problem(name, "It must be a text that is not empty.", value)
            return ""
        return self._clean(name, value)

    def plain(self, name: str) -> str:
        """The text at ``name``, which may be missing or empty."""
        value = self.get(name)
        if value is not None and not isinstance(value, str):
            self.problem(name, "It must be text.", value)
            return ""
        return self._clean(name, value or "")

    def matching(self, name: str, pattern: re.Pattern[str], what: str, *, optional: bool = False) -> str:
        """The text at ``name``, which must match ``pattern``."""
        value = self.text(name, optional=optional)
        if value and not pattern.fullmatch(value):
            self.problem(name, f"It must be {what}.", value)
        return value

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """One of ``allowed``, or nothing."""
        value = self.text(name, optional=True)
        if value and value not in allowed:
            self.problem(name, f"It must be one of {', '.join(allowed)}.", value)
        return value

    def texts(self, name: str, *, optional: bool = False, blank: bool = False) -> tuple[str, ...]:
        """The list of texts at ``name``, which may be empty themselves if ``blank``."""
        value = self.get(name)
        if value is None and optional:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.problem(name, "It must be a list of texts.", value)
            return ()
        if not blank and not all(item.strip() for item in value):
            self.problem(name, "It must be a list of texts that are not empty.", value)
            return ()
        return tuple(self._clean(name, item) for item in value)

    def number(self, name: str, *, most: int) -> int:
        """The whole number above 0 at ``name``, which must not be above ``most``."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            self.problem(name, f"It must be a whole number above 0, of at most {most}.", value)
            return 0
        return value

    def switch(self, name: str, *, default: bool) -> bool:
        """``true`` or ``false`` at ``name``."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            self.problem(name, "It must be true or false.", value)
        return value if isinstance(value, bool) else default

    def mapping(self, name: str) -> dict[str, str]:
        """The table of texts at ``name``, empty if there is none."""
        value = self.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            self.problem(name, "It must be a table of texts.", value)
            return {}
        return {key: self._clean(name, one) for key, one in value.items()}

    def table(self, name: str) -> Table:
        """The table at ``name``."""
        return Table(self.get(name), f"{self.place}{name}.", self.problems)

    def tables(self, name: str, *, optional: bool = False) -> list[Table]:
        """The array of tables at ``name``; each is named by its number, or by its own ``name``."""
        value = self.get(name)
        if value is None and optional:
            return []
        if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
            self.problem(name, f"At least one [[{name}]] table is needed.", value)
            return []
        return [
            Table(item, f"{self.place}{name}[{self._label(item, number)}].", self.problems)
            for number, item in enumerate(value)
        ]

    def _label(self, item: Mapping[str, Any], number: int) -> object:
        """Top tables are called by their names; those inside them are few, and counted."""
        name = item.get("name")
        return name if not self.place and isinstance(name, str) and name else number

    def _clean(self, name: str, value: str) -> str:
        """A text, if programs can be given it and a database can keep it."""
        if "\0" in value:
            self.problem(name, "It must not contain the character NUL.", repr(value))
            return ""
        return value

    def finish(self) -> None:
        """Every field that nobody asked for is a problem."""
        for name in sorted(self.raw.keys() - self._known):
            self.problem(name, "There is no such field.", self.raw[name])


def _shown(value: object) -> str:
    """A value as messages show it."""
    try:
        return "" if value is None else str(value)[:80]
    except (ValueError, RecursionError):  # Python writes no number of thousands of digits
        return f"(a {type(value).__name__} too large to be shown)"
