"""Counts each worker's failures of the infrastructure: a sick worker must not use up everybody's work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from optarena.specs.results import reason as described
from runner import conf
from runner.clock import database_now
from runner.models import Runner
from runner.preparation import NOT_INTERRUPTED
from runner.sickness import OF_THE_WORK, OF_THE_WORKER
from runner.states import State

if TYPE_CHECKING:
    from datetime import datetime

    from runner.models import Verification

_log = structlog.get_logger(__name__)


def note_fault(*, row: Verification, runner_id: int | None, reason: str, now: datetime | None = None) -> bool:
    """Count a failure of the infrastructure; the worker may pause because of it.

    Part of the caller's transaction, which has locked the verification.

    Args:
        row: The verification.
        runner_id: The worker's row; None outside a worker, which nothing is counted for.
        reason: The ``infra:`` reason id. After some a worker pauses at once; others are never counted.
        now: The time; None reads the database's clock.

    Returns:
        Whether the worker is paused and the work must not pay for it.
    """
    if runner_id is None or reason in OF_THE_WORK:
        return False
    runner = Runner.objects.select_for_update(no_key=True).filter(pk=runner_id).first()
    if runner is None or _was_spared(row) >= conf.SPARED_AT_MOST:
        return False
    sick = reason in OF_THE_WORKER
    if str(row.pk) not in runner.faults:
        runner.faults.append(str(row.pk))
    if runner.paused_at is None and (sick or len(runner.faults) >= conf.FAULTS_IN_A_ROW):
        runner.paused_at = now or database_now()
        runner.pause_reason = _why(reason, 1 if sick else len(runner.faults))
        _log.warning("this worker pauses", runner=runner.name, reason=runner.pause_reason)
    runner.save(update_fields=["faults", "paused_at", "pause_reason"])
    return runner.paused_at is not None


def note_success(runner_id: int | None) -> None:
    """A replay came to its end on this worker, so its failures before are not in a row."""
    if runner_id is not None:
        Runner.objects.filter(pk=runner_id).exclude(faults=[]).update(faults=[])


def _was_spared(row: Verification) -> int:
    """How often it was queued again without paying an attempt."""
    again = row.events.filter(to_state=State.QUEUED).exclude(from_state="")
    return again.exclude(reason__in=NOT_INTERRUPTED).count() - row.attempt


def _why(reason: str, number: int) -> str:
    ended = f"The last {number} replays" if number > 1 else "A replay"
    return f"{ended} failed here because of the infrastructure ({reason}): {described(reason).meaning}"
