"""Kinds of values: what each may be, how problems say so, and its JSON schema.

A kind reads plain data. What it cannot use becomes a problem of its place and reads as None. ``record`` reads
a declared object as a whole; ``Table`` reads the fields of an object one by one, for documents whose fields
depend on each other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from heapq import nsmallest
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlsplit

from optarena.documents.places import Place
from optarena.documents.texts import is_encodable, is_printable
from optarena.errors import InvalidDocument
from optarena.limits import MAX_NUMBER, MAX_PROBLEMS

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Json = dict[str, Any]
WholeNumbers = tuple[int | tuple[int, ...], ...]

_NUMBER: Final = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,4})?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,40}")
_SPECIAL: Final = frozenset({"nan", "inf", "infinity"})
_FLAGS: Final = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_RFC3986: Final = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&()*+,;=%-]+")
_SAME: Final = object()


class ValueRefused(Exception):
    # An empty message says what the value must be, an empty remedy what to give; `value` is its wrong part.

    def __init__(self, message: str = "", remedy: str = "", value: object = _SAME) -> None:
        super().__init__(message)
        self.message, self.remedy, self.value = message, remedy, value


class Missing(ValueRefused):
    """A value counts as missing."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[T_co]):
    # `what` fits after "must be" and "Give"; `empty` stands for an unusable value while the reader goes on;
    # `check` raises ValueRefused, or returns None and leaves a problem of the place.
    what: str
    empty: T_co
    schema: Json = field(repr=False)
    check: Callable[[Any, Place], T_co | None] = field(repr=False)
    fields: Mapping[str, Field] = field(default_factory=dict, repr=False)

    def read(self, value: object, place: Place) -> T_co | None:
        try:
            return self.check(value, place)
        except Missing:
            self.missing(place)
        except ValueRefused as fault:
            message = fault.message or f"The value must be {self.what}."
            given = value if fault.value is _SAME else fault.value
            place.problem(message, given, fault.remedy or f"Give {self.what}.")
        return None

    def require(self, value: object, *, path: str = "") -> T_co:
        place = Place(path=path)
        found = self.read(value, place)
        if place.problems or found is None:
            raise InvalidDocument(place.problems)
        return found

    def missing(self, place: Place) -> None:
        place.problem("The value is missing.", None, f"Add it: {self.what}.")


def text(
    *, longest: int | None = None, lines: bool = False, is_trimmed: bool = False, is_optional: bool = False
) -> Kind[str]:
    form = "printable text" if lines else "one line of printable text"

    def check(value: object, _: Place) -> str:
        given = _string(value).strip() if is_trimmed else _string(value)
        if not given.strip():
            if is_optional:
                return given
            raise Missing
        if not is_printable(given, lines=lines):
            raise ValueRefused(f"The value must be {form}, without control characters.")
        if longest is not None and len(given) > longest:
            message = f"The text has {len(given):,} characters; at most {longest:,} are allowed."
            raise ValueRefused(message, "Shorten it.")
        return given

    what = f"{form} of at most {longest:,} characters" if longest else form
    lengths = {"minLength": 0 if is_optional else 1} | ({} if longest is None else {"maxLength": longest})
    return Kind(what, "", {"type": "string", **lengths}, check)


def data(*, is_optional: bool = False, has_nul: bool = True) -> Kind[str]:
    # For programs. Their arguments, and databases, cannot have the character NUL.
    def check(value: object, _: Place) -> str:
        given = _encodable(_string(value))
        if not has_nul and "\0" in given:
            raise ValueRefused("The text must not contain the character NUL.", "Remove the character.")
        if not given and not is_optional:
            raise Missing
        return given

    what = "a text" if has_nul else "a text without the character NUL"
    return Kind(what, "", {"type": "string", "minLength": 0 if is_optional else 1}, check)


def matching(pattern: re.Pattern[str], form: str, *, longest: int | None = None) -> Kind[str]:
    line = text(longest=longest)

    def check(value: object, place: Place) -> str | None:
        given = line.check(value, place)
        if given and not pattern.fullmatch(given):
            raise ValueRefused
        return given

    return Kind(form, "", line.schema | {"pattern": f"^(?:{pattern.pattern})$"}, check)


