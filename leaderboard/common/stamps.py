"""A column of the time when a row was added, by the clock that all machines share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import DateTimeField

from runner.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Model


class StampedTime(DateTimeField):  # type: ignore[type-arg] # Django's class takes none when it runs
    """The database's time when a row is added, which costs a query for each.

    ``auto_now_add`` takes the clock of the machine, whatever time is given, and the hosts of web servers and
    workers differ.
    """

    def pre_save(self, model_instance: Model, add: bool) -> Any:  # noqa: ANN401, FBT001 - as Django calls it
        """The time of a new row, and what an old one has."""
        if add:
            setattr(model_instance, self.attname, database_now())
        return getattr(model_instance, self.attname)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """What migrations know: the column is that of any time, so no migration names this class."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs
