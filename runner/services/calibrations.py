"""Stores what workers measured about their machines, and pauses a worker whose machine has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from django.db import transaction

from runner.clock import database_now
from runner.errors import LeaseLostError
from runner.models import Calibration, Runner, Verification
from runner.services.leases import Lease, give_back
from runner.states import RUNNING
from runner.text import storable

if TYPE_CHECKING:
    from datetime import datetime

    from runner.calibration import Calibrated
    from runner.machine import Machine

_DRIFTED: Final = "infra:runner-drifted"
_log = structlog.get_logger(__name__)


def record_calibration(
    *, name: str, hardware_class: str, machine: Machine, calibrated: Calibrated, now: datetime | None = None
) -> Calibration:
    """Store a calibration.

    Args:
        name: The worker's name.
        hardware_class: The class whose work it takes.
        machine: The machine that it runs on.
        calibrated: What was found.
        now: The time; None reads the database's clock.
    """
    return Calibration.objects.create(
        name=name,
        hardware_class=hardware_class,
        at=now or database_now(),
        machine=machine.identity,
        fingerprint=storable(machine.fingerprint),
        version=calibrated.version,
        vector=storable(calibrated.vector),
        conditions=storable(calibrated.conditions),
        tries=calibrated.tries,
        drift=storable(calibrated.drift),
    )


def pause_drifted(*, runner_id: int, reason: str, now: datetime | None = None) -> int:
    """Pause a worker whose machine has changed, and queue what it replays again, at no attempt's cost.

    Blocks that it measured are dropped with the rest. The pause comes first, so it takes no work meanwhile.

    Args:
        runner_id: The worker's row.
        reason: How the machine has changed, for everybody.
        now: The time; None reads the database's clock.

    Returns:
        How many replays were given back.
    """
    at = now or database_now()
    able = Runner.objects.filter(pk=runner_id, paused_at__isnull=True)
    if able.update(paused_at=at, pause_reason=storable(reason)):
        _log.warning("this worker pauses", reason=reason)
    running = Verification.objects.filter(runner=runner_id, state__in=RUNNING)
    return sum(_given_back(row, runner_id, reason, now) for row in running.order_by("pk"))


def _given_back(row: Verification, runner_id: int, reason: str, now: datetime | None) -> bool:
    """Whether it still had the row."""
    if row.lease_token is None:
        return False
    lease = Lease(
        verification_id=row.pk,
        token=row.lease_token,
        attempt=row.attempt,
        worker=row.worker,
        runner_id=runner_id,
    )
    try:
        with transaction.atomic():
            Verification.objects.filter(pk=row.pk, lease_token=row.lease_token).update(kept_blocks=None)
            give_back(lease=lease, reason=_DRIFTED, detail=reason, now=now)
    except LeaseLostError:  # it ended just now
        return False
    return True