def choice(*allowed: str) -> Kind[str]:
    def check(value: object, _: Place) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise ValueRefused
        return value

    return Kind(f"one of {', '.join(allowed)}", "", {"type": "string", "enum": list(allowed)}, check)


def address(
    *,
    schemes: tuple[str, ...] = ("http", "https"),
    is_plain: bool = False,
    longest: int | None = None,
    is_trimmed: bool = False,
    is_optional: bool = False,
) -> Kind[str]:
    # `is_plain`: only the characters of RFC 3986, as for BibTeX.
    line = text(longest=longest, is_trimmed=is_trimmed, is_optional=is_optional)

    def check(value: object, place: Place) -> str | None:
        given = line.check(value, place)
        if not given:
            return given
        try:
            parts = urlsplit(given)
            is_address = parts.scheme in schemes and bool(parts.hostname)
        except ValueError:
            is_address = False
        if not is_address or " " in given or (is_plain and not _RFC3986.fullmatch(given)):
            raise ValueRefused
        return given

    what = f"a web address that begins with {' or '.join(f'{one}://' for one in schemes)}"
    return Kind(what, "", line.schema, check)


def number(
    *, low: float = -MAX_NUMBER, high: float = MAX_NUMBER, above: bool = False, is_whole: bool = False
) -> Kind[float]:
    # True and false do not count. `above`: `low` itself is refused.
    too_small = f"The number must be {'above' if above else 'at least'} {_written(low)}."
    if low == 0 and not above:
        too_small = "The number must not be negative."

    def check(value: object, place: Place) -> float:
        given = spelled_number(value) if place.is_spelled and isinstance(value, str) else value
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise ValueRefused("The value must be a number.")
        if isinstance(given, float) and not math.isfinite(given):
            raise ValueRefused("The value must be a finite number.")
        if is_whole and given != int(given):
            raise ValueRefused("The value must be a whole number.")
        if given > high:
            raise ValueRefused(f"The number is out of range: at most {_written(high)}.")
        if given < low or (above and given == low):
            raise ValueRefused(too_small)
        return int(given) if is_whole else given

    form = "a whole number" if is_whole else "a finite number"
    what = f"{form} {'above' if above else 'from'} {_written(low)} to {_written(high)}"
    least = "exclusiveMinimum" if above else "minimum"
    schema = {"type": "integer" if is_whole else "number", least: low, "maximum": high}
    return Kind(what, 1 if above else max(0, low), schema, check)


def list_of(item: Kind[T], *, least: int = 0, is_numbered: bool = False) -> Kind[tuple[T, ...]]:
    # An unusable value is a problem of the list's own place, or of its number there.
    def check(value: object, place: Place) -> tuple[T, ...] | None:
        if not isinstance(value, list):
            raise ValueRefused("The value must be a list.")
        if len(value) < least:
            raise ValueRefused
        before = len(place.problems)
        places = (place.element(index) if is_numbered else place for index in range(len(value)))
        read = [item.read(one, where) for one, where in zip(value, places, strict=True)]
        usable = tuple(one for one in read if one is not None)
        return usable if len(place.problems) == before else None

    what = f"a list of at least {least}" if least else f"a list, each element {item.what}"
    return Kind(
        what, (), {"type": "array", **({"minItems": least} if least else {}), "items": item.schema}, check
    )


def either(a_text: Kind[str], a_number: Kind[float]) -> Kind[float | str]:
    def check(value: object, place: Place) -> float | str | None:
        return a_text.check(value, place) if isinstance(value, str) else a_number.check(value, place)

    schema = {"oneOf": [a_text.schema, a_number.schema]}
    return Kind(f"{a_text.what}, or {a_number.what}", a_number.empty, schema, check)


