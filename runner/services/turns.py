"""Whose turn it is: leases go round by payer, so that nobody waits behind another one's whole queue.

First comes the payer with the fewest running replays of a hardware class; among equals the one whose last
turn is longest ago; then the one who asked first. A payer whose replays took more than the budget comes after
all others, until the debt is forgotten. Within a payer's line the oldest demand comes first. Where
several payers demand one verification, it stands in each one's line, and counts as running for each.

Two workers that look at the same moment may both see the same payer in front and take two of its replays; the
next lease makes up for it. Nobody waits for a lock meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection

from runner import conf
from runner.models import Demand, Verification
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    Leasable = Callable[[QuerySet[Verification]], QuerySet[Verification]]

# The recursion jumps from one payer's first free demand to the next payer's: each step is one descent of the
# partial index runner_demand_line, however long the lines are. With 100,000 demands of one payer and one of
# another it reads two index entries.
ORDER: Final = """
WITH RECURSIVE head AS (
    (SELECT payer_id, id FROM runner_demand
     WHERE hardware_class = %(hardware_class)s AND waiting AND available_at <= %(now)s
     ORDER BY payer_id, id LIMIT 1)
    UNION ALL
    SELECT following.payer_id, following.id FROM head CROSS JOIN LATERAL (
        SELECT payer_id, id FROM runner_demand
        WHERE hardware_class = %(hardware_class)s AND waiting AND available_at <= %(now)s
          AND payer_id > head.payer_id
        ORDER BY payer_id, id LIMIT 1) AS following
)
SELECT head.payer_id
FROM head JOIN runner_payer AS payer ON payer.id = head.payer_id
LEFT JOIN (
    SELECT payer_id, count(*) AS number FROM runner_demand
    WHERE hardware_class = %(hardware_class)s AND NOT waiting GROUP BY payer_id
) AS running USING (payer_id)
LEFT JOIN runner_turn AS turn ON turn.payer_id = head.payer_id AND turn.hardware_class = %(hardware_class)s
ORDER BY
    payer.name <> '' AND payer.used_seconds > %(budget)s * (
        1 + extract(epoch FROM greatest(%(now)s - payer.counted_at, interval '0')) / %(window)s),
    coalesce(running.number, 0), turn.taken_at NULLS FIRST, head.id
"""

# The turn is told by the database's clock, which goes on within a transaction.
_TAKE: Final = """
WITH taken AS (
    UPDATE runner_demand SET waiting = FALSE, started_at = %(now)s
    WHERE verification_id = %(verification)s RETURNING payer_id, hardware_class
)
INSERT INTO runner_turn (payer_id, hardware_class, taken_at)
SELECT payer_id, hardware_class, clock_timestamp() FROM taken ORDER BY payer_id
ON CONFLICT (payer_id, hardware_class) DO UPDATE SET taken_at = excluded.taken_at
"""


def payers_in_turn(*, hardware_class: str, now: datetime) -> list[int]:
    """The payers with free work of a class, in the order of their turns."""
    with connection.cursor() as cursor:
        cursor.execute(
            ORDER,
            {
                "hardware_class": hardware_class,
                "now": now,
                "budget": conf.budget_seconds(),
                "window": conf.budget_window(),
            },
        )
        return [payer for (payer,) in cursor.fetchall()]


def lock_next(*, hardware_class: str, now: datetime, leasable: Leasable) -> Verification | None:
    """Lock the free verification whose turn it is; those that others have locked are passed over.

    Args:
        hardware_class: The class of the machine.
        now: The time.
        leasable: Keeps the verifications that the worker can do.
    """
    for payer in payers_in_turn(hardware_class=hardware_class, now=now):
        line = leasable(
            Verification.objects.filter(
                state=State.QUEUED,
                available_at__lte=now,
                demands__payer=payer,
                demands__hardware_class=hardware_class,
                demands__waiting=True,
            )
        )
        found = lock_free(line.order_by("demands__payer_id", "demands__id"))
        if found is not None:
            return found
    return None


def lock_free(rows: QuerySet[Verification]) -> Verification | None:
    """The first of these that nobody has locked, locked, without the long columns."""
    free = rows.select_for_update(skip_locked=True, no_key=True, of=("self",))
    return free.defer("actions", "result", "prepared").first()


def take(*, verification_id: UUID, now: datetime) -> None:
    """Note that a verification was leased: it runs for all who demand it, and all have had their turn."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"verification": verification_id, "now": now})


def wait_again(*, verification_ids: Collection[UUID], available_at: datetime) -> None:
    """Note that verifications are queued again; they keep their places."""
    rows = Demand.objects.filter(verification__in=verification_ids)
    rows.update(waiting=True, started_at=None, available_at=available_at)
