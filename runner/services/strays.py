"""Corrects demands that do not agree with their verifications.

A worker with a database role of its own may change and delete the demands of what it has leased, and a
restored table may lack some. Without a demand a verification would never have its turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, transaction

from runner.models import Demand, Payer, Verification
from runner.services.demands import NOBODY, settle
from runner.services.transitions import in_lock_order
from runner.states import TERMINAL, State

if TYPE_CHECKING:
    from datetime import datetime

_BATCH = 500

_ADOPT = """
INSERT INTO runner_demand
    (verification_id, payer_id, hardware_class, created_at, waiting, available_at, started_at, seconds)
SELECT id, %(payer)s, hardware_class, created_at, TRUE, available_at, NULL, 0
FROM runner_verification AS verification
WHERE state = 'queued'
  AND NOT EXISTS (SELECT 1 FROM runner_demand WHERE verification_id = verification.id)
ORDER BY created_at, id
ON CONFLICT DO NOTHING
"""


def correct(*, now: datetime) -> int:
    """Give queued verifications the demands that they lack, and forget those of ended ones.

    Returns:
        The number of demands that were added, corrected or forgotten.
    """
    return _adopt(now) + _requeue() + _forget(now)


@transaction.atomic
def _adopt(now: datetime) -> int:
    """Queued verifications that nobody demands are demanded by nobody in particular."""
    nobody, _ = Payer.objects.get_or_create(name=NOBODY, defaults={"counted_at": now})
    with connection.cursor() as cursor:
        cursor.execute(_ADOPT, {"payer": nobody.pk})
        added: int = cursor.rowcount
    return added


@transaction.atomic
def _requeue() -> int:
    """Queued verifications whose demands say that they run."""
    stuck = Demand.objects.filter(waiting=False, verification__state=State.QUEUED)
    ids = list(stuck.values_list("verification", flat=True)[:_BATCH])
    number = 0
    for row in in_lock_order(Verification.objects.filter(pk__in=ids, state=State.QUEUED)):
        demands = Demand.objects.filter(verification=row, waiting=False)
        number += demands.update(waiting=True, started_at=None, available_at=row.available_at)
    return number


@transaction.atomic
def _forget(now: datetime) -> int:
    """Demands of ended verifications: nothing is owed, since nobody knows how long they took."""
    ended = Demand.objects.filter(verification__state__in=TERMINAL)
    ids = list(ended.values_list("verification", flat=True)[:_BATCH])
    if ids:
        rows = list(in_lock_order(Verification.objects.filter(pk__in=ids)))
        settle(rows=rows, reason="infra:internal", now=now)
    return len(ids)
