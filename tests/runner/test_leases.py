"""Leasing: oldest first, one worker each, retries counted and spaced."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.errors import LeaseLostError
from runner.models import PHASES, RUNNING, State, Verification
from runner.queue import leases as lease_module
from runner.queue import sweeping
from tests.factories import make_work
from tests.kit.work import OUTCOME, Clock, at_once

if TYPE_CHECKING:
    import uuid

    from pytest_django import Settings


def test_the_oldest_is_leased_first(db: None, clock: Clock) -> None:
    rows = [make_work() for _ in range(3)]
    leases = [lease_module.lease_next(worker="w", now=clock.now) for _ in range(4)]
    assert [lease and lease.verification_id for lease in leases] == [*(row.pk for row in rows), None]


def test_a_named_row_is_leased_only_while_it_is_free(work: Verification, clock: Clock) -> None:
    assert lease_module.lease(verification_id=work.pk, worker="one", now=clock.now) is not None
    assert lease_module.lease(verification_id=work.pk, worker="two", now=clock.now) is None


def test_other_machines_work_is_left_alone(work: Verification, clock: Clock, settings: Settings) -> None:
    settings.OPTARENA_HARDWARE_CLASS = "h200-cuda"
    assert lease_module.lease_next(worker="w", now=clock.now) is None
    assert lease_module.lease(verification_id=work.pk, worker="w", now=clock.now) is None


def test_many_workers_never_share_a_row(transactional_db: None, clock: Clock) -> None:
    rows = {make_work().pk for _ in range(6)}

    def worker() -> list[uuid.UUID]:
        taken = []
        while (lease := lease_module.lease_next(worker="w", now=clock.now)) is not None:
            taken.append(lease.verification_id)
        return taken

    taken = [pk for part in at_once(4, worker) for pk in part]
    assert len(taken) == len(set(taken)) == 6
    assert set(taken) == rows


def test_events_never_go_backwards(work: Verification, clock: Clock) -> None:
    """A phase of unknown age was entered when the next one was, as on a device, which only measures."""
    lease = lease_module.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    began = clock.turn(2)
    ages = {State.MEASURING: timedelta(seconds=3)}
    lease_module.record(lease=lease, outcome=OUTCOME, ages=ages, now=clock.turn(3))
    entered = dict(work.events.filter(to_state__in=PHASES[1:]).values_list("to_state", "at"))
    assert entered == dict.fromkeys(PHASES[1:], began)


def test_a_heartbeat_makes_the_lease_last(work: Verification, clock: Clock) -> None:
    lease = lease_module.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    lease_module.heartbeat(lease=lease, now=clock.turn(50))
    sweeping.sweep(now=clock.turn(50))
    work.refresh_from_db()
    assert (work.state, work.lease_expires_at) == (State.LEASED, clock.now + timedelta(seconds=10))


def test_times_are_the_databases_where_none_is_given(work: Verification) -> None:
    lease = lease_module.lease(verification_id=work.pk, worker="w")
    assert lease is not None
    work.refresh_from_db()
    first = work.lease_expires_at
    lease_module.heartbeat(lease=lease)
    work.refresh_from_db()
    assert first is not None
    assert work.lease_expires_at is not None
    assert timedelta(0) < work.lease_expires_at - first < timedelta(seconds=30)


def test_a_zombie_writes_nothing_at_all(work: Verification, clock: Clock) -> None:
    zombie = lease_module.lease(verification_id=work.pk, worker="zombie", now=clock.now)
    assert zombie is not None
    sweeping.sweep(now=clock.turn(61))
    heir = lease_module.lease(verification_id=work.pk, worker="heir", now=clock.now)
    assert heir is not None
    lease_module.advance(lease=heir, to=State.REPLAYING, now=clock.now)
    before = Verification.objects.filter(pk=work.pk).values().get()
    writes = [
        lambda: lease_module.heartbeat(lease=zombie, now=clock.now),
        lambda: lease_module.report_progress(lease=zombie, done=1, total=2),
        lambda: lease_module.advance(lease=zombie, to=State.CHECKING, now=clock.now),
        lambda: lease_module.advance(lease=zombie, to=State.LEASED, now=clock.now),
        lambda: lease_module.record(lease=zombie, outcome=OUTCOME, now=clock.now),
        lambda: lease_module.fail(lease=zombie, reason="env:crash", detail="", now=clock.now),
        lambda: lease_module.give_back(lease=zombie, reason="infra:internal", detail="", now=clock.now),
    ]
    for write in writes:
        with pytest.raises(LeaseLostError):
            write()
    assert Verification.objects.filter(pk=work.pk).values().get() == before
    lease_module.record(lease=heir, outcome=OUTCOME, now=clock.now)


def test_a_failure_of_ours_is_tried_again_later_and_later_and_then_ends(
    work: Verification, clock: Clock, finished: list[Verification]
) -> None:
    waits = []
    for attempt in range(INFRASTRUCTURE_RETRIES + 1):
        lease = lease_module.lease_next(worker="w", now=clock.now)
        assert lease is not None
        assert lease.attempt == attempt
        lease_module.give_back(
            lease=lease, reason="infra:sandbox-unavailable", detail="no Landlock", now=clock.now
        )
        work.refresh_from_db()
        if work.state == State.FAILED:
            break
        assert lease_module.lease_next(worker="w", now=clock.now) is None
        waits.append((work.available_at - clock.now) / conf.RETRY_BACKOFF)
        clock.now = work.available_at
    assert waits == [1, 2, 4, 8, 16, 32, 64, conf.LONGEST_BACKOFF / conf.RETRY_BACKOFF]
    assert (work.state, work.reason, work.detail) == ("failed", "infra:sandbox-unavailable", "no Landlock")
    assert [one.pk for one in finished] == [work.pk]


@pytest.mark.parametrize(("reason", "are_kept"), [("infra:killed", True), ("infra:unsteady-machine", False)])
def test_a_measurement_begins_anew_after_an_unsteady_machine_alone(
    work: Verification, clock: Clock, reason: str, *, are_kept: bool
) -> None:
    lease = lease_module.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    lease_module.keep_blocks(lease=lease, blocks=[{"level": 1.0}])
    Verification.objects.update(prepared={"job": {}})
    lease_module.give_back(lease=lease, reason=reason, detail="", now=clock.now)
    work.refresh_from_db()
    assert work.kept_blocks == ([{"level": 1.0}] if are_kept else None)
    assert work.prepared == {"job": {}}  # what the device is to measure is as it was


def test_progress_belongs_to_its_phase_and_attempt(work: Verification, clock: Clock) -> None:
    lease = lease_module.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    lease_module.advance(lease=lease, to=State.REPLAYING, now=clock.now)
    lease_module.report_progress(lease=lease, done=3, total=9)
    work.refresh_from_db()
    assert (work.progress_phase, work.progress_done, work.progress_total) == ("replaying", 3, 9)
    lease_module.advance(lease=lease, to=State.CHECKING, total=2, now=clock.now)
    work.refresh_from_db()
    assert (work.progress_phase, work.progress_done, work.progress_total) == ("checking", 0, 2)
    lease_module.give_back(lease=lease, reason="infra:internal", detail="", now=clock.now)
    work.refresh_from_db()
    assert (work.progress_phase, work.worker, work.state in RUNNING) == ("", "", False)
