"""Writes rows that have been changed in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.db.models import QuerySet

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.db.models import Model

Row = TypeVar("Row", bound="Model")


def update_rows(rows: Sequence[Row], fields: Collection[str], *, batch_size: int | None = None) -> None:
    """Write some columns of stored rows of one model in as few statements as possible.

    For a single row, which is the most frequent case, this takes a small part of the time of ``bulk_update``.
    """
    if len(rows) == 1:
        rows[0].save(update_fields=fields)
    elif rows:
        stored: QuerySet[Row] = QuerySet(type(rows[0]))
        stored.bulk_update(rows, fields, batch_size=batch_size)
