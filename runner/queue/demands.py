"""What each payer asks for and may ask for, and whose turn is next.

Whose turn it is: leases go round by payer, so that nobody waits behind another one's whole queue.

First comes the payer with the fewest running replays of a hardware class; among equals the one whose last
turn is longest ago; then the one who asked first. A payer whose replays took more than the budget comes after
all others, until the debt is forgotten. Within a payer's line the oldest demand comes first. Where
several payers demand one verification, it stands in each one's line, and counts as running for each.

Studies go round by payer in the same way, after all replays: a payer has the same turns for both.

Two workers that look at the same moment may both see the same payer in front and take two of its replays; the
next lease makes up for it. Nobody waits for a lock meanwhile.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value, Window
from django.db.models.functions import Coalesce, Now, RowNumber

from datasets.bulk_inserts import insert_rows
from optarena.limits import MAX_QUEUED_ITEMS
from runner import conf
from runner.database import CLOCK, database_now, read_rows
from runner.errors import BudgetExceededError, QueueFullError
from runner.models import Demand, Payer, State, Study, StudyState, Turn, Verification

if TYPE_CHECKING:
    Leasable = Callable[[QuerySet[Verification]], QuerySet[Verification]]

# The payer of replays that no owner asked for.
NOBODY: Final = ""
# What a known replay costs, as a share of what it would take.
ENDED_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    # Seconds of workers; used ones are used or reserved now. queued replays wait or run.
    budget: int
    window: int
    used: float
    queued: int

    @property
    def left(self) -> float:
        return max(0.0, self.budget - self.used)

    def wait_for(self, seconds: float) -> int:
        # In seconds; 0 if it may be reserved now.
        return max(0, math.ceil((self.used + seconds - self.budget) * self.window / self.budget))


def balance_of(*, payer: str) -> Balance:
    # Without a lock.
    # Not Count("demands"): the clock would be another one for each of the rows to count.
    line = Demand.objects.filter(payer=OuterRef("pk")).order_by().values("payer")
    queued = Coalesce(Subquery(line.values(number=Count("pk"))), 0)
    found = Payer.objects.filter(name=payer).annotate(queued=queued, now=CLOCK)
    row = found.first()
    if row is None:
        return _balance(used=0.0, queued=0)
    return _balance(used=used_by(row, row.now), queued=row.queued)


def _balance(*, used: float, queued: int) -> Balance:
    return Balance(budget=conf.budget_seconds(), window=conf.budget_window(), used=used, queued=queued)


def check_quota(*, payer: str, number: int, seconds: float) -> None:
    # Before the work is stored, and without a lock, so demand decides.
    _refuse(balance_of(payer=payer), seconds, number)


def demand(*, payer: str, limited: bool, wanted: Sequence[tuple[Verification, float]]) -> None:
    """Demand verifications that the caller has locked, and reserve what they are expected to take.

    Those that the payer demands already cost nothing, and those that have ended a share: whoever sends known
    results again and again has to stop somewhere. After an error the transaction must be undone.
    """
    alive = {row.pk: (row, seconds) for row, seconds in wanted if not row.is_terminal}
    known = ENDED_SHARE * sum(seconds for row, seconds in wanted if row.is_terminal)
    account, now = lock_payer(payer)
    queued, held = _owed(account, alive, count=limited)
    for one in held:
        del alive[one]
    if not alive and not known:
        return
    reserved = known + sum(seconds for _, seconds in alive.values())
    if limited:
        _refuse(_balance(used=used_by(account, now), queued=queued), reserved, len(alive))
    insert_rows(_demand(account, row, seconds, now) for row, seconds in alive.values())
    _charge([account], {account.pk: reserved}, now)


def _demand(payer: Payer, row: Verification, seconds: float, now: datetime) -> Demand:
    waiting = row.state == State.QUEUED
    return Demand(
        verification_id=row.pk,
        payer=payer,
        hardware_class=row.hardware_class,
        created_at=now,
        waiting=waiting,
        available_at=row.available_at,
        started_at=None if waiting else now,
        seconds=seconds,
    )


def _owed(account: Payer, asked: Collection[UUID], *, count: bool) -> tuple[int, list[UUID]]:
    own = Demand.objects.filter(payer=account)
    if not count:
        return 0, list(own.filter(verification__in=asked).values_list("verification", flat=True))
    asked_for = Q(verification__in=asked)
    found = own.aggregate(
        queued=Count("pk"), held=ArrayAgg("verification", filter=asked_for, default=Value([]))
    )
    return found["queued"], found["held"]


def _refuse(balance: Balance, reserved: float, number: int) -> None:
    if balance.queued + number > MAX_QUEUED_ITEMS:
        raise QueueFullError(queued=balance.queued, added=number, most=MAX_QUEUED_ITEMS)
    if wait := balance.wait_for(reserved):
        raise BudgetExceededError(
            needed=reserved, left=balance.left, budget=balance.budget, window=balance.window, wait=wait
        )


def charge_ended(*, rows: Sequence[Verification], reason: str, now: datetime) -> None:
    # The caller has locked the rows. Nothing is owed for a reason of the infrastructure.
    demands = Demand.objects.filter(verification__in=[row.pk for row in rows])
    shares: dict[UUID, list[Demand]] = defaultdict(list)
    for one in demands:
        shares[one.verification_id].append(one)
    changes: dict[int, float] = defaultdict(float)
    for together in shares.values():
        owed = 0.0 if reason.startswith("infra:") else _taken(together, now) / len(together)
        for one in together:
            changes[one.payer_id] += owed - one.seconds
    _charge(_lock_payers(changes), changes, now)
    demands.delete()


def pay_so_far(*, row: Verification, now: datetime) -> None:
    # The lease ends, and not the verification, which the caller has locked; reservations stay.
    together = list(Demand.objects.filter(verification=row.pk))
    changes: dict[int, float] = defaultdict(float)
    for one in together:
        changes[one.payer_id] += _taken(together, now) / len(together)
    _charge(_lock_payers(changes), changes, now)


def release(*, payer: str, verification_ids: Collection[UUID]) -> None:
    # Others still want the verifications, which the caller has locked. A running one is paid for until now.
    demands = Demand.objects.filter(payer__name=payer, verification__in=verification_ids)
    now = database_now()
    changes: dict[int, float] = defaultdict(float)
    for one in demands:
        changes[one.payer_id] += _taken([one], now) - one.seconds
    _charge(_lock_payers(changes), changes, now)
    demands.delete()


def _taken(demands: Sequence[Demand], now: datetime) -> float:
    # 0 of a verification that waits.
    starts = [one.started_at for one in demands if one.started_at is not None]
    return max(0.0, (now - min(starts)).total_seconds()) if starts else 0.0


def lock_payer(name: str) -> tuple[Payer, datetime]:
    own = Payer.objects.select_for_update(no_key=True).filter(name=name).annotate(now=CLOCK)
    row = own.first()
    if row is None:
        Payer.objects.bulk_create([Payer(name=name, counted_at=Now())], ignore_conflicts=True)
        row = own.get()
    return row, row.now


def _lock_payers(ids: Collection[int]) -> list[Payer]:
    return list(Payer.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")) if ids else []


def used_by(payer: Payer, now: datetime) -> float:
    # Without what is forgotten as time passes.
    passed = max(0.0, (now - payer.counted_at).total_seconds())
    return max(0.0, payer.used_seconds - passed * conf.budget_seconds() / conf.budget_window())


def _charge(payers: Sequence[Payer], changes: Mapping[int, float], now: datetime) -> None:
    for payer in payers:
        payer.used_seconds = max(0.0, used_by(payer, now) + changes[payer.pk])
        payer.counted_at = max(now, payer.counted_at)
    Payer.objects.bulk_update(payers, ["used_seconds", "counted_at"])


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
    given = {
        "hardware_class": hardware_class,
        "now": now,
        "budget": conf.budget_seconds(),
        "window": conf.budget_window(),
    }
    return [payer for (payer,) in read_rows(ORDER, given)]


def lock_next(*, hardware_class: str, now: datetime, leasable: Leasable) -> Verification | None:
    # Verifications that others have locked are passed over.
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
    # Without the long columns.
    free = rows.select_for_update(skip_locked=True, no_key=True, of=("self",))
    return free.defer("actions", "result", "prepared").first()


def start_turns(*, verification_id: UUID, now: datetime) -> None:
    # It runs for all who demand it, and all have had their turn.
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"verification": verification_id, "now": now})


def wait_again(*, verification_ids: Collection[UUID], available_at: datetime) -> None:
    # They keep their places.
    rows = Demand.objects.filter(verification__in=verification_ids)
    rows.update(waiting=True, started_at=None, available_at=available_at)


def studies_in_turn(studies: QuerySet[Study]) -> QuerySet[Study]:
    # In the order in which they are leased if none comes meanwhile. Those that an owner asked for come first.
    same = {"payer": OuterRef("payer"), "hardware_class": OuterRef("hardware_class")}
    running = Study.objects.filter(state=StudyState.RUNNING, **same).order_by().values("payer")
    place = Window(
        RowNumber(),
        partition_by=[F("hardware_class"), F("automatic"), F("payer")],
        order_by=["available_at", "pk"],
    )
    return studies.annotate(
        round=place + Coalesce(Subquery(running.values(number=Count("pk"))), 0),
        turn=Subquery(Turn.objects.filter(**same).values("taken_at")),
    ).order_by("automatic", "round", F("turn").asc(nulls_first=True), "available_at", "pk")


def start_study_turn(study: Study) -> None:
    if study.payer_id is not None:
        Turn.objects.bulk_create(
            [Turn(payer_id=study.payer_id, hardware_class=study.hardware_class, taken_at=CLOCK)],
            update_conflicts=True,
            unique_fields=["payer", "hardware_class"],
            update_fields=["taken_at"],
        )
