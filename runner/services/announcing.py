"""Tells the layers above of ends that workers recorded without the right to write for those layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from django.db import transaction

from runner.models import UnannouncedEnd, Verification
from runner.services.transitions import lock
from runner.signals import verifications_finished

if TYPE_CHECKING:
    from uuid import UUID

_BATCH: Final = 500
_log = structlog.get_logger(__name__)


def announce_ends() -> int:
    """Announce the ends that are still unannounced, each in a transaction of its own.

    Several processes may do this at once: only one of them announces each end.

    Returns:
        How many were announced; one whose receiver fails is logged, and tried again by the next call.
    """
    ids = list(UnannouncedEnd.objects.values_list("pk", flat=True)[:_BATCH])
    return sum(map(_announce_safely, ids))


def _announce_safely(verification_id: UUID) -> bool:
    try:
        return _announce(verification_id)
    except Exception:  # noqa: BLE001 - logged with its traceback, and tried again
        _log.exception("announcing an end failed", verification=str(verification_id))
        return False


@transaction.atomic
def _announce(verification_id: UUID) -> bool:
    row = lock(verification_id)
    waiting = UnannouncedEnd.objects.filter(pk=verification_id)
    if not row.is_terminal or not waiting.delete()[0]:
        return False
    verifications_finished.send(sender=Verification, verifications=[row])
    return True
