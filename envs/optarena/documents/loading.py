"""Bytes of JSON, TOML and CSV to plain data; refuses what two readers could understand differently."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from optarena.documents.places import Place, quote_value
from optarena.documents.texts import is_encodable
from optarena.errors import InvalidDocument
from optarena.limits import MAX_COLUMNS, MAX_JSON_DEPTH, MAX_SUBMISSION_BYTES

_TOO_DEEP: Final = f"it is nested too deeply, in more than {MAX_JSON_DEPTH} levels"
# An integer that is longer than Python converts by default.
_DIGITS: Final = re.compile(rf"[0-9]{{{sys.int_info.default_max_str_digits + 1},}}")
_LONG_NUMBER: Final = "Exceeds the limit"
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SHOWN: Final = 80
_HOLDERS: Final = frozenset({dict, list})
_DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
# Excel writes such a line above the header, and reads it as the delimiter.
_NAMED_DELIMITER: Final = re.compile(r"sep=([,;\t])(?:\r\n?|\n|$)", re.IGNORECASE)
# With tabs, it may be one of thousands as well.
_UNCLEAR_COMMA: Final = re.compile(r"\s*[+-]?[0-9]{1,3},[0-9]{3}\s*")
_DECIMAL_COMMA: Final = re.compile(r"\s*([+-]?[0-9]*),([0-9]+(?:[eE][+-]?[0-9]+)?)\s*")


def load_json(text: str, *, lenient: bool = False, most: int | None = None) -> Any:  # noqa: ANN401 - whatever JSON holds
    # `lenient` leaves in NaN, infinities and halves of surrogate pairs, for readers that name the field that
    # has one. `most` limits the keys, and the opening brackets. A number such as 1e999 is infinite: its field
    # refuses it.
    if most is not None and text.count("[") + text.count("{") > most:
        raise ValueError(f"it has more than {most:,} brackets that open a list or an object")
    try:
        constant = None if lenient else _refuse_constant
        value = json.loads(text, object_pairs_hook=_object_maker(most), parse_constant=constant)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except ValueError as error:
        if number := str(error).startswith(_LONG_NUMBER) and _DIGITS.search(text):
            raise ValueError(
                f"a number of {len(number[0]):,} digits is too long to be read as a finite number"
            ) from error
        raise
    level = [value] if type(value) in _HOLDERS else []
    for _ in range(MAX_JSON_DEPTH):
        level = [held for one in level for held in _held(one)]
    if level:
        raise ValueError(_TOO_DEEP)
    if not lenient and _SURROGATE.search(text) and not is_encodable(json.dumps(value, ensure_ascii=False)):
        raise ValueError("it contains half of a surrogate pair, which is not a character")
    return value


def _object_maker(most: int | None) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    number = 0

    def make(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal number
        number += len(pairs)
        if most is not None and number > most:
            raise ValueError(f"it has more than {most:,} keys")
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    raise ValueError(f"the key {key[:_SHOWN]!r} appears twice in one object")
                seen.add(key)
        return made

    return make


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a finite number, and JSON allows no others")


def json_document(data: str | bytes, *, field: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    # Leniently: kinds of values name the field that JSON does not allow.
    try:
        return load_json(data.decode("utf-8-sig") if isinstance(data, bytes) else data, lenient=True)
    except (ValueError, RecursionError) as error:
        raise document_error(
            field, f"The document is not JSON: {error}.", "Save it as UTF-8 JSON."
        ) from error


def toml_document(data: bytes, *, field: str) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise document_error(
            field, f"The document is not TOML: {error}.", "Save it as UTF-8 TOML."
        ) from error


def decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The document is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}."
        raise document_error("document", message, "Save it as UTF-8.") from error


def document_error(field: str, message: str, remedy: str, value: object = None) -> InvalidDocument:
    place = Place(path=field)
    place.problem(message, value, remedy)
    return InvalidDocument(place.problems)


def _held(holder: Any) -> Iterable[object]:  # noqa: ANN401 - a list or an object
    # Most hold none, and are long.
    values = holder.values() if type(holder) is dict else holder
    if _HOLDERS.isdisjoint(map(type, values)):
        return ()
    return (one for one in values if type(one) in _HOLDERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    # `order` counts if there is no header; a first row with one of `needed` is one; `others` is None if every
    # name is taken. All but `texts` have numbers.
    order: tuple[str, ...]
    needed: tuple[str, ...]
    others: Collection[str] | None
    texts: tuple[str, ...]
    refuse: Callable[[str, Place], None]


def csv_records(
    text: str, columns: Columns, problems: Place, *, check_count: Callable[[int], None] | None = None
) -> list[tuple[int, dict[str, str]]]:
    # Each with the line on which it begins, from 1. The values of unknown columns are left out. `check_count`
    # gets the number of rows below the first after each row, whatever ends it, and raises if they are too
    # many.
    # One value may be as long as a whole document: a command line of thousands of actions.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_SUBMISSION_BYTES))
    named = _NAMED_DELIMITER.match(text)
    delimiter = named[1] if named else _delimiter(text, columns)
    rows = _rows(text, delimiter, problems, check_count, start=named.end() if named else 0)
    names: list[str] = list(columns.order)
    remedy = f"The columns are {','.join(names)}, unless a header names others."
    if rows and set(map(_name, rows[0].cells)) & set(columns.needed):
        header = rows.pop(0)
        names = list(map(_name, header.cells))
        remedy = f"The columns are {','.join(map(quote_value, names))}."
        if not _is_header(header, rows, columns, problems.record(header.line)):
            return []
    elif all(len(one.cells) != len(names) for one in rows):
        rows = rows[:1]  # the others would say the same
    known = [_is_known(name, columns) for name in names]
    records = []
    for row in rows:
        count = len(row.cells)
        if count == len(names):
            cells = zip(names, row.cells, known, strict=True)
            found = {name: cell for name, cell, is_known in cells if is_known and cell.strip()}
            records.append((row.line, found if delimiter == "," else _with_points(found, columns, delimiter)))
            continue
        message = f"The row has {count} column{'' if count == 1 else 's'} instead of {len(names)}."
        if count > len(names):
            quoting = f" A command line that contains {_DELIMITERS[delimiter]} must be in quotes."
        else:
            quoting = ""
        problems.record(row.line).at("row").problem(message, row.text, remedy + quoting)
    return records


def _with_points(cells: dict[str, str], columns: Columns, delimiter: str) -> dict[str, str]:
    # A comma that does not separate cells is that of a number.
    def is_left(name: str, cell: str) -> bool:
        return name in columns.texts or (delimiter == "\t" and _UNCLEAR_COMMA.fullmatch(cell) is not None)

    return {
        name: cell if is_left(name, cell) else _DECIMAL_COMMA.sub(r"\1.\2", cell)
        for name, cell in cells.items()
    }


class _Row(NamedTuple):
    line: int
    cells: list[str]
    text: str


def _name(cell: str) -> str:
    return cell.strip().casefold()


def _delimiter(text: str, columns: Columns) -> str:
    # Spreadsheets write semicolons where numbers have decimal commas, and tabs where cells are copied.
    first = next((line for line in io.StringIO(text, newline="") if line.strip()), "")
    split = {one: next(csv.reader([first], delimiter=one)) for one in _DELIMITERS}
    for delimiter, cells in split.items():
        if set(map(_name, cells)) & set(columns.needed):
            return delimiter
    whole = split[","][:1]
    is_row = (one for one in _DELIMITERS if one in "".join(whole) and len(split[one]) == len(columns.order))
    return next(is_row, ",")


def _rows(
    text: str, delimiter: str, problems: Place, check_count: Callable[[int], None] | None, *, start: int
) -> list[_Row]:
    # `start` is the beginning of the first row: of the document, or of its second line.
    rows: list[_Row] = []
    lines: list[str] = []  # of the row that is being read

    def kept() -> Iterable[str]:
        for line in io.StringIO(text[start:], newline=""):
            lines.append(line)
            yield line

    reader = csv.reader(kept(), delimiter=delimiter, strict=True)
    first = begins = 2 if start else 1
    try:
        for count, cells in enumerate(reader):
            row, begins = _Row(begins, cells, "".join(lines).rstrip("\r\n")), reader.line_num + first
            lines.clear()
            if check_count is not None:
                check_count(count)
            if len(cells) > MAX_COLUMNS:
                message = f"The row has {len(cells):,} columns; at most {MAX_COLUMNS:,} are allowed."
                problems.record(row.line).at("row").problem(message, None, "Remove columns.")
            elif "".join(cells).strip():
                rows.append(row)
    except csv.Error as error:
        remedy = f"Quote a value that contains {_DELIMITERS[delimiter]}, and double the quotes inside it."
        problems.record(begins).problem(f"The row is not CSV: {error}.", None, remedy)
    return rows


def _is_header(header: _Row, rows: Sequence[_Row], columns: Columns, place: Place) -> bool:
    is_usable = True
    written = {_name(cell): cell.strip() for cell in reversed(header.cells)}
    names = list(map(_name, header.cells))
    for name in dict.fromkeys(filter(None, names)):
        if not _is_known(name, columns):
            columns.refuse(written[name], place.at(name))
        elif names.count(name) > 1:
            place.at(name).problem(
                f"The column {name!r} appears twice.", written[name], "Remove one of them."
            )
            is_usable = False
    for number, name in enumerate(names):
        # The first column of a table may be its index, which pandas and R leave without a name.
        if number and not name and any("".join(row.cells[number : number + 1]).strip() for row in rows):
            place.at("header").problem(f"Column {number + 1} has no name.", None, "Name it, or remove it.")
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
