"""What tests of the runner share: a clock that they turn, an outcome, and what went on in the database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection, connections, transaction

from runner.database import database_now
from runner.models import Authority, State, Verification
from runner.queue import demands, leases, transitions
from runner.selectors import able_runner

if TYPE_CHECKING:
    from uuid import UUID

OUTCOME = transitions.ReplayOutcome(
    result={"ok": True, "steps": []}, metrics={"ir_instructions": 42}, sandbox={"seccomp": True}
)


@dataclass
class Clock:
    """The time that services are told; it stands still unless a test turns it."""

    now: datetime = field(default_factory=lambda: datetime(2026, 1, 1, tzinfo=UTC))

    def turn(self, seconds: float) -> datetime:
        """Forwards, or backwards where negative; the new time."""
        self.now += timedelta(seconds=seconds)
        return self.now


@transaction.atomic
def lease_row(
    *, verification_id: UUID, worker: str, life: UUID | None = None, now: datetime | None = None
) -> leases.Lease | None:
    """Lease a verification out of its turn, which workers never do."""
    runner_id = None if life is None else able_runner(life)
    if life is not None and runner_id is None:
        return None
    at = now or database_now()
    free = Verification.objects.filter(pk=verification_id, state=State.QUEUED, available_at__lte=at)
    row = demands.lock_free(leases.leasable_here(free))
    if row is None:
        return None
    change = transitions.StateChange(
        to=State.LEASED, authority=Authority.WORKER, actor=worker, runner_id=runner_id
    )
    transitions.transition_locked(rows=[row], change=change, now=at)
    return leases.Lease.of(row)


def leased(row: Verification, worker: str = "w", **given: Any) -> leases.Lease:
    """The lease of a verification that is free."""
    lease = lease_row(verification_id=row.pk, worker=worker, **given)
    assert lease is not None
    return lease


def next_lease(worker: str = "w", **given: Any) -> leases.Lease:
    """The lease of the work whose turn it is."""
    lease = leases.lease_next(worker=worker, **given)
    assert lease is not None
    return lease


def history(verification: Verification) -> list[tuple[str, str]]:
    return list(verification.events.order_by("seq").values_list("from_state", "to_state"))


def at_once(number: int, ask: Callable[[], Any]) -> list[Any]:
    """What ``ask`` answers in so many threads that start together, each with its own connection."""
    answers = together(*[ask] * number)
    for one in answers:
        if isinstance(one, Exception):
            raise one
    return answers


def kill_connections() -> None:
    """What a restart of the database does to its clients."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def restart_database() -> None:
    """What a restart of the database does to every client, the caller's own connection included."""
    at_once(1, kill_connections)


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls at the same time, each on a connection of its own; what one raises is its result."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> object:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=60)
            return call()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def when(row: Verification, state: State, act: Callable[[], object]) -> threading.Thread:
    """Do something from another connection as soon as the row is in this state."""

    def watch() -> None:
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                if Verification.objects.filter(pk=row.pk, state=state).exists():
                    act()
                    return
                time.sleep(0.005)
        finally:
            connection.close()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread
