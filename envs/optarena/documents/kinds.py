"""Kinds of single values: what each may be, how problems say so, and its JSON schema.

A kind reads plain data. What it cannot use becomes a problem of its place and reads as None.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar
from urllib.parse import urlsplit

from optarena.documents.texts import is_printable, is_whole
from optarena.limits import MAX_NUMBER

if TYPE_CHECKING:
    from optarena.documents.places import Place

T_co = TypeVar("T_co", covariant=True)
Json = dict[str, Any]

_NUMBER: Final = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,4})?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,40}")
_SPECIAL: Final = frozenset({"nan", "inf", "infinity"})
_FLAGS: Final = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_RFC3986: Final = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&()*+,;=%-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(ABC, Generic[T_co]):
    """A kind of value."""

    @property
    def what(self) -> str:
        """The kind in words that fit after "must be" and "Give"."""
        return self._what()

    @property
    def empty(self) -> T_co:
        """What stands for an unusable value while the reader goes on."""
        return self._empty()

    def read(self, value: object, place: Place) -> T_co | None:
        """The value, if it is of this kind; else None, and a problem of the place."""
        return self._read(value, place)

    def schema(self) -> Json:
        """The kind as a JSON schema."""
        return self._schema()

    @abstractmethod
    def _what(self) -> str: ...

    @abstractmethod
    def _empty(self) -> T_co: ...

    @abstractmethod
    def _read(self, value: object, place: Place) -> T_co | None: ...

    @abstractmethod
    def _schema(self) -> Json: ...

    def refuse(self, value: object, place: Place, message: str = "", remedy: str = "") -> T_co | None:
        """Record that a value is not of this kind; return None, which stands for it."""
        place.problem(message or f"The value must be {self.what}.", value, remedy or f"Give {self.what}.")
        return None

    def missing(self, place: Place, value: object = None) -> T_co | None:
        """Record that the value is missing; return None."""
        place.problem("The value is missing.", value, f"Add it: {self.what}.")
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Kind[str]):
    """Printable text for people.

    Attributes:
        longest: The most characters it may have; None for any number.
        lines: Whether it may have several lines.
        is_trimmed: Whether white space around it is removed.
        is_optional: Whether it may be empty.
    """

    longest: int | None = None
    lines: bool = False
    is_trimmed: bool = False
    is_optional: bool = False

    def _what(self) -> str:
        text = "printable text" if self.lines else "one line of printable text"
        return f"{text} of at most {self.longest:,} characters" if self.longest else text

    def _empty(self) -> str:
        return ""

    def _read(self, value: object, place: Place) -> str | None:
        if not isinstance(value, str):
            return self.refuse(value, place, "The value must be a text.")
        text = value.strip() if self.is_trimmed else value
        if not text.strip():
            return text if self.is_optional else self.missing(place)
        if not is_printable(text, lines=self.lines):
            what = "printable text" if self.lines else "one line of printable text"
            return self.refuse(value, place, f"The value must be {what}, without control characters.")
        if self.longest is not None and len(text) > self.longest:
            message = f"The text has {len(text):,} characters; at most {self.longest:,} are allowed."
            return self.refuse(value, place, message, "Shorten it.")
        return text

    def _schema(self) -> Json:
        lengths = {"minLength": 0 if self.is_optional else 1}
        return {"type": "string", **lengths, **({} if self.longest is None else {"maxLength": self.longest})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Data(Kind[str]):
    """Text for programs: any characters that UTF-8 can encode.

    Attributes:
        is_optional: Whether it may be empty.
        has_nul: Whether it may have the character NUL, which a program's arguments and databases cannot.
    """

    is_optional: bool = False
    has_nul: bool = True

    def _what(self) -> str:
        return "a text" if self.has_nul else "a text without the character NUL"

    def _empty(self) -> str:
        return ""

    def _read(self, value: object, place: Place) -> str | None:
        if not isinstance(value, str):
            return self.refuse(value, place, "The value must be a text.")
        if not is_whole(value):
            message = "The text contains half of a surrogate pair, which is not a character."
            return self.refuse(value, place, message, "Write text that UTF-8 can encode.")
        if not self.has_nul and "\0" in value:
            return self.refuse(
                value, place, "The text must not contain the character NUL.", "Remove the character."
            )
        return value if value or self.is_optional else self.missing(place, value)

    def _schema(self) -> Json:
        return {"type": "string", "minLength": 0 if self.is_optional else 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching(Kind[str]):
    """A text of a given form.

    Attributes:
        pattern: Matches the whole text.
        form: The form in words: "64 hexadecimal digits".
        longest: The most characters it may have; None for any number.
    """

    pattern: re.Pattern[str]
    form: str
    longest: int | None = None

    def _what(self) -> str:
        return self.form

    def _empty(self) -> str:
        return ""

    def _read(self, value: object, place: Place) -> str | None:
        text = Text(longest=self.longest).read(value, place)
        return self.refuse(value, place) if text and not self.pattern.fullmatch(text) else text

    def _schema(self) -> Json:
        return Text(longest=self.longest).schema() | {"pattern": f"^(?:{self.pattern.pattern})$"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Kind[str]):
    """One of a few words."""

    allowed: tuple[str, ...]

    def _what(self) -> str:
        return f"one of {', '.join(self.allowed)}"

    def _empty(self) -> str:
        return ""

    def _read(self, value: object, place: Place) -> str | None:
        return value if isinstance(value, str) and value in self.allowed else self.refuse(value, place)

    def _schema(self) -> Json:
        return {"type": "string", "enum": list(self.allowed)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Address(Kind[str]):
    """An address on the web.

    Attributes:
        schemes: How it may begin.
        is_plain: Whether it may only have the characters of RFC 3986, as for BibTeX.
        longest: The most characters it may have; None for any number.
        is_trimmed: Whether white space around it is removed.
        is_optional: Whether it may be empty.
    """

    schemes: tuple[str, ...] = ("http", "https")
    is_plain: bool = False
    longest: int | None = None
    is_trimmed: bool = False
    is_optional: bool = False

    def _what(self) -> str:
        return f"a web address that begins with {' or '.join(f'{one}://' for one in self.schemes)}"

    def _empty(self) -> str:
        return ""

    def _read(self, value: object, place: Place) -> str | None:
        text = self._text.read(value, place)
        return self.refuse(value, place) if text and not self._is_address(text) else text

    def _schema(self) -> Json:
        return self._text.schema()

    @property
    def _text(self) -> Text:
        return Text(longest=self.longest, is_trimmed=self.is_trimmed, is_optional=self.is_optional)

    def _is_address(self, text: str) -> bool:
        if " " in text or (self.is_plain and not _RFC3986.fullmatch(text)):
            return False
        try:
            parts = urlsplit(text)
            return parts.scheme in self.schemes and bool(parts.hostname)
        except ValueError:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Day(Kind[str]):
    """A day in ISO 8601, or an unquoted date of TOML."""

    def _what(self) -> str:
        return "a day, written as 2026-11-21"

    def _empty(self) -> str:
        return ""

    def _read(self, value: object, place: Place) -> str | None:
        if type(value) is date:
            return value.isoformat()
        try:
            is_day = isinstance(value, str) and date.fromisoformat(value).isoformat() == value
        except ValueError:
            is_day = False
        return str(value) if is_day else self.refuse(value, place)

    def _schema(self) -> Json:
        return {"type": "string", "format": "date"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Kind[bool]):
    """True or false."""

    def _what(self) -> str:
        return "true or false"

    def _empty(self) -> bool:
        return False

    def _read(self, value: object, place: Place) -> bool | None:
        if place.is_spelled and isinstance(value, str):
            value = _FLAGS.get(value.strip().lower(), value)
        return value if isinstance(value, bool) else self.refuse(value, place)

    def _schema(self) -> Json:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Kind[float]):
    """A finite number; true and false do not count.

    Attributes:
        low: The smallest.
        high: The largest.
        above: Whether ``low`` itself is refused.
        is_whole: Whether it has no fraction.
    """

    low: float = -MAX_NUMBER
    high: float = MAX_NUMBER
    above: bool = False
    is_whole: bool = False

    def _what(self) -> str:
        kind = "a whole number" if self.is_whole else "a finite number"
        return f"{kind} {'above' if self.above else 'from'} {_written(self.low)} to {_written(self.high)}"

    def _empty(self) -> float:
        return 1 if self.above else max(0, self.low)

    def _read(self, value: object, place: Place) -> float | None:
        given = spelled_number(value) if place.is_spelled and isinstance(value, str) else value
        fault = self.fault(given)
        if fault or not isinstance(given, (int, float)):
            return self.refuse(value, place, fault)
        return int(given) if self.is_whole else given

    def fault(self, value: object) -> str:
        """What is wrong with a value; empty if nothing is."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return "The value must be a number."
        if isinstance(value, float) and not math.isfinite(value):
            return "The value must be a finite number."
        if self.is_whole and value != int(value):
            return "The value must be a whole number."
        if value > self.high:
            return f"The number is out of range: at most {_written(self.high)}."
        is_small = value < self.low or (self.above and value == self.low)
        return self._too_small() if is_small else ""

    def _schema(self) -> Json:
        least = "exclusiveMinimum" if self.above else "minimum"
        return {"type": "integer" if self.is_whole else "number", least: self.low, "maximum": self.high}

    def _too_small(self) -> str:
        if self.above:
            return f"The number must be above {_written(self.low)}."
        return (
            "The number must not be negative."
            if self.low == 0
            else f"The number must be at least {_written(self.low)}."
        )


def is_nothing(value: object, place: Place) -> bool:
    """Whether a value counts as missing: null, or blank text where every value is a text."""
    return value is None or (place.is_spelled and isinstance(value, str) and not value.strip())


def spelled_number(text: str) -> object:
    """The number that a text spells, or the text; also NaN and infinities, to be refused as such."""
    text = text.strip()
    if _INTEGER.fullmatch(text):
        return int(text)
    special = text.casefold().lstrip("+-") in _SPECIAL
    return float(text) if special or _NUMBER.fullmatch(text) else text


def _written(number: float) -> str:
    return f"{number:g}" if abs(number) >= 10**6 else str(number)
