"""Bytes of JSON, TOML and CSV to plain data; refuses what two readers could understand differently."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from optarena.documents.places import Place, quote_value
from optarena.documents.texts import is_encodable
from optarena.errors import InvalidDocument
from optarena.limits import MAX_COLUMNS, MAX_JSON_DEPTH, MAX_SUBMISSION_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

_TOO_DEEP: Final = f"it is nested too deeply, in more than {MAX_JSON_DEPTH} levels"
# An integer that is longer than Python converts by default.
_DIGITS: Final = re.compile(rf"[0-9]{{{sys.int_info.default_max_str_digits + 1},}}")
_LONG_NUMBER: Final = "Exceeds the limit"
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SHOWN: Final = 80
_HOLDERS: Final = frozenset({dict, list})
_QUOTES: Final = "Quote a value that contains commas, and double the quotes inside it."


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
        return load_json(data.decode() if isinstance(data, bytes) else data, lenient=True)
    except (ValueError, RecursionError) as error:
        raise document_error(
            field, f"The document is not JSON: {error}.", "Save it as UTF-8 JSON."
        ) from error


def toml_document(data: bytes, *, field: str) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
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
    # name is taken.
    order: tuple[str, ...]
    needed: tuple[str, ...]
    others: Collection[str] | None
    refuse: Callable[[str, Place], None]


def csv_records(
    text: str, columns: Columns, problems: Place, *, check_count: Callable[[int], None] | None = None
) -> list[tuple[int, dict[str, str]]]:
    # Each with the line on which it begins, from 1. The values of unknown columns are left out. `check_count`
    # gets the number of rows below the first after each row, whatever ends it, and raises if they are too
    # many.
    rows = _rows(text, problems, check_count)
    names: list[str] = list(columns.order)
    if rows:
        first = [cell.strip().casefold() for cell in rows[0][1]]
        if set(first) & set(columns.needed):
            row, names = rows.pop(0)[0], first
            if not _is_header(names, columns, problems.record(row)):
                return []
    known = [_is_known(name, columns) for name in names]
    records = []
    for row, cells in rows:
        if len(cells) == len(names):
            columns_of_row = zip(names, cells, known, strict=True)
            records.append(
                (row, {name: cell for name, cell, is_known in columns_of_row if is_known and cell.strip()})
            )
            continue
        remedy = f"The columns are {','.join(map(quote_value, names))}."
        if len(cells) > len(names):
            remedy += " A command line that contains commas must be in quotes."
        message = f"The row has {len(cells)} column{'' if len(cells) == 1 else 's'} instead of {len(names)}."
        problems.record(row).at("row").problem(message, ",".join(map(quote_value, cells)), remedy)
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
