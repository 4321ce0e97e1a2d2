"""Declared objects: their fields, read as a whole and described as a JSON schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optarena.documents.composed import nullable
from optarena.documents.kinds import Json, Kind, is_nothing
from optarena.documents.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.documents.places import Place


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a declared object; null stands for a missing field.

    Attributes:
        kind: The kind of its value.
        needed: Whether the object must have it.
        description: For people who read the schema.
        example: An example value for them.
    """

    kind: Kind[Any]
    needed: bool = False
    description: str = ""
    example: object = field(default=None, hash=False)

    def schema(self) -> Json:
        """The field's JSON schema."""
        schema = self.kind.schema() if self.needed else nullable(self.kind.schema())
        words = {"description": self.description, "example": self.example}
        return schema | {name: word for name, word in words.items() if word}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Kind[dict[str, Any]]):
    """An object with the declared fields and no others; a field without a usable value is left out.

    Attributes:
        fields: The declared fields, by name.
        description: For people who read the schema.
        elsewhere: Names of further fields, which the caller reads.
        one_of: Fields of which an object has exactly one, for the schema alone: the caller checks it.
    """

    fields: Mapping[str, Field] = field(hash=False)
    description: str = ""
    elsewhere: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()

    def _what(self) -> str:
        return f"an object with the fields {', '.join(self.fields)}"

    def _empty(self) -> dict[str, Any]:
        return {}

    def _read(self, value: object, place: Place) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            return self.refuse(value, place, "The value must be an object.")
        table = Table(value, place)
        read = {name: self._value(table, name, field) for name, field in self.fields.items()}
        for name in self.elsewhere:
            table.get(name)
        table.finish()
        return {name: one for name, one in read.items() if one is not None}

    def _schema(self) -> Json:
        needed = [name for name, field in self.fields.items() if field.needed]
        return {
            "type": "object",
            **({"description": self.description} if self.description else {}),
            **({"required": needed} if needed else {}),
            **({"oneOf": [{"required": [name]} for name in self.one_of]} if self.one_of else {}),
            "additionalProperties": False,
            "properties": {name: field.schema() for name, field in self.fields.items()},
        }

    @staticmethod
    def _value(table: Table, name: str, declared: Field) -> object:
        value = table.get(name)
        place = table.place.at(name)
        if is_nothing(value, place):
            return declared.kind.missing(place) if declared.needed else None
        return declared.kind.read(value, place)
