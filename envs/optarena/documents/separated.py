"""Rows of CSV to records of texts: header, quoting, line ends and row numbers."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.documents.places import shown
from optarena.limits import MAX_COLUMNS, MAX_SUBMISSION_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from optarena.documents.places import Place

_QUOTES: Final = "Quote a value that contains commas, and double the quotes inside it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns that a document may have.

    Attributes:
        order: Their order if there is no header.
        needed: The required columns; a first row with one of them is a header.
        others: Further columns, in any number; None if every name is taken.
        refuse: Records that a column does not exist.
    """

    order: tuple[str, ...]
    needed: tuple[str, ...]
    others: Collection[str] | None
    refuse: Callable[[str, Place], None]


def csv_records(
    text: str, columns: Columns, problems: Place, *, check_count: Callable[[int], None] | None = None
) -> list[tuple[int, dict[str, str]]]:
    """The records of a CSV document, each with the line of the file on which it begins, counted from 1.

    Blank rows are skipped.

    An unknown column is a problem of the header, and its values are left out.

    Args:
        text: The document.
        columns: Its columns.
        problems: Where problems are recorded.
        check_count: Called with the number of rows below the first after each row, whatever ends it; raises
            if there are too many.
    """
    rows = _rows(text, problems, check_count)
    names: list[str] = list(columns.order)
    if rows:
        first = [cell.strip().casefold() for cell in rows[0][1]]
        if set(first) & set(columns.needed):
            row, names = rows.pop(0)[0], first
            if not _is_header(names, columns, problems.record(row)):
                return []
    records = []
    for row, cells in rows:
        if len(cells) == len(names):
            records.append((row, _record(names, cells, columns)))
        else:
            _wrong_count(cells, names, problems.record(row))
    return records


def _rows(
    text: str, problems: Place, check_count: Callable[[int], None] | None
) -> list[tuple[int, list[str]]]:
    # One value may be as long as a whole document: a command line of thousands of actions.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_SUBMISSION_BYTES))
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    begins = 1
    try:
        for count, cells in enumerate(reader):
            row, begins = begins, reader.line_num + 1
            if check_count is not None:
                check_count(count)
            if len(cells) > MAX_COLUMNS:
                message = f"The row has {len(cells):,} columns; at most {MAX_COLUMNS:,} are allowed."
                problems.record(row).at("row").problem(message, None, "Remove columns.")
            elif "".join(cells).strip():
                rows.append((row, cells))
    except csv.Error as error:
        problems.record(begins).problem(f"The row is not CSV: {error}.", None, _QUOTES)
    return rows


def _is_header(names: Sequence[str], columns: Columns, place: Place) -> bool:
    """Whether a header can be used; everything wrong with it is recorded."""
    is_usable = True
    for name in dict.fromkeys(names):
        if not _is_known(name, columns):
            columns.refuse(name, place.at(name or "header"))
        elif names.count(name) > 1:
            place.at(name).problem(f"The column {name!r} appears twice.", name, "Remove one of them.")
            is_usable = False
    for name in columns.needed:
        if name not in names:
            remedy = f"Add it; the columns are {', '.join(columns.order)}."
            place.at(name).problem(f"The column {name!r} is missing.", None, remedy)
            is_usable = False
    return is_usable


def _is_known(name: str, columns: Columns) -> bool:
    if name in columns.order:
        return True
    return bool(name) if columns.others is None else name in columns.others


def _record(names: Sequence[str], cells: Sequence[str], columns: Columns) -> dict[str, str]:
    pairs = zip(names, cells, strict=True)
    return {name: cell for name, cell in pairs if cell.strip() and _is_known(name, columns)}


def _wrong_count(cells: Sequence[str], names: Sequence[str], place: Place) -> None:
    remedy = f"The columns are {','.join(map(shown, names))}."
    if len(cells) > len(names):
        remedy += " A command line that contains commas must be in quotes."
    place.at("row").problem(
        f"The row has {len(cells)} columns instead of {len(names)}.", ",".join(map(shown, cells)), remedy
    )
