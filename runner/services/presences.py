"""Workers report that they are live; one is live for a lease's time after that, by the database's clock."""

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
    """Record that a worker is ready for work. Deletes its former lives, and workers that ended long ago.

    Args:
        name: The worker's name; two live workers may share one.
        hardware_class: The class whose work it takes.
        machine: The machine that it runs on.
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
    """Record that a worker is still live.

    Returns:
        Whether the database knows the worker; a restored one may not, and the worker has to register again.
    """
    at = now or database_now()
    return bool(Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=None))


def dismiss_runner(*, runner_id: int, now: datetime | None = None) -> None:
    """Record that a worker was stopped regularly."""
    at = now or database_now()
    Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=at)
