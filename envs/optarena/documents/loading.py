"""Bytes of JSON and TOML to plain data; refuses what two readers could understand differently."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, Final

from optarena.documents.places import Place
from optarena.documents.texts import is_whole
from optarena.errors import InvalidDocument

MAX_DEPTH: Final = 32
"""More levels of nesting than any valid document has."""
_DIGITS: Final = 4_000
"""The longest integer that Python converts by default."""
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKETS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_SHOWN: Final = 80


def load_json(text: str, *, lenient: bool = False) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Parse a JSON document.

    Args:
        text: The document.
        lenient: Whether NaN, infinities and halves of surrogate pairs are left in, for readers that name the
            field that has one.

    Raises:
        ValueError: It is not JSON, names a key twice, has a number that is not finite or too long, is nested
            too deeply, or contains half of a surrogate pair; the message says which.
    """
    _check_depth(text)
    constant = None if lenient else _refuse_constant
    value = json.loads(text, object_pairs_hook=_object, parse_constant=constant, parse_int=_integer)
    if not lenient and _SURROGATE.search(text) and not is_whole(json.dumps(value, ensure_ascii=False)):
        raise ValueError("it contains half of a surrogate pair, which is not a character")
    return value


def json_document(data: str | bytes, *, field: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The data of a JSON document, read leniently: kinds of values name the field that JSON does not allow.

    Args:
        data: The document.
        field: The document's name in problems.

    Raises:
        InvalidDocument: It is not UTF-8, or not JSON.
    """
    try:
        return load_json(data.decode() if isinstance(data, bytes) else data, lenient=True)
    except (ValueError, RecursionError) as error:
        raise refused(field, f"The document is not JSON: {error}.", "Save it as UTF-8 JSON.") from error


def toml_document(data: bytes, *, field: str) -> dict[str, Any]:
    """The data of a TOML document.

    Raises:
        InvalidDocument: It is not UTF-8, or not TOML.
    """
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise refused(field, f"The document is not TOML: {error}.", "Save it as UTF-8 TOML.") from error


def decode(data: bytes, *, field: str = "document") -> str:
    """The text of a document: UTF-8, with or without a byte order mark.

    Raises:
        InvalidDocument: It is not UTF-8; the problem names the first offending byte.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The document is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}."
        raise refused(field, message, "Save it as UTF-8.") from error


def refused(field: str, message: str, remedy: str, value: object = None) -> InvalidDocument:
    """The error for a document that cannot be read at all."""
    place = Place(path=field)
    place.problem(message, value, remedy)
    return InvalidDocument(place.problems)


def _check_depth(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"it is nested too deeply, in more than {MAX_DEPTH} levels")
        elif match[0] in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value] # add returns None
        raise ValueError(f"the key {twice[:_SHOWN]!r} appears twice in one object")
    return made


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a finite number, and JSON allows no others")


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is too long to be read as a finite number")
    return int(digits)
