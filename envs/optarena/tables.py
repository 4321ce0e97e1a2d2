"""Tables of plain texts, which a terminal and a notebook show, each in its own way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Self


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of plain texts.

    Attributes:
        columns: Their headings.
        rows: One text for each column.
        numbers: The columns whose texts are numbers.
        note: A line below the table.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def of_fields(cls, fields: Iterable[tuple[str, str]]) -> Self:
        """A table of one thing: a row for each of its fields that has a text."""
        return cls(("field", "value"), tuple((name, text) for name, text in fields if text))

    def _repr_html_(self) -> str:
        head = self._row("th", self.columns)
        body = "".join(self._row("td", row) for row in self.rows)
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{note}"

    def _row(self, tag: str, texts: tuple[str, ...]) -> str:
        cells = (
            f'<{tag} style="text-align: {"right" if column in self.numbers else "left"}; '
            f'overflow-wrap: anywhere">{escape(text)}</{tag}>'
            for column, text in zip(self.columns, texts, strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>"
