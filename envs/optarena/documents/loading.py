"""Bytes of JSON and TOML to plain data; refuses what two readers could understand differently."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from typing import TYPE_CHECKING, Any, Final

from optarena.documents.places import Place
from optarena.documents.texts import is_whole
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_DEPTH: Final = 32
"""More levels of nesting than any valid document has."""
_TOO_DEEP: Final = f"it is nested too deeply, in more than {MAX_DEPTH} levels"
_DIGITS: Final = re.compile(rf"[0-9]{{{sys.int_info.default_max_str_digits + 1},}}")
"""An integer that is longer than Python converts by default."""
_LONG_NUMBER: Final = "Exceeds the limit"
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SHOWN: Final = 80
_HOLDERS: Final = frozenset({dict, list})


def load_json(text: str, *, lenient: bool = False, most: int | None = None) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Parse a JSON document.

    Args:
        text: The document.
        lenient: Whether NaN, infinities and halves of surrogate pairs are left in, for readers that name the
            field that has one.
        most: The largest number of keys, and of opening brackets; None for any.

    Raises:
        ValueError: It is not JSON, names a key twice, has ``NaN``, ``Infinity`` or a number that is too long,
            is nested too deeply, has too many keys or brackets, or contains half of a surrogate pair; the
            message says which. A number such as ``1e999`` is infinite: its field refuses it by name.
    """
    if most is not None and text.count("[") + text.count("{") > most:
        raise ValueError(f"it has more than {most:,} brackets that open a list or an object")
    constant = None if lenient else _refuse_constant
    try:
        value = json.loads(text, object_pairs_hook=_Objects(most), parse_constant=constant)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except ValueError as error:
        if number := str(error).startswith(_LONG_NUMBER) and _DIGITS.search(text):
            raise ValueError(
                f"a number of {len(number[0]):,} digits is too long to be read as a finite number"
            ) from error
        raise
    _check_depth(value)
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


def _check_depth(value: object) -> None:
    """Refuse data that is nested too deeply, level by level."""
    level = [value] if type(value) in _HOLDERS else []
    for _ in range(MAX_DEPTH):
        level = [held for one in level for held in _held(one)]
    if level:
        raise ValueError(_TOO_DEEP)


def _held(holder: Any) -> Iterable[object]:  # noqa: ANN401 - a list or an object
    """The lists and objects directly in a list or an object; most hold none, and are long."""
    values = holder.values() if type(holder) is dict else holder
    if _HOLDERS.isdisjoint(map(type, values)):
        return ()
    return (one for one in values if type(one) in _HOLDERS)


class _Objects:
    """Makes the objects of one document, and counts their keys."""

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.number = 0

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self.number += len(pairs)
        if self.most is not None and self.number > self.most:
            raise ValueError(f"it has more than {self.most:,} keys")
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value] # add returns None
            raise ValueError(f"the key {twice[:_SHOWN]!r} appears twice in one object")
        return made


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a finite number, and JSON allows no others")
