"""Equal problems of many rows as one: a file with a thousand equal mistakes has one problem to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class Located(Protocol):
    """A problem with its place, as documents and servers report it."""

    @property
    def field(self) -> str:
        """The field."""

    @property
    def row(self) -> int | None:
        """The row, or None outside of rows."""

    @property
    def value(self) -> object:
        """What was given."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def remedy(self) -> str:
        """What to do."""


P = TypeVar("P", bound=Located)


def grouped(problems: Iterable[P]) -> list[tuple[P, list[int]]]:
    """The first of the problems that differ only in their rows, with all these rows."""
    found: dict[tuple[str, ...], tuple[P, list[int]]] = {}
    for one in problems:
        key = (one.field, str(one.value), one.message, one.remedy)
        _, rows = found.setdefault(key, (one, []))
        if one.row is not None:
            rows.append(one.row)
    return list(found.values())


def listed(numbers: Iterable[int]) -> str:
    """Numbers as people list them: ``3``; ``3, 5 to 9 and 12``."""
    runs: list[tuple[int, int]] = []
    for one in sorted(set(numbers)):
        first = runs.pop()[0] if runs and one == runs[-1][1] + 1 else one
        runs.append((first, one))
    texts = [f"{first} to {last}" if last > first else str(first) for first, last in runs]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
