"""Tells the layers above of ends that workers recorded without the right to write for those layers."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceReport:
    """How many ends were announced; ``errors`` say which could not be, and why."""

    announced: int
    errors: tuple[str, ...]


def announce_ends() -> AnnounceReport:
    """Announce the ends that are still unannounced, each in a transaction of its own.

    Several processes may do this at once: only one of them announces each end. One whose receiver fails is
    logged, and tried again by the next call.
    """
    errors: list[str] = []
    ids = list(UnannouncedEnd.objects.values_list("pk", flat=True)[:_BATCH])
    announced = sum(_announce_safely(one, errors) for one in ids)
    return AnnounceReport(announced=announced, errors=tuple(errors))


def _announce_safely(verification_id: UUID, errors: list[str]) -> bool:
    try:
        return _announce(verification_id)
    except Exception as error:  # noqa: BLE001 - logged with its traceback, reported, and tried again
        _log.exception("announcing an end failed", verification=str(verification_id))
        errors.append(f"the end of verification {verification_id}: {error!r}")
        return False


@transaction.atomic
def _announce(verification_id: UUID) -> bool:
    row = lock(verification_id)
    waiting = UnannouncedEnd.objects.filter(pk=verification_id)
    if not row.is_terminal or not waiting.delete()[0]:
        return False
    verifications_finished.send(sender=Verification, verifications=[row])
    return True
