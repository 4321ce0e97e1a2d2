"""Reads of the runner: the queue, who works on it, and one verification's history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Min, Q

from runner import conf
from runner.clock import database_now
from runner.models import Runner, Verification, VerificationEvent
from runner.states import RUNNING, State

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueDepth:
    """The load of one hardware class.

    Attributes:
        hardware_class: The class.
        queued: Verifications that wait.
        running: Verifications that a worker has leased.
        oldest_queued_at: When the longest waiting one was queued; None if none waits.
    """

    hardware_class: str
    queued: int
    running: int
    oldest_queued_at: datetime | None


def queue_depths() -> list[QueueDepth]:
    """The queue of every hardware class that has work, by name; does not read ended verifications."""
    queued = Q(state=State.QUEUED)
    rows = (
        Verification.objects.filter(queued | Q(state__in=RUNNING))
        .order_by("hardware_class")
        .values("hardware_class")
        .annotate(
            waiting=Count("pk", filter=queued),
            busy=Count("pk", filter=~queued),
            oldest=Min("created_at", filter=queued),
        )
    )
    return [
        QueueDepth(
            hardware_class=row["hardware_class"],
            queued=row["waiting"],
            running=row["busy"],
            oldest_queued_at=row["oldest"],
        )
        for row in rows
    ]


def queue_position(verification: Verification) -> int | None:
    """Its place in its queue, 1 being next; None if it does not wait."""
    if verification.state != State.QUEUED:
        return None
    earlier = Q(created_at__lt=verification.created_at) | Q(
        created_at=verification.created_at, pk__lt=verification.pk
    )
    queue = Verification.objects.filter(state=State.QUEUED, hardware_class=verification.hardware_class)
    return queue.filter(earlier).count() + 1


def running_verifications() -> QuerySet[Verification]:
    """The leased verifications, longest waiting first, without the long columns."""
    rows = Verification.objects.filter(state__in=RUNNING).select_related("environment_version")
    return rows.defer("actions", "result").order_by("created_at", "id")


def events_of(verification_id: UUID) -> QuerySet[VerificationEvent]:
    """A verification's events, in order."""
    return VerificationEvent.objects.filter(verification=verification_id).order_by("seq")


def live_runners(hardware_class: str | None = None, *, now: datetime | None = None) -> QuerySet[Runner]:
    """Live workers: seen within a lease's time, and not stopped; by class and name.

    Args:
        hardware_class: Only those of one class.
        now: The time; None reads the database's clock.
    """
    since = (now or database_now()) - conf.lease_time()
    live = Runner.objects.filter(seen_at__gt=since, stopped_at__isnull=True)
    return live if hardware_class is None else live.filter(hardware_class=hardware_class)


def runners_last_seen() -> dict[str, datetime]:
    """When a worker of each hardware class was last seen; a class that never had one is missing."""
    rows = Runner.objects.order_by().values("hardware_class").annotate(last=Max("seen_at"))
    return {row["hardware_class"]: row["last"] for row in rows}
