"""What a payer owes: reserved when it is requested, corrected when it ends, forgotten as time passes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest

from optarena import limits
from optarena.specs import environment_spec
from runner.errors import BudgetExceededError, QueueFullError
from runner.models import Demand, Payer, Verification
from runner.queue import demands, requests, sweeping, wakeups
from runner.queue import leases as lease_module
from runner.queue.work import ActionSequence, Work
from tests.factories import ENVIRONMENT, make_actions, make_benchmark, make_work
from tests.kit.work import OUTCOME, Clock, together

if TYPE_CHECKING:
    from pytest_django import Settings

ADA: Final = "user:1"
BOB: Final = "user:2"


@pytest.fixture(autouse=True)
def _whole_budget(settings: Settings) -> None:
    """A budget that is forgotten so slowly that the seconds of a test do not matter."""
    settings.OPTARENA_BUDGET_SECONDS = 1000
    settings.OPTARENA_BUDGET_HOURS = 100_000_000


def used(payer: str = ADA) -> float:
    return demands.balance_of(payer=payer).used


def ask(number: int, payer: str = ADA, actions: int = 1) -> list[Verification]:
    """A limited request for so much new work."""
    spec, benchmark = environment_spec(ENVIRONMENT), make_benchmark(size_bytes=0)
    sequences = [[*make_actions(), *[0] * actions] for _ in range(number)]
    works = [
        Work.of(
            spec=spec,
            benchmark=benchmark,
            benchmark_uri=benchmark.uri,
            actions=ActionSequence.checked(spec, one),
        )
        for one in sequences
    ]
    return requests.request_verifications(environment=ENVIRONMENT, works=works, payer=payer, limited=True)


def reserved(payer: str = ADA) -> float:
    return sum(Demand.objects.filter(payer__name=payer).values_list("seconds", flat=True))


def leased(row: Verification, clock: Clock) -> lease_module.Lease:
    lease = lease_module.lease(verification_id=row.pk, worker="w", now=clock.now)
    assert lease is not None
    return lease


def test_a_request_reserves_what_it_is_expected_to_take(db: None) -> None:
    ask(3)
    assert used() == pytest.approx(reserved(), abs=0.01)
    assert demands.balance_of(payer=ADA).queued == 3
    assert used(BOB) == 0


def test_the_end_replaces_what_was_reserved_by_what_it_took(db: None, clock: Clock) -> None:
    [row] = ask(1)
    lease = leased(row, clock)
    lease_module.record(lease=lease, outcome=OUTCOME, now=clock.turn(70))
    assert used() == pytest.approx(70, abs=0.1)
    assert not Demand.objects.exists()


def test_a_failure_of_the_work_is_paid_for(db: None, clock: Clock) -> None:
    [row] = ask(1)
    lease_module.fail(lease=leased(row, clock), reason="env:crash", detail="", now=clock.turn(30))
    assert used() == pytest.approx(30, abs=0.1)


def test_nothing_is_owed_for_a_failure_of_the_infrastructure(db: None, clock: Clock) -> None:
    [row] = ask(1)
    for _ in range(limits.INFRASTRUCTURE_RETRIES + 1):
        clock.turn(3600)
        lease = leased(row, clock)
        lease_module.give_back(lease=lease, reason="infra:internal", detail="", now=clock.turn(50))
    row.refresh_from_db()
    assert row.reason == "infra:internal"
    assert used() == 0


def test_the_time_of_a_lost_worker_is_not_paid_for(db: None, clock: Clock) -> None:
    [row] = ask(1)
    leased(row, clock)
    sweeping.sweep(now=clock.turn(500))
    lease_module.record(lease=leased(row, clock), outcome=OUTCOME, now=clock.turn(7))
    assert used() == pytest.approx(7, abs=0.1)


def test_cancelled_work_costs_what_was_done_of_it(db: None, clock: Clock) -> None:
    waiting, running = ask(2)
    leased(running, clock)
    requests.cancel_all(verification_ids=[waiting.pk, running.pk], actor="test", now=clock.turn(20))
    assert used() == pytest.approx(20, abs=0.1)
    assert not Demand.objects.exists()


def test_those_who_share_a_replay_share_its_cost(db: None, clock: Clock) -> None:
    actions = make_actions()
    row = make_work(actions, payer=ADA)
    assert make_work(actions, payer=BOB).pk == row.pk
    lease_module.record(lease=leased(row, clock), outcome=OUTCOME, now=clock.turn(60))
    assert (used(ADA), used(BOB)) == (pytest.approx(30, abs=0.1), pytest.approx(30, abs=0.1))


def test_who_gives_up_a_shared_replay_gets_the_reservation_back(db: None) -> None:
    actions = make_actions()
    row = make_work(actions, payer=ADA)
    make_work(actions, payer=BOB)
    demands.release(payer=ADA, verification_ids=[row.pk])
    assert used(ADA) == 0
    assert used(BOB) > 0
    row.refresh_from_db()
    assert row.state == "queued"


def test_what_has_ended_or_is_demanded_already_costs_nothing(db: None, clock: Clock) -> None:
    actions = make_actions()
    row = make_work(actions, payer=ADA)
    before = used()
    make_work(actions, payer=ADA)
    assert used() == pytest.approx(before, abs=0.01)
    lease_module.record(lease=leased(row, clock), outcome=OUTCOME, now=clock.turn(1))
    make_work(actions, payer=BOB)
    assert used(BOB) == 0


def test_who_joins_a_running_replay_is_running_too(db: None, clock: Clock) -> None:
    actions = make_actions()
    leased(make_work(actions, payer=ADA), clock)
    make_work(actions, payer=BOB)
    assert list(Demand.objects.values_list("waiting", flat=True)) == [False, False]


def test_what_was_used_is_forgotten_steadily(db: None, clock: Clock, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_HOURS = 10
    ask(1)
    Payer.objects.update(used_seconds=1000, counted_at=clock.now)
    payer = Payer.objects.get()
    for hours, left in ((0, 1000), (1, 900), (9, 100), (11, 0)):
        assert demands.used_by(payer, clock.now + timedelta(hours=hours)) == pytest.approx(left)


def test_over_the_budget_nothing_is_stored_and_the_wait_is_right(db: None) -> None:
    ask(1)
    Payer.objects.update(used_seconds=999.0)
    before = Verification.objects.count()
    with pytest.raises(BudgetExceededError) as refused:
        ask(10)
    assert Verification.objects.count() == before
    assert Demand.objects.count() == 1
    error = refused.value
    assert not error.is_hopeless
    assert error.left == pytest.approx(1, abs=0.1)
    rate = error.budget / error.window
    assert error.wait * rate == pytest.approx(error.needed - error.left, rel=0.01)


def test_a_request_that_no_budget_suffices_for_says_so(db: None, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 1
    with pytest.raises(BudgetExceededError) as refused:
        ask(20)
    assert refused.value.is_hopeless


def test_a_payer_may_queue_so_many_replays_and_no_more(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demands, "MAX_QUEUED_ITEMS", 5)
    ask(3)
    with pytest.raises(QueueFullError, match="3 replays are queued; 3 more would exceed 5"):
        ask(3)
    ask(3, payer=BOB)
    ask(2)
    assert demands.balance_of(payer=ADA).queued == 5


def test_requests_at_the_same_time_do_not_overdraw(transactional_db: None, settings: Settings) -> None:
    make_benchmark(size_bytes=0)
    wakeups.current_environment_version(environment=ENVIRONMENT)
    settings.OPTARENA_BUDGET_SECONDS = 4  # for about eleven short replays
    results = together(*[lambda: ask(4)] * 6)
    stored = [one for one in results if isinstance(one, list)]
    assert all(isinstance(one, (list, BudgetExceededError)) for one in results), results
    assert len(stored) == 2
    assert Demand.objects.count() == Verification.objects.count() == 8
    assert used() <= 4


def test_ends_and_requests_at_the_same_time_keep_the_account_right(
    transactional_db: None, clock: Clock
) -> None:
    rows = ask(6)
    leases = [leased(row, clock) for row in rows]
    now = clock.turn(10)
    results = together(
        *[lambda lease=lease: lease_module.record(lease=lease, outcome=OUTCOME, now=now) for lease in leases],
        lambda: ask(2),
    )
    assert not [one for one in results if isinstance(one, Exception)], results
    assert used() == pytest.approx(60 + reserved(), abs=0.5)


def test_the_sweeper_corrects_demands_that_a_worker_changed(db: None, clock: Clock) -> None:
    orphan, stuck, ended = ask(3)
    Demand.objects.filter(verification=orphan).delete()
    Demand.objects.filter(verification=stuck).update(waiting=False, started_at=clock.now)
    lease_module.lease(verification_id=ended.pk, worker="w", now=clock.now)
    Verification.objects.filter(pk=ended.pk).update(
        state="failed", reason="env:crash", finished_at=clock.now, lease_token=None, lease_expires_at=None
    )
    assert lease_module.lease_next(worker="w", now=clock.now) is None
    sweeping.sweep(now=clock.turn(1))
    found = {one.verification_id: (one.payer.name, one.waiting) for one in Demand.objects.all()}
    assert found == {orphan.pk: (demands.NOBODY, True), stuck.pk: (ADA, True)}
    assert sum(lease_module.lease_next(worker="w", now=clock.now) is not None for _ in range(3)) == 2
    sweeping.sweep(now=clock.turn(1))
    assert Demand.objects.count() == 2
