"""Insert many rows of a model by statements that are short, however many rows there are.

``bulk_create`` makes each value of each row a parameter of its own where the model has an array. Here a
parameter is a whole column, and a column that is the same in all rows is one value: in 10,000 new replays
only a few of the columns differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.db import connection, transaction
from django.db.models import Field, Model
from django.db.models.expressions import DatabaseDefault

Row = TypeVar("Row", bound=Model)
_BATCH: Final = 2_500
# Types whose equal values are stored alike, unlike documents, in which `1 == True` holds.
_COMPARABLE: Final = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kind: str
    # The type of the elements of `value`, a list of the values of all rows; None where `value` is that of
    # every row.
    passed_as: str | None
    value: Any


def insert_rows(rows: Iterable[Row], *, ignore_conflicts: bool = False) -> list[Row]:
    # Keys that the database counts are set on the rows, unless conflicts are ignored: nothing tells which
    # rows were inserted then, and none are returned. Where one row leaves a column to the database's default,
    # all do.
    every, inserted = list(rows), list[Row]()
    with transaction.atomic(savepoint=False):
        for first in range(0, len(every), _BATCH):
            inserted += _insert(every[first : first + _BATCH], ignore_conflicts=ignore_conflicts)
    return inserted


def _insert(rows: Sequence[Row], *, ignore_conflicts: bool) -> Sequence[Row]:
    meta = rows[0]._meta  # noqa: SLF001 - Django's documented name
    columns = []
    for field in meta.concrete_fields:
        value = getattr(rows[0], field.attname)
        # The database finds the values of the other columns by itself.
        is_new_key = field.primary_key and value is None
        if not (field.generated or is_new_key or isinstance(value, DatabaseDefault)):
            columns.append(_column(field, rows))
    single = [column for column in columns if column.passed_as is None]
    lists = [column for column in columns if column.passed_as is not None]
    if not lists:
        type(rows[0])._base_manager.bulk_create(rows, ignore_conflicts=ignore_conflicts)  # noqa: SLF001 - as above
        return () if ignore_conflicts else rows
    statement = _statement(connection.ops.quote_name(meta.db_table), single, lists)
    conflicts = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    returned = f" RETURNING {connection.ops.quote_name(meta.pk.column)}"
    with connection.cursor() as cursor:
        cursor.execute(statement + conflicts + returned, tuple(column.value for column in (*single, *lists)))
        keys = [key for (key,) in cursor.fetchall()]
    if ignore_conflicts:
        known = set(keys)
        inserted: Sequence[Row] = [row for row in rows if row.pk in known]
    else:
        inserted = rows
        for row, key in zip(rows, keys, strict=True):
            setattr(row, meta.pk.attname, key)
    for row in inserted:
        row._state.adding = False  # noqa: SLF001 - as bulk_create does
        row._state.db = connection.alias  # noqa: SLF001 - as bulk_create does
    return inserted


def _statement(table: str, single: Sequence[_Column], lists: Sequence[_Column]) -> str:
    names = ", ".join(column.name for column in (*single, *lists))
    values = [f"%s::{column.kind}" for column in single]
    values += [f"given.c{place}::{column.kind}" for place, column in enumerate(lists)]
    given = ", ".join(f"%s::{column.passed_as}[]" for column in lists)
    places = ", ".join(f"c{place}" for place in range(len(lists)))
    return (
        f"INSERT INTO {table} ({names})"  # noqa: S608 - names and types of models; values are parameters
        f" SELECT {', '.join(values)} FROM UNNEST({given}) AS given ({places})"
    )


def _column(field: Field[Any, Any], rows: Sequence[Model]) -> _Column:
    values = [field.pre_save(row, add=True) for row in rows]
    name, kind = _name_and_kind(field)
    if not field.unique and _are_equal(values):
        return _Column(name, kind, None, field.get_db_prep_save(values[0], connection))
    stored = [field.get_db_prep_save(value, connection) for value in values]
    if isinstance(field, ArrayField):  # lists of lists would have to be of one length
        return _Column(name, kind, "text", [value if value is None else _literal(value) for value in stored])
    return _Column(name, kind, kind.partition("(")[0], stored)


@cache
def _name_and_kind(field: Field[Any, Any]) -> tuple[str, str]:
    # Django derives both anew each time: 0.7 ms for the columns of a replay.
    return connection.ops.quote_name(field.column), str(field.db_type(connection))


def _are_equal(values: Sequence[object]) -> bool:
    first = values[0]
    if type(first) in _COMPARABLE:
        return all(type(value) is type(first) and value == first for value in values)
    return all(value is first for value in values)


def _literal(values: Iterable[str]) -> str:
    escaped = (value.replace("\\", r"\\").replace('"', r"\"") for value in values)
    return "{" + ",".join(f'"{value}"' for value in escaped) + "}"
