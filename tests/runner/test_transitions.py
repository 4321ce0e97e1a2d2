"""transition(): every edge of the table and no other, by those who may, with an event each."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db import transaction

from runner.errors import IllegalTransitionError, LeaseAliveError, LeaseLostError
from runner.models import EDGES, PHASES, RUNNING, TERMINAL, Authority, State, Verification
from runner.queue import leases, requests, transitions
from runner.queue.transitions import StateChange, verifications_finished
from tests.factories import make_work
from tests.kit.work import OUTCOME, Clock, history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_django import DjangoAssertNumQueries

    from runner.queue.leases import Lease


def bring_to(state: State, clock: Clock) -> tuple[Verification, Lease | None]:
    """A new verification in this state, with the lease that it has or had."""
    row = make_work()
    if state == State.QUEUED:
        return row, None
    lease = leases.lease(verification_id=row.pk, worker="worker", now=clock.now)
    assert lease is not None
    if state in RUNNING:
        leases.advance(lease=lease, to=state, now=clock.now)
    elif state == State.RECORDED:
        leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    elif state == State.FAILED:
        leases.fail(lease=lease, reason="env:crash", detail="", now=clock.now)
    else:
        requests.cancel(verification_id=row.pk, actor="test", now=clock.now)
    row.refresh_from_db()
    return row, lease


@pytest.mark.parametrize("source", State)
def test_the_table_alone_decides_which_steps_are_possible(db: None, source: State, clock: Clock) -> None:
    for to, authority in product(State, Authority):
        if authority is Authority.WORKER and source == to and source in RUNNING:
            continue  # a repeated write, answered with the row as it stands
        row, lease = bring_to(source, clock)
        late = clock.turn(10_000)
        change = StateChange(
            to=to,
            authority=authority,
            actor="test",
            token=lease.token if lease else None,
            reason="env:crash" if to == State.FAILED else "",
            outcome=OUTCOME,
        )
        if authority in EDGES.get((source, to), ()):
            assert transitions.transition(verification_id=row.pk, change=change, now=late).state == to
            assert history(row)[-1] == (source, to)
        else:
            before = history(row)
            with pytest.raises((IllegalTransitionError, LeaseLostError)), transaction.atomic():
                transitions.transition(verification_id=row.pk, change=change, now=late)
            row.refresh_from_db()
            assert (row.state, history(row)) == (source, before)


def test_nothing_leaves_an_end() -> None:
    assert not [edge for edge in EDGES if edge[0] in TERMINAL]


@pytest.mark.parametrize("phase", PHASES)
def test_a_foreign_token_moves_nothing(db: None, phase: State, clock: Clock) -> None:
    row, _ = bring_to(phase, clock)
    change = StateChange(
        to=State.FAILED, authority=Authority.WORKER, actor="x", token=uuid4(), reason="env:crash"
    )
    with pytest.raises(LeaseLostError):
        transitions.transition(verification_id=row.pk, change=change, now=clock.now)
    assert Verification.objects.get(pk=row.pk).state == phase


def test_the_sweeper_cannot_end_a_lease_that_lasts(db: None, clock: Clock) -> None:
    row, _ = bring_to(State.REPLAYING, clock)
    change = StateChange(to=State.QUEUED, authority=Authority.SWEEPER, actor="sweeper")
    with pytest.raises(LeaseAliveError):
        transitions.transition(verification_id=row.pk, change=change, now=clock.turn(59))
    assert transitions.transition(verification_id=row.pk, change=change, now=clock.turn(1)).attempt == 1


def test_a_step_repeated_by_its_worker_is_taken_once(db: None, clock: Clock) -> None:
    row, lease = bring_to(State.CHECKING, clock)
    assert lease is not None
    before = history(row)
    change = StateChange(to=State.CHECKING, authority=Authority.WORKER, actor="worker", token=lease.token)
    transitions.transition(verification_id=row.pk, change=change, now=clock.now)
    assert history(row) == before


def test_a_failure_needs_a_known_reason(db: None, clock: Clock) -> None:
    _, lease = bring_to(State.REPLAYING, clock)
    assert lease is not None
    with pytest.raises(IllegalTransitionError, match="'made:up' is not a reason id"):
        leases.fail(lease=lease, reason="made:up", detail="", now=clock.now)


def test_a_whole_life_is_written_down(db: None, work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="worker a:1", now=clock.now)
    assert lease is not None
    leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(3))
    work.refresh_from_db()
    states = ["", "queued", "leased", "replaying", "checking", "measuring", "recorded"]
    assert history(work) == list(pairwise(states))
    assert [event.seq for event in work.events.all()] == [1, 2, 3, 4, 5, 6]
    assert work.events.last().actor == "worker a:1"
    assert work.finished_at == clock.now
    assert (work.result, work.metrics, work.sandbox) == (OUTCOME.result, OUTCOME.metrics, OUTCOME.sandbox)
    assert (work.lease_token, work.lease_expires_at, work.reason) == (None, None, "")


def test_what_a_program_printed_can_be_stored(db: None, work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    nasty = "a\0b\udc80c"
    outcome = transitions.ReplayOutcome(result={"steps": [{"name": nasty}]}, metrics={}, sandbox={nasty: 1})
    leases.fail(lease=lease, reason="env:crash", detail=nasty, outcome=outcome, now=clock.now)
    work.refresh_from_db()
    clean = "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    assert work.detail == work.events.last().detail == clean
    assert work.result == {"steps": [{"name": clean}]}
    assert work.sandbox == {clean: 1}


def test_an_end_is_announced_inside_its_transaction(
    transactional_db: None, clock: Clock, finished: list[Verification]
) -> None:
    row = make_work()
    lease = leases.lease(verification_id=row.pk, worker="w", now=clock.now)
    assert lease is not None
    seen: list[tuple[str, bool]] = []

    def refuse(verifications: Sequence[Verification], **kwargs: object) -> None:
        [verification] = verifications
        seen.append((verification.state, transaction.get_connection().in_atomic_block))
        raise RuntimeError("a receiver fails")

    verifications_finished.connect(refuse)
    with pytest.raises(RuntimeError, match="a receiver fails"):
        leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    verifications_finished.disconnect(refuse)
    row.refresh_from_db()
    assert seen == [("recorded", True)]
    assert row.state == State.LEASED
    leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    assert [one.pk for one in finished][-1] == row.pk


def test_a_step_costs_few_queries(
    db: None, work: Verification, clock: Clock, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(9):  # savepoints included
        leases.lease(verification_id=work.pk, worker="w", now=clock.now)
