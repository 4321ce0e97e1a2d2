"""Kinds of values that hold others: lists and mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optarena.documents.kinds import Json, Kind, T_co, is_nothing
from optarena.documents.texts import is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.documents.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf(Kind[tuple[T_co, ...]]):
    """A list of values of one kind; an unusable one is a problem of the list's own place.

    Attributes:
        item: The kind of the values.
        least: The smallest number of values.
    """

    item: Kind[T_co]
    least: int = 0

    def _what(self) -> str:
        return f"a list of at least {self.least}" if self.least else f"a list, each element {self.item.what}"

    def _empty(self) -> tuple[T_co, ...]:
        return ()

    def _read(self, value: object, place: Place) -> tuple[T_co, ...] | None:
        if not isinstance(value, list):
            return self.refuse(value, place, "The value must be a list.")
        if len(value) < self.least:
            return self.refuse(value, place)
        before = len(place.problems)
        read = (self.item.read(one, place) for one in value)
        usable = tuple(one for one in read if one is not None)
        return usable if len(place.problems) == before else None

    def _schema(self) -> Json:
        least = {"minItems": self.least} if self.least else {}
        return {"type": "array", **least, "items": self.item.schema()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Either(Kind[float | str]):
    """A text or a number.

    Attributes:
        text: What a text must be.
        number: What another value must be.
    """

    text: Kind[str]
    number: Kind[float]

    def _what(self) -> str:
        return f"{self.text.what}, or {self.number.what}"

    def _empty(self) -> float | str:
        return self.number.empty

    def _read(self, value: object, place: Place) -> float | str | None:
        kind: Kind[str] | Kind[float] = self.text if isinstance(value, str) else self.number
        return kind.read(value, place)

    def _schema(self) -> Json:
        return {"oneOf": [self.text.schema(), self.number.schema()]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Integers(Kind[tuple[int | tuple[int, ...], ...]]):
    """A list of whole numbers of any size, or of lists of them, checked in one pass: such lists are long."""

    def _what(self) -> str:
        return "a list of whole numbers, such as [1, 2], or of lists of them, such as [[1, 0], [2, 3]]"

    def _empty(self) -> tuple[int | tuple[int, ...], ...]:
        return ()

    def _read(self, value: object, place: Place) -> tuple[int | tuple[int, ...], ...] | None:
        if not isinstance(value, list):
            return self.refuse(
                value, place, "The value must be a list of whole numbers, or of lists of them."
            )
        if set(map(type, value)) <= {int}:
            return tuple(value)
        for index, one in enumerate(value):
            if type(one) is not int and not (type(one) is list and set(map(type, one)) <= {int}):
                message = (
                    f"Entry {index:,} of the list, counted from 0, is not a whole number or a list of them."
                )
                return self.refuse(one, place, message, "Give a whole number, or a list of them, there.")
        return tuple(tuple(one) if type(one) is list else one for one in value)

    def _schema(self) -> Json:
        number = {"type": "integer"}
        return {"type": "array", "items": {"oneOf": [number, {"type": "array", "items": number}]}}


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOf(Kind[dict[str, T_co]]):
    """An object whose fields are all of one kind, under names that the author chooses.

    Attributes:
        item: The kind of the values.
        is_nullable: Whether null stands for a missing value.
        most: The largest number of values; None for any.
    """

    item: Kind[T_co]
    is_nullable: bool = False
    most: int | None = None

    def _what(self) -> str:
        return f"an object, each value {self.item.what}"

    def _empty(self) -> dict[str, T_co]:
        return {}

    def _read(self, value: object, place: Place) -> dict[str, T_co] | None:
        if not isinstance(value, Mapping):
            return self.refuse(value, place, "The value must be an object.")
        if self.most is not None and len(value) > self.most:
            message = f"The object has {len(value):,} fields; at most {self.most:,} are allowed."
            return self.refuse(None, place, message, "Remove fields.")
        read: dict[str, T_co] = {}
        for name, given in value.items():
            if self.is_nullable and is_nothing(given, place):
                continue
            usable = self.item.read(given, place.at(name))
            if usable is not None:
                read[name] = usable
        return read

    def _schema(self) -> Json:
        item = self.item.schema()
        return {"type": "object", "additionalProperties": nullable(item) if self.is_nullable else item}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyObject(Kind[dict[str, Any]]):
    """An object with any JSON data, whose texts UTF-8 can encode."""

    def _what(self) -> str:
        return "an object"

    def _empty(self) -> dict[str, Any]:
        return {}

    def _read(self, value: object, place: Place) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            return self.refuse(value, place)
        for text in _texts_in(value):
            if not is_whole(text):
                message = "The text contains half of a surrogate pair, which is not a character."
                return self.refuse(text, place, message, "Write text that UTF-8 can encode.")
        return value

    def _schema(self) -> Json:
        return {"type": "object"}


def nullable(schema: Json) -> Json:
    """A schema that also accepts null."""
    return schema | {"type": [schema["type"], "null"]}


def _texts_in(value: object) -> Iterator[str]:
    """All texts in JSON data, names of fields too; without recursion, as it may be nested deeply."""
    values = [value]
    while values:
        match values.pop():
            case str(text):
                yield text
            case list(items):
                values.extend(items)
            case dict(items):
                values.extend((*items, *items.values()))
