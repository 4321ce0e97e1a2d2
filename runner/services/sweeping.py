"""The sweeper's pass: what lost workers held is queued again, and lost wake-ups are sent again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog
from django.db import transaction
from django.db.models import Q

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.clock import database_now
from runner.models import Verification
from runner.selectors import live_runners
from runner.services.leases import RETRIES_EXHAUSTED
from runner.services.transitions import StateChange, transition
from runner.services.wakeups import wake
from runner.states import RUNNING, Authority, State

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

    from django.db.models import QuerySet

ACTOR: Final = "sweeper"
_BATCH: Final = 500
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """What one pass did: verifications queued again, ended, woken again, and left because of an error."""

    requeued: int = 0
    exhausted: int = 0
    woken: int = 0
    errors: int = 0


def sweep(*, now: datetime | None = None) -> SweepReport:
    """One pass. Several sweepers at once do no harm: each row is taken by one of them."""
    at = now or database_now()
    expired = Verification.objects.filter(state__in=RUNNING, lease_expires_at__lte=at)
    ids = list(expired.order_by("lease_expires_at").values_list("pk", flat=True)[:_BATCH])
    ends = [_sweep_safely(one, at) for one in ids]
    return SweepReport(
        requeued=ends.count(State.QUEUED),
        exhausted=ends.count(State.FAILED),
        errors=ends.count("error"),
        woken=_wake_forgotten(at),
    )


def _sweep_safely(verification_id: uuid.UUID, now: datetime) -> str:
    try:
        return _sweep_one(verification_id, now)
    except Exception:  # noqa: BLE001 - logged with its traceback, counted, and tried again
        # A receiver that fails for one row must not keep the sweeper from the others; it is tried again
        # in the next pass, and the log says so each time.
        _log.exception("sweeping one verification failed", verification=str(verification_id))
        return "error"


@transaction.atomic
def _sweep_one(verification_id: uuid.UUID, now: datetime) -> str:
    expired = Verification.objects.filter(pk=verification_id, state__in=RUNNING, lease_expires_at__lte=now)
    locked = expired.select_for_update(skip_locked=True, no_key=True, of=("self",))
    row = locked.only("attempt", "worker", "lease_expires_at").first()
    if row is None:
        return "skipped"
    exhausted = row.attempt >= INFRASTRUCTURE_RETRIES
    change = StateChange(
        to=State.FAILED if exhausted else State.QUEUED,
        authority=Authority.SWEEPER,
        actor=ACTOR,
        reason=RETRIES_EXHAUSTED if exhausted else "",
        detail=f"Worker {row.worker} gave no sign of life until {row.lease_expires_at:%H:%M:%S} UTC.",
    )
    return transition(verification_id=verification_id, change=change, now=now).state


def _wake_forgotten(now: datetime) -> int:
    """Send wake-ups again for the oldest queued rows of each class whose last one counts as lost.

    Where no runner of a class is live nobody takes them from the broker, which keeps them all. A runner that
    appears wakes itself; one that is there, but cannot say so, is found by a rare wake-up.
    """
    late = now - conf.wake_again()
    forgotten = Verification.objects.filter(
        Q(woken_at__isnull=True) | Q(woken_at__lte=late), state=State.QUEUED, available_at__lte=now
    )
    classes = list(forgotten.order_by().values_list("hardware_class", flat=True).distinct())
    live = set(live_runners(now=now).values_list("hardware_class", flat=True))
    return sum((_wake_class if hardware in live else _wake_unseen)(hardware, now) for hardware in classes)


def _wake_class(hardware: str, now: datetime) -> int:
    late = now - conf.wake_again()
    oldest = list(_waiting(hardware, now).values_list("pk", "woken_at")[: conf.WAKE_AGAIN_BATCH])
    return _wake([pk for pk, woken_at in oldest if woken_at is None or woken_at <= late], hardware, now)


def _wake_unseen(hardware: str, now: datetime) -> int:
    waiting = _waiting(hardware, now)
    if waiting.filter(woken_at__gt=now - conf.WAKE_UNSEEN_AGAIN).exists():
        return 0
    return _wake(list(waiting.values_list("pk", flat=True)[:1]), hardware, now)


def _waiting(hardware: str, now: datetime) -> QuerySet[Verification]:
    queued = Verification.objects.filter(state=State.QUEUED, hardware_class=hardware, available_at__lte=now)
    return queued.order_by("created_at", "id")


def _wake(ids: list[uuid.UUID], hardware: str, now: datetime) -> int:
    sent = [pk for pk in ids if wake(pk, hardware)]
    Verification.objects.filter(pk__in=sent).update(woken_at=now)
    return len(sent)
