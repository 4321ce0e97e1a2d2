"""Workers say that they are there; who has not for a lease's time is not. By the database's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from optarena import limits
from runner import conf
from runner.clock import database_now
from runner.models import Runner
from runner.text import storable

if TYPE_CHECKING:
    from datetime import datetime

    from runner.machine import Machine


@transaction.atomic
def announce_runner(
    *, name: str, hardware_class: str, machine: Machine, now: datetime | None = None
) -> Runner:
    """A worker is ready for work. Forgets its former lives, and whoever is gone for long.

    Args:
        name: The worker's; two live ones may share one.
        hardware_class: Whose work it takes.
        machine: What it runs on.
        now: The time; None reads the database's clock.
    """
    at = now or database_now()
    gone = Q(stopped_at__isnull=False) | Q(seen_at__lte=at - conf.lease_time())
    Runner.objects.filter(gone, name=name, hardware_class=hardware_class).delete()
    Runner.objects.filter(seen_at__lte=at - conf.RUNNER_KEPT).delete()
    return Runner.objects.create(
        name=name[: limits.WORKER_NAME_LENGTH],
        hardware_class=hardware_class,
        fingerprint=storable(machine.fingerprint),
        versions=storable(machine.versions),
        started_at=at,
        seen_at=at,
    )


def renew_runner(*, runner_id: int, now: datetime | None = None) -> bool:
    """It is still there.

    Returns:
        Whether the database knows it; one that was restored may not, and it has to announce itself anew.
    """
    at = now or database_now()
    return bool(Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=None))


def dismiss_runner(*, runner_id: int, now: datetime | None = None) -> None:
    """It has stopped in good order."""
    at = now or database_now()
    Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=at)
