"""Leases: every edge of the table and no other, oldest first, in turns by payer, each attempt stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise, product
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, transaction

from optarena import limits
from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.errors import IllegalTransitionError, LeaseAliveError, LeaseLostError
from runner.models import (
    EDGES,
    PHASES,
    RUNNING,
    Authority,
    Demand,
    State,
    Turn,
    Verification,
    VerificationAttempt,
)
from runner.queue import leases, requests, sweeping, transitions, wakeups
from runner.queue.leases import AttemptReport, Lease
from runner.queue.transitions import StateChange, verifications_finished
from runner.selectors import attempts_of
from tests.factories import make_actions, make_work
from tests.kit.examples import slow
from tests.kit.work import OUTCOME, Clock, at_once, history, lease_row, leased, next_lease

if TYPE_CHECKING:
    from uuid import UUID

    from pytest_django import DjangoAssertNumQueries, Settings


def test_the_oldest_is_leased_first(db: None, clock: Clock) -> None:
    rows = [make_work() for _ in range(3)]
    found = [leases.lease_next(worker="w", now=clock.now) for _ in range(4)]
    assert [lease and lease.verification_id for lease in found] == [*(row.pk for row in rows), None]


def test_a_named_row_is_leased_only_while_it_is_free(work: Verification, clock: Clock) -> None:
    assert lease_row(verification_id=work.pk, worker="one", now=clock.now) is not None
    assert lease_row(verification_id=work.pk, worker="two", now=clock.now) is None


def test_other_machines_work_is_left_alone(work: Verification, clock: Clock, settings: Settings) -> None:
    settings.OPTARENA_HARDWARE_CLASS = "h200-cuda"
    assert leases.lease_next(worker="w", now=clock.now) is None
    assert lease_row(verification_id=work.pk, worker="w", now=clock.now) is None


def test_events_never_go_backwards(work: Verification, clock: Clock) -> None:
    """A phase of unknown age was entered when the next one was, as on a device, which only measures."""
    lease = leased(work, now=clock.now)
    began = clock.turn(2)
    ages = {State.MEASURING: timedelta(seconds=3)}
    leases.record(lease=lease, outcome=OUTCOME, ages=ages, now=clock.turn(3))
    entered = dict(work.events.filter(to_state__in=PHASES[1:]).values_list("to_state", "at"))
    assert entered == dict.fromkeys(PHASES[1:], began)


def test_times_are_the_databases_where_none_is_given(work: Verification) -> None:
    lease = leased(work)
    work.refresh_from_db()
    first = work.lease_expires_at
    leases.heartbeat(lease=lease)
    work.refresh_from_db()
    assert first is not None
    assert work.lease_expires_at is not None
    assert timedelta(0) < work.lease_expires_at - first < timedelta(seconds=30)


def test_a_zombie_writes_nothing_at_all(work: Verification, clock: Clock) -> None:
    zombie = leased(work, "zombie", now=clock.now)
    sweeping.sweep(now=clock.turn(61))
    heir = leased(work, "heir", now=clock.now)
    leases.advance(lease=heir, to=State.REPLAYING, now=clock.now)
    before = Verification.objects.filter(pk=work.pk).values().get()
    report = AttemptReport(reason="env:crash", detail="")
    writes = [
        lambda: leases.heartbeat(lease=zombie, now=clock.now),
        lambda: leases.report_progress(lease=zombie, done=1, total=2),
        lambda: leases.advance(lease=zombie, to=State.CHECKING, now=clock.now),
        lambda: leases.advance(lease=zombie, to=State.LEASED, now=clock.now),
        lambda: leases.record(lease=zombie, outcome=OUTCOME, now=clock.now),
        lambda: leases.record_suspicion(lease=zombie, report=report, now=clock.now),
        lambda: leases.fail(lease=zombie, reason="env:crash", detail="", now=clock.now),
        lambda: leases.fail(lease=zombie, reason="env:crash", detail="", report=report, now=clock.now),
        lambda: leases.give_back(lease=zombie, reason="infra:internal", detail="", now=clock.now),
    ]
    for write in writes:
        with pytest.raises(LeaseLostError):
            write()
    assert Verification.objects.filter(pk=work.pk).values().get() == before
    assert [one.worker for one in attempts_of(work.pk)] == ["zombie"], "the sweeper's"
    leases.record(lease=heir, outcome=OUTCOME, now=clock.now)


def test_a_failure_of_ours_is_tried_again_later_and_later_and_then_ends(
    work: Verification, clock: Clock, finished: list[Verification]
) -> None:
    waits = []
    for attempt in range(INFRASTRUCTURE_RETRIES + 1):
        lease = next_lease(now=clock.now)
        assert lease.attempt == attempt
        leases.give_back(lease=lease, reason="infra:sandbox-unavailable", detail="no Landlock", now=clock.now)
        work.refresh_from_db()
        if work.state == State.FAILED:
            break
        assert leases.lease_next(worker="w", now=clock.now) is None
        waits.append((work.available_at - clock.now) / conf.RETRY_BACKOFF)
        clock.now = work.available_at
    assert waits == [1, 2, 4, 8, 16, 32, 64, conf.LONGEST_BACKOFF / conf.RETRY_BACKOFF]
    assert (work.state, work.reason, work.detail) == ("failed", "infra:sandbox-unavailable", "no Landlock")
    assert [one.pk for one in finished] == [work.pk]


@pytest.mark.parametrize(("reason", "are_kept"), [("infra:killed", True), ("infra:unsteady-machine", False)])
def test_a_measurement_begins_anew_after_an_unsteady_machine_alone(
    work: Verification, clock: Clock, reason: str, *, are_kept: bool
) -> None:
    lease = leased(work, now=clock.now)
    leases.keep_blocks(lease=lease, blocks=[{"level": 1.0}])
    Verification.objects.update(prepared={"job": {}})
    leases.give_back(lease=lease, reason=reason, detail="", now=clock.now)
    work.refresh_from_db()
    assert work.kept_blocks == ([{"level": 1.0}] if are_kept else None)
    assert work.prepared == {"job": {}}  # what the device is to measure is as it was


def test_progress_belongs_to_its_phase_and_attempt(work: Verification, clock: Clock) -> None:
    lease = leased(work, now=clock.now)
    leases.advance(lease=lease, to=State.REPLAYING, now=clock.now)
    leases.report_progress(lease=lease, done=3, total=9)
    work.refresh_from_db()
    assert (work.progress_phase, work.progress_done, work.progress_total) == ("replaying", 3, 9)
    leases.advance(lease=lease, to=State.CHECKING, total=2, now=clock.now)
    work.refresh_from_db()
    assert (work.progress_phase, work.progress_done, work.progress_total) == ("checking", 0, 2)
    leases.give_back(lease=lease, reason="infra:internal", detail="", now=clock.now)
    work.refresh_from_db()
    assert (work.progress_phase, work.worker, work.state in RUNNING) == ("", "", False)


def queue(payer: str, number: int) -> list[Verification]:
    return [make_work(payer=payer) for _ in range(number)]


def take(now: datetime) -> tuple[leases.Lease, str]:
    lease = next_lease(now=now)
    payers = Demand.objects.filter(verification=lease.verification_id).values_list("payer__name", flat=True)
    return lease, "+".join(sorted(payers))


def end(lease: leases.Lease, now: datetime) -> None:
    leases.record(lease=lease, outcome=OUTCOME, now=now)


def test_one_worker_serves_the_payers_in_turn_however_much_one_of_them_asked_for(
    db: None, clock: Clock
) -> None:
    queue("user:1", 6)
    queue("user:2", 2)
    served = []
    for _ in range(8):
        lease, payer = take(clock.now)
        served.append(payer)
        end(lease, clock.turn(1))
    assert served == ["user:1", "user:2", "user:1", "user:2", *["user:1"] * 4]


def test_the_payer_with_the_fewest_running_replays_comes_first(db: None, clock: Clock) -> None:
    queue("user:1", 5)
    first = [take(clock.now)[0] for _ in range(2)]
    queue("user:2", 5)
    assert [take(clock.now)[1] for _ in range(2)] == ["user:2", "user:2"]
    end(first[0], clock.now)
    assert take(clock.now)[1] == "user:1"


def test_a_replay_that_two_demand_comes_when_either_has_a_turn_and_counts_for_both(
    db: None, clock: Clock
) -> None:
    queue("user:1", 3)
    shared = make_actions()
    make_work(shared, payer="user:1")
    make_work(shared, payer="user:2")
    queue("user:3", 2)
    assert [take(clock.now)[1] for _ in range(4)] == ["user:1", "user:1+user:2", "user:3", "user:3"]


def test_a_wake_up_for_a_row_does_not_bring_it_forward(db: None, clock: Clock) -> None:
    rows = queue("user:1", 3)
    assert wakeups.wake([rows[2].pk], rows[2].hardware_class) in {True, False}  # with or without a broker
    assert take(clock.now)[0].verification_id == rows[0].pk


def test_work_that_is_tried_again_later_keeps_its_place_and_holds_nobody_up(db: None, clock: Clock) -> None:
    rows = queue("user:1", 2)
    lease, _ = take(clock.now)
    leases.give_back(lease=lease, reason="infra:internal", detail="", now=clock.now)
    second, _ = take(clock.now)
    assert second.verification_id == rows[1].pk
    end(second, clock.turn(60))
    queue("user:1", 1)
    assert take(clock.now)[0].verification_id == rows[0].pk


def test_other_classes_have_turns_of_their_own(db: None, clock: Clock, settings: Settings) -> None:
    queue("user:1", 2)
    take(clock.now)
    settings.OPTARENA_HARDWARE_CLASS = "other-cpu"
    [row] = queue("user:1", 1)
    queue("user:2", 1)
    assert take(clock.now)[0].verification_id == row.pk
    assert Turn.objects.filter(payer__name="user:1").count() == 2


def test_who_owes_more_than_the_budget_comes_after_everybody_else(
    db: None, clock: Clock, settings: Settings
) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 100
    queue("user:1", 2)
    lease, _ = take(clock.now)
    end(lease, clock.turn(150))
    queue("user:2", 3)
    assert [take(clock.now)[1] for _ in range(3)] == ["user:2"] * 3
    queue("user:2", 1)
    clock.turn(24 * 3600)
    assert take(clock.now)[1] == "user:1"


def test_workers_that_look_at_once_take_each_replay_once_and_pass_nobody_over(
    transactional_db: None, clock: Clock
) -> None:
    large, small = [{row.pk for row in queue(payer, number)} for payer, number in (("a", 20), ("b", 4))]
    seen: list[UUID] = []

    def worker() -> None:
        while (lease := leases.lease_next(worker="w", now=clock.now)) is not None:
            seen.append(lease.verification_id)
            end(lease, clock.now)

    at_once(4, worker)
    assert len(seen) == 24
    assert set(seen) == large | small
    # Strictly in turn they would be among the first 8; four workers may each look at an old state.
    assert small <= set(seen[:16])


def bring_to(state: State, clock: Clock) -> tuple[Verification, Lease | None]:
    """A new verification in this state, with the lease that it has or had."""
    row = make_work()
    if state == State.QUEUED:
        return row, None
    lease = leased(row, "worker", now=clock.now)
    if state in RUNNING:
        leases.advance(lease=lease, to=state, now=clock.now)
    elif state == State.RECORDED:
        leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    elif state == State.FAILED:
        leases.fail(lease=lease, reason="env:crash", detail="", now=clock.now)
    else:
        requests.cancel_all(verification_ids=[row.pk], actor="test", now=clock.now)
    row.refresh_from_db()
    return row, lease


@pytest.mark.parametrize(
    "source",
    [
        State.CHECKING,
        State.RECORDED,
        *slow(one for one in State if one not in (State.CHECKING, State.RECORDED)),
    ],
)
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


def test_the_sweeper_cannot_end_a_lease_that_lasts(db: None, clock: Clock) -> None:
    row, _ = bring_to(State.REPLAYING, clock)
    change = StateChange(to=State.QUEUED, authority=Authority.SWEEPER, actor="sweeper")
    with pytest.raises(LeaseAliveError):
        transitions.transition(verification_id=row.pk, change=change, now=clock.turn(59))
    assert transitions.transition(verification_id=row.pk, change=change, now=clock.turn(1)).attempt == 1


def test_a_step_repeated_by_its_worker_is_taken_once(db: None, clock: Clock) -> None:
    row, lease = bring_to(State.CHECKING, clock)
    before = history(row)
    change = StateChange(to=State.CHECKING, authority=Authority.WORKER, actor="worker", token=lease.token)
    transitions.transition(verification_id=row.pk, change=change, now=clock.now)
    assert history(row) == before


def test_a_whole_life_is_written_down(db: None, work: Verification, clock: Clock) -> None:
    lease = leased(work, "worker a:1", now=clock.now)
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
    lease = leased(work, now=clock.now)
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
    lease = leased(row, now=clock.now)
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
        lease_row(verification_id=work.pk, worker="w", now=clock.now)


def only(work: Verification) -> VerificationAttempt:
    return attempts_of(work.pk).get()


def test_a_suspicion_leaves_the_verification_where_it_is(work: Verification, clock: Clock) -> None:
    lease = leased(work, now=clock.now)
    leases.advance(lease=lease, to=State.CHECKING, now=clock.now)
    report = AttemptReport(
        reason="env:crash", detail="In step 2", failed_step=2, seconds=5, evidence={"a": 1}
    )
    leases.record_suspicion(lease=lease, report=report, now=clock.now)
    work.refresh_from_db()
    assert (work.state, work.reason) == (State.CHECKING, "")
    stored = only(work)
    assert (stored.number, stored.decision, stored.reason) == (1, "confirm", "env:crash")
    assert (stored.detail, stored.failed_step, stored.evidence) == ("In step 2", 2, {"a": 1})
    assert (stored.started_at, stored.ended_at) == (clock.now - timedelta(seconds=5), clock.now)


def test_a_report_that_is_sent_again_is_stored_once(work: Verification, clock: Clock) -> None:
    lease = leased(work, now=clock.now)
    report = AttemptReport(reason="env:crash", detail="")
    for _ in range(2):
        leases.record_suspicion(lease=lease, report=report, now=clock.now)
    assert attempts_of(work.pk).count() == 1


def test_every_other_end_of_an_attempt_is_numbered(work: Verification, clock: Clock) -> None:
    leases.give_back(lease=leased(work, now=clock.now), reason="infra:killed", detail="gone", now=clock.now)
    clock.turn(3600)
    leased(work, "lost", now=clock.now)
    sweeping.sweep(now=clock.turn(3600))
    leases.fail(lease=leased(work, now=clock.now), reason="env:crash", detail="In step 1", now=clock.now)
    told = attempts_of(work.pk).values_list("number", "lease_attempt", "worker", "decision", "reason")
    assert list(told) == [
        (1, 0, "w", "give-back", "infra:killed"),
        (2, 1, "lost", "give-back", "infra:killed"),
        (3, 2, "w", "fail", "env:crash"),
    ]
    lost = attempts_of(work.pk).get(number=2)
    assert lost.ended_at - lost.started_at == timedelta(seconds=3600)
    assert "Worker lost did not renew its lease" in lost.detail


def test_whatever_a_program_said_is_storable_and_bounded(work: Verification, clock: Clock) -> None:
    evidence = {"sandbox": {"\0": "\ud800" * 9_000}, "idle": True}
    report = AttemptReport(reason="env:crash", detail="\0" * 9_000, evidence=evidence)
    leases.record_suspicion(lease=leased(work, now=clock.now), report=report, now=clock.now)
    stored = only(work)
    assert stored.detail == "\ufffd" * limits.DETAIL_LENGTH
    assert stored.evidence == {"idle": True}
    assert len(json.dumps(stored.evidence)) <= limits.EVIDENCE_LENGTH


def test_attempts_are_only_added(work: Verification, clock: Clock) -> None:
    leases.give_back(lease=leased(work, now=clock.now), reason="infra:killed", detail="", now=clock.now)
    for change in (
        lambda: VerificationAttempt.objects.update(reason="env:crash"),
        lambda: VerificationAttempt.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError, match="history is only added to"), transaction.atomic():
            change()
    assert only(work).reason == "infra:killed"


def test_a_failure_that_is_not_stored_leaves_no_attempt(work: Verification, clock: Clock) -> None:
    """Both are one transaction."""
    lease = leased(work, now=clock.now)
    with pytest.raises(IllegalTransitionError, match="'made:up' is not a reason id"):
        leases.fail(lease=lease, reason="made:up", detail="", now=clock.now)
    assert not attempts_of(work.pk).exists()
