"""Figures for monitoring: how verifications ended, how long their phases take, and how often a lease is lost.

Each is a query whose cost does not depend on finished work alone: ends are counted from an index, and phases
and lost leases only over the last hour, since older events may be pruned.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import connection
from django.db.models import Count, Min

from runner.clock import database_now
from runner.models import PHASES, Demand, Verification, VerificationEvent
from runner.queue.sweeping import ACTOR

if TYPE_CHECKING:
    from datetime import datetime

WINDOW: Final = timedelta(hours=1)
# Lines of payers in the figures: a payer more is a time series more.
LINES_SHOWN: Final = 20

_PHASES: Final = """
    SELECT began.to_state,
           count(*),
           sum(extract(epoch FROM ended.at - began.at)),
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended.at - began.at)),
           percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM ended.at - began.at))
    FROM runner_verificationevent AS ended
    JOIN runner_verificationevent AS began
      ON began.verification_id = ended.verification_id AND began.seq = ended.seq - 1
    WHERE ended.at > %s AND began.to_state = ANY(%s)
    GROUP BY began.to_state
    ORDER BY began.to_state
"""


class Line(NamedTuple):
    # The payer's name is empty for work that nobody pays for.
    hardware_class: str
    payer: str
    number: int
    oldest_at: datetime


class PhaseTimes(NamedTuple):
    # In seconds, of the phases that ended in the last hour; slow is the 95th percentile.
    phase: str
    number: int
    total: float
    median: float
    slow: float


def ends() -> list[tuple[tuple[str, str], int]]:
    # The number by state and reason.
    ended = Verification.objects.filter(finished_at__isnull=False).order_by("state", "reason")
    rows = ended.values_list("state", "reason").annotate(count=Count("pk"))
    return [((state, reason), count) for state, reason, count in rows]


def lost_leases(*, now: datetime | None = None) -> int:
    since = (now or database_now()) - WINDOW
    return VerificationEvent.objects.filter(at__gt=since, actor=ACTOR).count()


def longest_lines() -> list[Line]:
    rows = (
        Demand.objects.filter(waiting=True)
        .order_by()
        .values_list("hardware_class", "payer__name")
        .annotate(number=Count("id"), oldest=Min("created_at"))
        .order_by("-number", "hardware_class", "payer__name")[:LINES_SHOWN]
    )
    return [Line(*row) for row in rows]


def phase_times(*, now: datetime | None = None) -> list[PhaseTimes]:
    since = (now or database_now()) - WINDOW
    with connection.cursor() as cursor:
        cursor.execute(_PHASES, [since, [str(phase) for phase in PHASES]])
        return [PhaseTimes(phase, count, *map(float, times)) for phase, count, *times in cursor.fetchall()]
