"""Writes the attempts that did not record a result, in the transaction of what follows from them."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max

from optarena import limits
from runner.clock import database_now
from runner.errors import LeaseLostError
from runner.models import VerificationAttempt
from runner.services.transitions import lock
from runner.states import AttemptDecision
from runner.text import storable, storable_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from runner.models import Verification
    from runner.services.leases import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    """How an attempt failed.

    Attributes:
        id: Identifies it, so that a report that is sent again is stored once.
        reason: Why this attempt did not succeed; a reason id.
        detail: A description for people.
        failed_step: Index of the action that failed, where one did.
        seconds: How long it took.
        evidence: How it ran, as JSON data.
    """

    reason: str
    detail: str
    failed_step: int | None = None
    seconds: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    id: uuid.UUID = field(default_factory=uuid.uuid4)


@transaction.atomic
def suspect(*, lease: Lease, report: AttemptReport, now: datetime | None = None) -> None:
    """Store a failure that is going to be repeated; the verification stays in its phase.

    Raises:
        LeaseLostError: The lease is no longer this worker's.
    """
    row = lock(lease.verification_id)
    if row.lease_token != lease.token:
        raise LeaseLostError(f"{lease.verification_id} is no longer leased to {lease.worker}.")
    note_attempt(row=row, worker=lease.worker, report=report, decision=AttemptDecision.CONFIRM, now=now)


def note_attempt(
    *,
    row: Verification,
    worker: str,
    report: AttemptReport,
    decision: AttemptDecision,
    now: datetime | None = None,
) -> None:
    """Store an attempt; the caller's transaction has locked the row, and nothing happens the second time."""
    at = now or database_now()
    stored = VerificationAttempt.objects.filter(verification=row)
    if stored.filter(pk=report.id).exists():
        return
    last: int = stored.aggregate(last=Max("number"))["last"] or 0
    VerificationAttempt.objects.create(
        id=report.id,
        verification=row,
        number=last + 1,
        lease_attempt=row.attempt,
        worker=worker[: limits.WORKER_NAME_LENGTH],
        started_at=at - timedelta(seconds=report.seconds),
        ended_at=at,
        decision=decision,
        reason=report.reason,
        detail=storable_text(report.detail)[: limits.DETAIL_LENGTH],
        failed_step=report.failed_step,
        evidence=_bounded(report.evidence),
    )


def _bounded(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence, without its longest parts where it would be too long as a whole."""
    kept: dict[str, Any] = storable(evidence)
    while kept and len(json.dumps(kept)) > limits.EVIDENCE_LENGTH:
        del kept[max(kept, key=lambda name: len(json.dumps(kept[name])))]
    return kept
