"""Reads the fields of an object one by one, for documents whose fields depend on each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, TypeVar

from optarena.limits import MAX_PROBLEMS

if TYPE_CHECKING:
    from optarena.documents.kinds import Kind
    from optarena.documents.places import Place

T = TypeVar("T")


class Table:
    """An object of a document: one of JSON, or a table of TOML.

    Args:
        raw: The document's value at this place.
        place: The place.
        problem: Whether to record a problem if it is not an object.
    """

    def __init__(self, raw: object, place: Place, *, problem: bool = True) -> None:
        self.place = place
        self.is_object = isinstance(raw, Mapping)
        self.raw: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        self._before = len(place.problems)
        self._known: set[str] = set()
        if problem and not self.is_object:
            place.problem("The value must be an object.", raw, "Give an object with named fields.")

    @property
    def failed(self) -> bool:
        """Whether a problem was recorded since the reading of this object began."""
        return len(self.place.problems) > self._before

    def has(self, name: str) -> bool:
        """Whether there is a field of this name, with any value."""
        return name in self.raw

    def get(self, name: str) -> object:
        """The unchecked value at ``name``; None if there is no such field."""
        self._known.add(name)
        return self.raw.get(name)

    def problem(self, name: str, message: str, value: object, remedy: str) -> None:
        """Record that a field is wrong."""
        self.place.at(name).problem(message, value, remedy)

    def need(self, name: str, kind: Kind[T]) -> T:
        """The value at ``name``; if it is missing or unusable, an empty one, and a problem."""
        value = self.get(name)
        place = self.place.at(name)
        if value is None and not self.has(name):
            if self.is_object:
                kind.missing(place)
            return kind.empty
        read = kind.read(value, place)
        return kind.empty if read is None else read

    def find(self, name: str, kind: Kind[T]) -> T | None:
        """The value at ``name``; None if there is no such field, or its value cannot be used."""
        return kind.read(self.get(name), self.place.at(name)) if self.has(name) else None

    def table(self, name: str) -> Table:
        """The object at ``name``."""
        return Table(self.get(name), self.place.at(name))

    def names(self, kind: Kind[str]) -> list[str]:
        """The names of the object's fields, each of which must be of a kind."""
        found = []
        for name in self.raw:
            self._known.add(name)
            if kind.read(name, self.place.at(name)) is not None:
                found.append(name)
        return found

    def tables(self, name: str, *, by_name: bool = False, are_records: bool = False) -> list[Table]:
        """The objects in the list at ``name``, which may be missing.

        Args:
            name: The field.
            by_name: Whether problems identify each by its own field ``name``, if it has one.
            are_records: Whether problems identify each by its row, and its fields without the list's name.
        """
        values = self.get(name)
        if not self.has(name):
            return []
        place = self.place.at(name)
        if not isinstance(values, list):
            place.problem("The value must be a list of objects.", values, "Give a list of objects.")
            return []
        if are_records:
            return [Table(one, self.place.record(row)) for row, one in enumerate(values)]
        labels = [_label(one, number) if by_name else number for number, one in enumerate(values)]
        return [Table(one, place.element(label)) for one, label in zip(values, labels, strict=True)]

    def unique(self, name: str, values: Sequence[str]) -> None:
        """Record a problem of ``name`` for each repeated value."""
        for value in sorted({one for one in values if one and values.count(one) > 1}):
            self.problem(name, "The name is used twice.", value, "Rename or remove one of the two.")

    def finish(self) -> None:
        """Record a problem for every field that was not read."""
        fields = ", ".join(sorted(self._known))
        # As many as are listed, and one to tell that there are more: a hostile document has very many.
        for name in nsmallest(MAX_PROBLEMS + 1, self.raw.keys() - self._known):
            self.problem(name, "There is no such field.", self.raw[name], f"The fields are: {fields}.")


def _label(raw: object, number: int) -> object:
    name = raw.get("name") if isinstance(raw, Mapping) else None
    return name if isinstance(name, str) and name else number
