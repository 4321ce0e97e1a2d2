"""Write rows that have been changed in memory; columns of entries, and of the time when a row was added."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any, ClassVar, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import DateTimeField, Model, QuerySet

from optarena import limits
from runner.database import database_now

Row = TypeVar("Row", bound="Model")


# For a single row, which is the most frequent case, this takes a small part of the time of `bulk_update`.
def update_rows(rows: Sequence[Row], fields: Collection[str], *, batch_size: int | None = None) -> None:
    if len(rows) == 1:
        rows[0].save(update_fields=fields)
    elif rows:
        stored: QuerySet[Row] = QuerySet(type(rows[0]))
        stored.bulk_update(rows, fields, batch_size=batch_size)


# `auto_now_add` takes the clock of the machine, and the hosts of web servers and workers differ. This costs
# a query for each new row.
class StampedTime(DateTimeField):  # type: ignore[type-arg] # Django's class takes none when it runs
    def pre_save(self, model_instance: Model, add: bool) -> Any:  # noqa: ANN401, FBT001 - as Django calls it
        if add:
            setattr(model_instance, self.attname, database_now())
        return getattr(model_instance, self.attname)

    # The column is that of any time, so no migration names this class.
    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs


class OwnedEntry(models.Model):
    """What an owner's agent sent to a board: a submission, or a portable entry. It can only be withdrawn."""

    kind: ClassVar[str]  # as messages call it

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    agent = models.CharField(max_length=limits.AGENT_LENGTH)
    content_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.agent} ({self.id})"
