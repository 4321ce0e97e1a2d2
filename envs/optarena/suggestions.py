"""Suggestions for a name that is not one of those known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from heapq import nlargest
from os.path import commonprefix
from typing import Final

from optarena.errors import UnknownName

_PROPOSED: Final = 3
_NEAR: Final = 0.75
# The fewest characters with which a beginning, or a name with one typo, counts as similar.
_SHORTEST: Final = 3
_LISTED: Final = 60  # How many names are listed if none is similar to the given one
_LONGEST: Final = 200  # Characters of a name that are compared and repeated
_COMPARED: Final = 24  # How many of many names are compared closely
_VERSION: Final = re.compile(r"-v\d*$")
_PARTS: Final = re.compile(r"[/:]")


def unknown_name(kind: str, name: object, known: Sequence[str]) -> UnknownName:
    """The error for a ``kind`` named ``name`` that is not one of ``known``; names near matches."""
    given = str(name)[:_LONGEST]
    paths = [one.partition("://")[2].partition("/")[2] or one for one in known[:_LISTED]]
    listed = f"The known ones are: {', '.join(paths)}{', …' if len(known) > _LISTED else ''}."
    remedy = did_you_mean(given, known, otherwise=listed if known else "None exist.")
    return UnknownName(f"There is no {kind} {given!r}.", field=kind, value=name, remedy=remedy)


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str) -> str:
    """The remedy for an unknown name: similar known names, or else the given text."""
    near = near_names(name[:_LONGEST], known)
    return f"Did you mean {' or '.join(map(repr, near))}?" if near else otherwise


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """The similar names, the best first; only those that differ just in case, version or folder, if any."""
    scores = {one: _nearness(name, one) for one in _candidates(name, known)}
    least = 1.0 if 1.0 in scores.values() else _NEAR
    found = [one for one, score in scores.items() if score >= least]
    return sorted(found, key=lambda one: (-scores[one], -_alike(name, one), len(one)))[:_PROPOSED]


def _candidates(name: str, known: Iterable[str]) -> Iterable[str]:
    # Comparing all of ten thousand closely takes seconds.
    names = list(known)
    if len(names) <= _COMPARED:
        return names
    name = name.lower()
    parts = {name[at : at + 3] for at in range(max(1, len(name) - 2))}
    last = _VERSION.sub("", _PARTS.split(name)[-1])
    shared = [
        (sum(map(lower.__contains__, parts)) + len(parts) * (last in lower), -len(one), one)
        for one, lower in zip(names, map(str.lower, names), strict=True)
    ]
    return [one for _, _, one in nlargest(_COMPARED, shared)]


def _nearness(name: str, one: str) -> float:
    # A version or a folder, which many names share, must not make names similar.
    name, one = name.lower(), one.lower()
    folder = name[: _shared(name, one)].rpartition("/")[0]
    wholes = tuple(text.removeprefix(folder).lstrip("/") for text in (name, one))
    lasts = tuple(_PARTS.split(text)[-1] for text in (name, one))
    is_begun = len(wholes[0]) >= _SHORTEST and wholes[1].startswith(wholes[0])
    cores = ([_VERSION.sub("", text) for text in pair] for pair in (wholes, lasts))
    return max(_NEAR * is_begun, *(_core_nearness(*pair) for pair in cores))


def _core_nearness(name: str, one: str) -> float:
    if name == one:
        return 1.0
    begin = _shared(name, one)
    end = _shared(name[begin:][::-1], one[begin:][::-1])
    rest, other = name[begin : len(name) - end], one[begin : len(one) - end]
    is_swapped = len(rest) == len("ab") and rest == other[::-1]
    is_typo = is_swapped or max(len(rest), len(other)) <= 1
    return max(_alike(name, one), _NEAR * (is_typo and max(len(name), len(one)) >= _SHORTEST))


def _shared(name: str, one: str) -> int:
    return len(commonprefix((name, one)))  # noqa: RUF071 - characters are meant


def _alike(name: str, one: str) -> float:
    matcher = SequenceMatcher(None, name, one)
    return matcher.ratio() if matcher.real_quick_ratio() >= _NEAR <= matcher.quick_ratio() else 0.0