def map_of(item: Kind[T], *, is_nullable: bool = False, most: int | None = None) -> Kind[dict[str, T]]:
    # `is_nullable`: null stands for a missing value.
    def check(value: object, place: Place) -> dict[str, T]:
        if not isinstance(value, Mapping):
            raise ValueRefused("The value must be an object.")
        if most is not None and len(value) > most:
            message = f"The object has {len(value):,} fields; at most {most:,} are allowed."
            raise ValueRefused(message, "Remove fields.", None)
        named = ((name, one) for name, one in value.items() if not (is_nullable and is_nothing(one, place)))
        read = {name: item.read(one, place.at(name)) for name, one in named}
        return {name: one for name, one in read.items() if one is not None}

    items = _nullable(item.schema) if is_nullable else item.schema
    what = f"an object, each value {item.what}"
    return Kind(what, {}, {"type": "object", "additionalProperties": items}, check)


def _day(value: object, _: Place) -> str:
    if type(value) is date:
        return value.isoformat()
    try:
        if isinstance(value, str) and date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise ValueRefused


def _flag(value: object, place: Place) -> bool:
    if place.is_spelled and isinstance(value, str):
        value = _FLAGS.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise ValueRefused
    return value


def _integers(value: object, _: Place) -> WholeNumbers:
    # In one pass: such lists are long.
    if not isinstance(value, list):
        raise ValueRefused("The value must be a list of whole numbers, or of lists of them.")
    if set(map(type, value)) <= {int}:
        return tuple(value)
    for index, one in enumerate(value):
        if type(one) is not int and not (type(one) is list and set(map(type, one)) <= {int}):
            message = f"Entry {index:,} of the list, counted from 0, is not a whole number or a list of them."
            raise ValueRefused(message, "Give a whole number, or a list of them, there.", one)
    return tuple(tuple(one) if type(one) is list else one for one in value)


def _any_object(value: object, _: Place) -> Json:
    if not isinstance(value, dict):
        raise ValueRefused
    values: list[object] = [value]
    while values:  # without recursion, as it may be nested deeply
        match values.pop():
            case str(one):
                _encodable(one)
            case list(items):
                values.extend(items)
            case dict(items):
                values.extend((*items, *items.values()))
    return value


_WHOLE: Final = {"type": "integer"}
# A day in ISO 8601, or an unquoted date of TOML.
DAY: Final = Kind("a day, written as 2026-11-21", "", {"type": "string", "format": "date"}, _day)
FLAG: Final = Kind("true or false", empty=False, schema={"type": "boolean"}, check=_flag)
# Whole numbers of any size, or lists of them.
INTEGERS: Final[Kind[WholeNumbers]] = Kind(
    "a list of whole numbers, such as [1, 2], or of lists of them, such as [[1, 0], [2, 3]]",
    (),
    {"type": "array", "items": {"oneOf": [_WHOLE, {"type": "array", "items": _WHOLE}]}},
    _integers,
)
# An object with any JSON data, whose texts UTF-8 can encode.
ANY_OBJECT: Final[Kind[Json]] = Kind("an object", {}, {"type": "object"}, _any_object)


@dataclass(frozen=True, slots=True)
class Field:
    # Null stands for a missing field.
    kind: Kind[Any]
    needed: bool = False
    description: str = ""
    example: object = None

    @property
    def schema(self) -> Json:
        words = {"description": self.description, "example": self.example}
        schema = self.kind.schema if self.needed else _nullable(self.kind.schema)
        return schema | {name: word for name, word in words.items() if word}


def record(
    fields: Mapping[str, Field],
    *,
    description: str = "",
    elsewhere: tuple[str, ...] = (),
    one_of: tuple[str, ...] = (),
) -> Kind[Json]:
    # A field without a usable value is left out. The caller reads the fields `elsewhere`, and checks
    # `one_of`, which is for the schema alone.
    known = {*fields, *elsewhere}

    def check(value: object, place: Place) -> Json:
        if not isinstance(value, dict):
            raise ValueRefused("The value must be an object.")
        read: Json = {}
        for name, declared in fields.items():
            if not is_nothing(given := value.get(name), place):
                read[name] = declared.kind.read(given, place.at(name))
            elif declared.needed:
                declared.kind.missing(place.at(name))
        _refuse_unknown(value, known, place)
        return {name: one for name, one in read.items() if one is not None}

    needed = [name for name, one in fields.items() if one.needed]
    schema = {
        "type": "object",
        **({"description": description} if description else {}),
        **({"required": needed} if needed else {}),
        **({"oneOf": [{"required": [name]} for name in one_of]} if one_of else {}),
        "additionalProperties": False,
        "properties": {name: one.schema for name, one in fields.items()},
    }
    return Kind(f"an object with the fields {', '.join(fields)}", {}, schema, check, fields)


