"""Who demands which verification, and what they owe for it: the ledger.

A demand reserves the expected seconds of a worker from its payer's budget. When the verification ends, each
of its payers owes an equal share of what it really took, and the rest of the reservation is given back.
Nothing is owed for a failure of the infrastructure, except where a measurement has two parts: a part that
came to its end is paid for then (``pay_so_far``), and stays paid however the next one ends. What was used is
forgotten at a steady rate, so that a budget used up is whole again after ``OPTARENA_BUDGET_HOURS``.

Locks: a transaction locks verifications first, then payers by id, so that no two wait for each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Now

from datasets.bulk_inserts import insert_rows
from optarena.limits import MAX_QUEUED_ITEMS
from runner import conf
from runner.clock import CLOCK, database_now
from runner.errors import BudgetExceededError, QueueFullError
from runner.models import Demand, Payer
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from runner.models import Verification

NOBODY: Final = ""
"""The payer of replays that no owner asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What a payer may still use.

    Attributes:
        budget: Seconds of workers that may be used in a window.
        window: The window, in seconds.
        used: Seconds that are used or reserved now.
        queued: Replays that wait or run.
    """

    budget: int
    window: int
    used: float
    queued: int

    @property
    def left(self) -> float:
        """Seconds that may still be reserved."""
        return max(0.0, self.budget - self.used)

    def wait_for(self, seconds: float) -> int:
        """In how many seconds this much may be reserved; 0 if now."""
        return max(0, math.ceil((self.used + seconds - self.budget) * self.window / self.budget))


def balance_of(*, payer: str) -> Balance:
    """What a payer may use now, without a lock."""
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
    """Refuse work that ``demand`` would refuse, before it is stored. Without a lock, so ``demand`` decides.

    Raises:
        BudgetExceededError: The payer's budget does not suffice.
        QueueFullError: The payer has too many queued replays.
    """
    _refuse(balance_of(payer=payer), seconds, number)


def demand(*, payer: str, limited: bool, wanted: Sequence[tuple[Verification, float]]) -> None:
    """Demand verifications that the caller has locked, and reserve what they are expected to take.

    Those that have ended, or that the payer demands already, cost nothing.

    Args:
        payer: For whom they are made.
        limited: Whether the payer's budget and its limit of queued replays apply.
        wanted: The verifications with their expected seconds, in the order of their turns.

    Raises:
        BudgetExceededError: The budget does not suffice; the transaction must be undone.
        QueueFullError: The payer has too many queued replays; the transaction must be undone.
    """
    alive = {row.pk: (row, seconds) for row, seconds in wanted if not row.is_terminal}
    if not alive:
        return
    account, now = _lock_payer(payer)
    queued, held = _owed(account, alive, count=limited)
    for known in held:
        del alive[known]
    if not alive:
        return
    reserved = sum(seconds for _, seconds in alive.values())
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
    """What a locked payer demands: how many verifications, if they are counted, and which of those asked."""
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


def settle(*, rows: Sequence[Verification], reason: str, now: datetime) -> None:
    """Pay for verifications that have just ended, which the caller has locked, and forget the demands.

    Args:
        rows: The verifications.
        reason: Why they failed; nothing is owed for a reason of the infrastructure.
        now: When they ended.
    """
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
    """Pay for a lease that does not end a verification, which the caller has locked; reservations stay.

    Args:
        row: The verification.
        now: When the lease ends.
    """
    together = list(Demand.objects.filter(verification=row.pk))
    changes: dict[int, float] = defaultdict(float)
    for one in together:
        changes[one.payer_id] += _taken(together, now) / len(together)
    _charge(_lock_payers(changes), changes, now)


def release(*, payer: str, verification_ids: Collection[UUID]) -> None:
    """End a payer's demands for verifications that others still want; the caller has locked them.

    A running one is paid for until now.
    """
    demands = Demand.objects.filter(payer__name=payer, verification__in=verification_ids)
    now = database_now()
    changes: dict[int, float] = defaultdict(float)
    for one in demands:
        changes[one.payer_id] += _taken([one], now) - one.seconds
    _charge(_lock_payers(changes), changes, now)
    demands.delete()


def _taken(demands: Sequence[Demand], now: datetime) -> float:
    """The seconds since the lease began; 0 of a verification that waits."""
    starts = [one.started_at for one in demands if one.started_at is not None]
    return max(0.0, (now - min(starts)).total_seconds()) if starts else 0.0


def _lock_payer(name: str) -> tuple[Payer, datetime]:
    """The locked account of a payer, made if it is the first time, and the time now."""
    own = Payer.objects.select_for_update(no_key=True).filter(name=name).annotate(now=CLOCK)
    row = own.first()
    if row is None:
        Payer.objects.bulk_create([Payer(name=name, counted_at=Now())], ignore_conflicts=True)
        row = own.get()
    return row, row.now


def _lock_payers(ids: Collection[int]) -> list[Payer]:
    return list(Payer.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")) if ids else []


def used_by(payer: Payer, now: datetime) -> float:
    """What has been used and is not yet forgotten."""
    passed = max(0.0, (now - payer.counted_at).total_seconds())
    return max(0.0, payer.used_seconds - passed * conf.budget_seconds() / conf.budget_window())


def _charge(payers: Sequence[Payer], changes: Mapping[int, float], now: datetime) -> None:
    """Add to what locked payers have used, or give back."""
    for payer in payers:
        payer.used_seconds = max(0.0, used_by(payer, now) + changes[payer.pk])
        payer.counted_at = max(now, payer.counted_at)
    Payer.objects.bulk_update(payers, ["used_seconds", "counted_at"])
