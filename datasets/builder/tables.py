"""Reading TOML tables field by field, collecting every problem instead of stopping at the first."""

from __future__ import annotations

import tomllib
import unicodedata
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets.plain import read_plain
from optarena.errors import InvalidDocument, Problem

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_SHOWN: Final = 80
_MAX_FILE_BYTES: Final = 64 * 1024**2
_UNPRINTED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters that are not printed, but tell terminals or the text around them what to do."""


def toml_of(file: Path) -> dict[str, Any]:
    """The document in a file.

    Raises:
        InvalidDocument: It cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(plain_file(file).decode())
    except (OSError, ValueError, RecursionError) as error:
        problem = Problem(field=file.name, message=f"It cannot be read: {error}.")
        raise InvalidDocument([problem]) from error


def plain_file(file: Path) -> bytes:
    """Content of a file of a suite.

    Raises:
        OSError: It cannot be read, is no regular file, or is larger than any source is.
    """
    return read_plain(file, _MAX_FILE_BYTES)


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

    def text(self, name: str, *, optional: bool = False, most: int = 0, lines: bool = False) -> str:
        """The printable text at ``name``, which must not be empty where it is needed.

        Args:
            name: The field.
            optional: Whether it may be missing.
            most: How many characters it may have; any number if 0.
            lines: Whether it may have more than one line.
        """
        value = self.get(name)
        if value is None and optional:
            return ""
        if not isinstance(value, str) or not value.strip():
            self.problem(name, "It must be a text that is not empty.", value)
            return ""
        text = self._printable(name, value, lines=lines)
        if most and len(text) > most:
            self.problem(name, f"It has {len(text)} characters; at most {most} can be stored.", text)
            return ""
        return text

    def plain(self, name: str) -> str:
        """The text at ``name``, which may be missing or empty, and have any character but NUL."""
        value = self.get(name)
        if value is not None and not isinstance(value, str):
            self.problem(name, "It must be text.", value)
            return ""
        return self._clean(name, value or "")

    def matching(
        self, name: str, pattern: re.Pattern[str], what: str, *, optional: bool = False, most: int = 0
    ) -> str:
        """The text at ``name``, which must match ``pattern``; ``what`` says so in words."""
        value = self.text(name, optional=optional, most=most)
        if value and not pattern.fullmatch(value):
            self.problem(name, f"It must be {what}.", value)
        return value

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """One of ``allowed``, or nothing."""
        value = self.text(name, optional=True)
        if value and value not in allowed:
            self.problem(name, f"It must be one of {', '.join(allowed)}.", value)
        return value

    def texts(self, name: str, *, optional: bool = False, plain: bool = False) -> tuple[str, ...]:
        """The list of printable texts at ``name``; if ``plain``, each as ``plain`` takes it."""
        value = self.get(name)
        if value is None and optional:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.problem(name, "It must be a list of texts.", value)
            return ()
        if not plain and not all(item.strip() for item in value):
            self.problem(name, "It must be a list of texts that are not empty.", value)
            return ()
        read = self._clean if plain else self._printable
        return tuple(read(name, item) for item in value)

    def number(self, name: str, *, most: int) -> int:
        """The whole number above 0 at ``name``, which must not be above ``most``."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            self.problem(name, f"It must be a whole number above 0, of at most {most}.", value)
            return 0
        return value

    def day(self, name: str, *, optional: bool = True) -> str:
        """The day at ``name``, as ISO 8601 writes it."""
        value = self.get(name)
        if (value is None and optional) or (isinstance(value, date) and type(value) is date):
            return "" if value is None else value.isoformat()
        self.problem(name, "It must be a day, as in 2026-11-21, without quotes.", value)
        return ""

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

    def inside(self, field: str, path: str, what: str = "the package") -> str:
        """The path, if it leads nowhere else than into ``what``; else nothing."""
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or "\0" in path:
            self.problem(field, f"It must lie inside {what}.", path)
            return ""
        return path

    def unique(self, field: str, names: Sequence[str]) -> None:
        """Names that are there twice are a problem of ``field``."""
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            self.problem(field, "The name is used twice.", name)

    def _label(self, item: Mapping[str, Any], number: int) -> object:
        """Top tables are called by their names; those inside them are few, and counted."""
        name = item.get("name")
        return _shown(name) if not self.place and isinstance(name, str) and name else number

    def _clean(self, name: str, value: str) -> str:
        """A text, if programs can be given it and a database can keep it."""
        if "\0" in value:
            self.problem(name, "It must not contain the character NUL.", value)
            return ""
        return value

    def _printable(self, name: str, value: str, *, lines: bool = False) -> str:
        """A text that terminals and pages can show: control characters would be obeyed there."""
        if not self._clean(name, value):
            return ""
        given = value.replace("\n", "") if lines else value
        if any(unicodedata.category(character) in _UNPRINTED for character in given):
            what = "printable text" if lines else "one line of printable text"
            self.problem(name, f"It must be {what}, without control characters.", value)
            return ""
        return value

    def finish(self) -> None:
        """Every field that nobody asked for is a problem."""
        for name in sorted(self.raw.keys() - self._known):
            self.problem(_shown(name), "There is no such field.", self.raw[name])


def _shown(value: object) -> str:
    """A value as messages show it: short, and without what a terminal would obey."""
    try:
        text = "" if value is None else str(value)[:_SHOWN]
    except (ValueError, RecursionError):  # Python writes no number of thousands of digits
        return f"(a {type(value).__name__} too large to be shown)"
    return text if text.isprintable() else ascii(text)