class Table:
    def __init__(self, raw: object, place: Place) -> None:
        self.place = place
        self.is_object = isinstance(raw, Mapping)
        self.raw: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        self._before = len(place.problems)
        self._known: set[str] = set()
        if not self.is_object:
            place.problem("The value must be an object.", raw, "Give an object with named fields.")

    @property
    def failed(self) -> bool:
        return len(self.place.problems) > self._before

    def has(self, name: str) -> bool:
        return name in self.raw

    def get(self, name: str) -> object:
        self._known.add(name)
        return self.raw.get(name)

    def problem(self, name: str, message: str, value: object, remedy: str) -> None:
        self.place.at(name).problem(message, value, remedy)

    def need(self, name: str, kind: Kind[T]) -> T:
        # An empty value stands for one that is missing or unusable.
        read = self.find(name, kind)
        if self.is_object and not self.has(name):
            kind.missing(self.place.at(name))
        return kind.empty if read is None else read

    def find(self, name: str, kind: Kind[T]) -> T | None:
        value = self.get(name)
        return kind.read(value, self.place.at(name)) if self.has(name) else None

    def table(self, name: str) -> Table:
        return Table(self.get(name), self.place.at(name))

    def names(self, kind: Kind[str]) -> list[str]:
        self._known.update(self.raw)
        return [name for name in self.raw if kind.read(name, self.place.at(name)) is not None]

    def tables(self, name: str, *, by_name: bool = False, are_records: bool = False) -> list[Table]:
        # Problems identify each by its own field `name` (`by_name`), or by its row, and then its fields
        # without the list's name (`are_records`).
        values = self.get(name)
        if not self.has(name):
            return []
        place = self.place.at(name)
        if not isinstance(values, list):
            place.problem("The value must be a list of objects.", values, "Give a list of objects.")
            return []
        if are_records:
            return [Table(one, self.place.record(row)) for row, one in enumerate(values)]
        tables = []
        for row, one in enumerate(values):
            label = one.get("name") if by_name and isinstance(one, Mapping) else None
            tables.append(Table(one, place.element(label if isinstance(label, str) and label else row)))
        return tables

    def unique(self, name: str, values: Sequence[str]) -> None:
        for value in sorted({one for one in values if one and values.count(one) > 1}):
            self.problem(name, "The name is used twice.", value, "Rename or remove one of the two.")

    def finish(self) -> None:
        _refuse_unknown(self.raw, self._known, self.place)


def is_nothing(value: object, place: Place) -> bool:
    # Null, or blank text where every value is a text.
    return value is None or (place.is_spelled and isinstance(value, str) and not value.strip())


def spelled_number(given: str) -> object:
    # Also NaN and infinities, to be refused as such.
    given = given.strip()
    if _INTEGER.fullmatch(given):
        return int(given)
    special = given.casefold().lstrip("+-") in _SPECIAL
    return float(given) if special or _NUMBER.fullmatch(given) else given


def _refuse_unknown(raw: Mapping[str, Any], known: set[str], place: Place) -> None:
    if unknown := raw.keys() - known:
        remedy = f"The fields are: {', '.join(sorted(known))}."
        # As many as are listed, and one to tell that there are more: a hostile document has very many.
        for name in nsmallest(MAX_PROBLEMS + 1, unknown):
            place.at(name).problem("There is no such field.", raw[name], remedy)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueRefused("The value must be a text.")
    return value


def _encodable(given: str) -> str:
    if not is_encodable(given):
        message = "The text contains half of a surrogate pair, which is not a character."
        raise ValueRefused(message, "Write text that UTF-8 can encode.", given)
    return given


def _nullable(schema: Json) -> Json:
    return schema | {"type": [schema["type"], "null"]}


def _written(value: float) -> str:
    return f"{value:g}" if abs(value) >= 10**6 else str(value)
