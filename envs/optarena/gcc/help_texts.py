"""Reads what GCC says about its options: ``cc1 -Q --help=optimizers`` and ``cc1 -Q --help=params``.

The form differs between versions: GCC 7 prints parameters in words, and a default may lie outside the range
that is printed beside it. Recorded texts of five versions are among the tests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["level", "flag", "enum", "number", "text"]

_LINE: Final = re.compile(r"^  (?:[A-Z].*\. )?(?P<name>-\S+)\s*(?P<value>.*?)\s*$")
"""GCC 7 writes a sentence before one of its options."""
_OLD_PARAMETER: Final = re.compile(
    r"^  (?P<name>[a-z][A-Za-z0-9-]*)\s+default (?P<default>-?\d+)"
    r"(?: minimum (?P<low>-?\d+) maximum\s+(?P<high>-?\d+))?"
)
_RANGE: Final = re.compile(r"^(?P<stem>.*=)<(?P<low>-?\d+),(?P<high>-?\d+)>$")
_LISTED: Final = re.compile(r"^(?P<stem>.*=)\[(?P<values>[^\]]*)\]$")
_ELSEWHERE: Final = "[available in "
_SWITCHES: Final = ("[enabled]", "[disabled]")


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedOption:
    """An option as GCC describes it.

    Attributes:
        name: The option up to its value: ``-fgcse``, ``-fira-region=``, ``--param=case-values-threshold=``.
        kind: ``level`` for ``-O``; ``flag`` if it can be negated; ``enum`` with a list of values; ``number``
            with or without a range; ``text`` if nothing is said about its values.
        values: Those of an enum.
        low: The least number, if there is a range.
        high: The largest number, if there is a range.
        default: What GCC says about its present value, without brackets; empty if it says nothing.
    """

    name: str
    kind: Kind
    values: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    default: str = ""


def optimizers(text: str) -> tuple[DescribedOption, ...]:
    """The options of ``--help=optimizers``; those of other languages are left out."""
    found = [one for name, value in _lines(text) if (one := _optimizer(name, value)) is not None]
    levels = DescribedOption(name="-O", kind="level", values=tuple(_levels(text)))
    return (levels, *_unique(found))


def parameters(text: str) -> tuple[DescribedOption, ...]:
    """The options of ``--help=params``; those of other languages are left out."""
    old = [_old(match) for line in _unwrapped(text) if (match := _OLD_PARAMETER.match(line))]
    if old:
        return tuple(old)
    found = [
        _valued(name, value)
        for name, value in _lines(text)
        if name.startswith("--param=") and not value.startswith(_ELSEWHERE)
    ]
    return _unique(found)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            yield match["name"], match["value"]


def _levels(text: str) -> Iterator[str]:
    """The values of ``-O``."""
    for name, _ in _lines(text):
        if name == "-O<number>":
            yield from "0123"
        elif name.startswith("-O"):
            yield name[2:]


def _optimizer(name: str, value: str) -> DescribedOption | None:
    if not name.startswith("-f") or value.startswith(_ELSEWHERE):
        return None
    if "=" in name:
        return _valued(name, value)
    if name.startswith("-fno-"):
        name = f"-f{name.removeprefix('-fno-')}"
    return DescribedOption(name=name, kind="flag", default=value.strip("[]") if value in _SWITCHES else "")


def _valued(name: str, value: str) -> DescribedOption:
    default = "" if value == "[default]" else value
    if match := _RANGE.match(name):
        low, high = int(match["low"]), int(match["high"])
        return DescribedOption(name=match["stem"], kind="number", low=low, high=high, default=default)
    if match := _LISTED.match(name):
        values = tuple(match["values"].split("|"))
        return DescribedOption(name=match["stem"], kind="enum", values=values, default=default)
    stem = name.partition("=")[0] + "=" if not name.startswith("--param=") else name
    is_number = name.endswith("<number>") or (name.startswith("--param=") and _is_number(value))
    return DescribedOption(name=stem, kind="number" if is_number else "text", default=default)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _unique(found: list[DescribedOption]) -> tuple[DescribedOption, ...]:
    """Each option once; GCC lists some twice, and the one that says more counts."""
    known: dict[str, DescribedOption] = {}
    for one in found:
        if one.name not in known or (one.values and not known[one.name].values):
            known[one.name] = one
    return tuple(known.values())


def _unwrapped(text: str) -> Iterator[str]:
    """Lines of GCC 7, each with its continuation."""
    joined = ""
    for line in text.splitlines():
        if joined.endswith("maximum") and line.strip().isdecimal():
            joined = f"{joined} {line.strip()}"  # the largest number of 32 bits does not fit the line
            continue
        if joined:
            yield joined
        joined = line
    yield joined


def _old(match: re.Match[str]) -> DescribedOption:
    """A parameter of GCC 7; a maximum of 0, below the minimum or equal to it, means that there is none."""
    name, default = f"--param={match['name']}=", match["default"]
    low, high = (int(match[end] or 0) for end in ("low", "high"))
    if high <= low:
        return DescribedOption(name=name, kind="number", default=default)
    return DescribedOption(name=name, kind="number", default=default, low=low, high=high)
