"""What a payer owes, and when the queued work probably starts and ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest

from optarena import limits
from optarena.specs import environment_spec
from runner import conf
from runner.errors import BudgetExceededError, QueueFullError
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Demand, Payer, Verification
from runner.queue import demands, leases, requests, sweeping
from runner.queue.figures import Forecast, forecast, forecast_of_new, loads, next_in_turn
from runner.queue.work import ActionSequence, Work, predicted_seconds, replay_seconds
from tests.factories import ENVIRONMENT, make_actions, make_benchmark, make_work
from tests.kit.work import OUTCOME, Clock, lease_row, leased, next_lease, together

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


def test_a_request_reserves_what_it_is_expected_to_take(db: None) -> None:
    ask(3)
    assert used() == pytest.approx(reserved(), abs=0.01)
    assert demands.balance_of(payer=ADA).queued == 3
    assert used(BOB) == 0


def test_the_end_replaces_what_was_reserved_by_what_it_took(db: None, clock: Clock) -> None:
    [row] = ask(1)
    lease = leased(row, now=clock.now)
    leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(70))
    assert used() == pytest.approx(70, abs=0.1)
    assert not Demand.objects.exists()


def test_a_failure_of_the_work_is_paid_for(db: None, clock: Clock) -> None:
    [row] = ask(1)
    leases.fail(lease=leased(row, now=clock.now), reason="env:crash", detail="", now=clock.turn(30))
    assert used() == pytest.approx(30, abs=0.1)


def test_nothing_is_owed_for_a_failure_of_the_infrastructure(db: None, clock: Clock) -> None:
    [row] = ask(1)
    for _ in range(limits.INFRASTRUCTURE_RETRIES + 1):
        clock.turn(3600)
        lease = leased(row, now=clock.now)
        leases.give_back(lease=lease, reason="infra:internal", detail="", now=clock.turn(50))
    row.refresh_from_db()
    assert row.reason == "infra:internal"
    assert used() == 0


def test_the_time_of_a_lost_worker_is_not_paid_for(db: None, clock: Clock) -> None:
    [row] = ask(1)
    leased(row, now=clock.now)
    sweeping.sweep(now=clock.turn(500))
    leases.record(lease=leased(row, now=clock.now), outcome=OUTCOME, now=clock.turn(7))
    assert used() == pytest.approx(7, abs=0.1)


def test_cancelled_work_costs_what_was_done_of_it(db: None, clock: Clock) -> None:
    waiting, running = ask(2)
    leased(running, now=clock.now)
    requests.cancel_all(verification_ids=[waiting.pk, running.pk], actor="test", now=clock.turn(20))
    assert used() == pytest.approx(20, abs=0.1)
    assert not Demand.objects.exists()


def test_those_who_share_a_replay_share_its_cost(db: None, clock: Clock) -> None:
    actions = make_actions()
    row = make_work(actions, payer=ADA)
    assert make_work(actions, payer=BOB).pk == row.pk
    leases.record(lease=leased(row, now=clock.now), outcome=OUTCOME, now=clock.turn(60))
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


def test_what_has_ended_costs_a_share_and_what_is_demanded_already_nothing(db: None, clock: Clock) -> None:
    actions = make_actions()
    row = make_work(actions, payer=ADA)
    before = used()
    make_work(actions, payer=ADA)
    assert used() == pytest.approx(before, abs=0.01)
    leases.record(lease=leased(row, now=clock.now), outcome=OUTCOME, now=clock.turn(1))
    make_work(actions, payer=BOB)
    assert used(BOB) == pytest.approx(demands.ENDED_SHARE * before, rel=0.05)


def test_who_joins_a_running_replay_is_running_too(db: None, clock: Clock) -> None:
    actions = make_actions()
    leased(make_work(actions, payer=ADA), now=clock.now)
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


def test_ends_and_requests_at_the_same_time_keep_the_account_right(
    transactional_db: None, clock: Clock
) -> None:
    rows = ask(6)
    running = [leased(row, now=clock.now) for row in rows]
    now = clock.turn(10)
    results = together(
        *[lambda lease=lease: leases.record(lease=lease, outcome=OUTCOME, now=now) for lease in running],
        lambda: ask(2),
    )
    assert not [one for one in results if isinstance(one, Exception)], results
    assert used() == pytest.approx(60 + reserved(), abs=0.5)


def test_the_sweeper_corrects_demands_that_a_worker_changed(db: None, clock: Clock) -> None:
    orphan, stuck, ended = ask(3)
    Demand.objects.filter(verification=orphan).delete()
    Demand.objects.filter(verification=stuck).update(waiting=False, started_at=clock.now)
    lease_row(verification_id=ended.pk, worker="w", now=clock.now)
    Verification.objects.filter(pk=ended.pk).update(
        state="failed", reason="env:crash", finished_at=clock.now, lease_token=None, lease_expires_at=None
    )
    assert leases.lease_next(worker="w", now=clock.now) is None
    sweeping.sweep(now=clock.turn(1))
    found = {one.verification_id: (one.payer.name, one.waiting) for one in Demand.objects.all()}
    assert found == {orphan.pk: (demands.NOBODY, True), stuck.pk: (ADA, True)}
    assert sum(leases.lease_next(worker="w", now=clock.now) is not None for _ in range(3)) == 2
    sweeping.sweep(now=clock.turn(1))
    assert Demand.objects.count() == 2


def ask_for_work(payer: str, number: int, seconds: float = 10) -> list[Verification]:
    """New work that is expected to take so many seconds."""
    rows = [make_work(payer=payer) for _ in range(number)]
    Demand.objects.filter(verification__in=rows).update(seconds=seconds)
    return rows


def of(payer: str, rows: Sequence[Verification]) -> Forecast:
    found = forecast(
        payer=payer,
        verifications=Verification.objects.filter(pk__in=[row.pk for row in rows]).values("pk"),
        hardware_class=conf.own_hardware_class(),
    )
    assert found is not None
    return found


def live(processes: int) -> None:
    presence.announce_runner(
        name="w",
        hardware_class=conf.own_hardware_class(),
        machine=Machine(fingerprint={}, versions={}),
        processes=processes,
    )


def test_the_position_is_the_number_of_leases_until_it_starts(db: None, clock: Clock) -> None:
    for payer, number in (("a", 5), ("b", 2), ("c", 9)):
        ask_for_work(payer, number)
    for turn in range(4):  # with a history, so that the payers' last turns matter
        lease = next_lease(now=clock.now)
        leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(turn))
    waiting = list(Demand.objects.select_related("payer", "verification"))
    foreseen = {one.verification_id: of(one.payer.name, [one.verification]).position for one in waiting}
    for position in range(1, len(waiting) + 1):
        lease = next_lease(now=clock.now)
        assert foreseen[lease.verification_id] == position
        leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(1))


def test_the_order_of_the_queue_is_that_of_the_leases(db: None, clock: Clock) -> None:
    for payer, number in (("a", 5), ("b", 2), ("c", 9)):
        ask_for_work(payer, number)
    first = next_lease(now=clock.now)
    leases.record(lease=first, outcome=OUTCOME, now=clock.turn(1))
    order = next_in_turn(conf.own_hardware_class(), 100)
    assert len(order) == 15
    assert next_in_turn(conf.own_hardware_class(), 4) == order[:4]
    taken = []
    for _ in order:
        lease = next_lease(now=clock.now)
        taken.append(lease.verification_id)
        leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(1))
    assert taken == order


@pytest.mark.parametrize("payer", ["a", "b", "newcomer"])
def test_what_is_foreseen_for_new_work_holds_once_it_is_asked_for(db: None, clock: Clock, payer: str) -> None:
    ask_for_work("a", 4, seconds=6)
    ask_for_work("b", 2, seconds=1)
    live(2)
    new = forecast_of_new(payer=payer, number=3, seconds=3, hardware_class=conf.own_hardware_class())
    found = of(payer, ask_for_work(payer, 3, seconds=1))
    assert new.position is not None
    assert found.position is not None
    assert found.position <= new.position <= found.position + 2, "the owner's turn may come later than said"
    assert new.seconds_to_end is not None
    assert found.seconds_to_end is not None
    assert new.seconds_to_end == pytest.approx(found.seconds_to_end, rel=0.6)
    assert (new.waiting, new.running, new.processes) == (3, 0, 2)


def test_new_work_on_an_idle_class_starts_at_once(db: None) -> None:
    given = {"payer": "a", "number": 2, "seconds": 6.0, "hardware_class": conf.own_hardware_class()}
    assert forecast_of_new(**given).seconds_to_end is None  # type: ignore[arg-type] # the values fit
    live(2)
    found = forecast_of_new(**given)  # type: ignore[arg-type] # as above
    assert (found.position, found.seconds_to_start) == (1, 0)
    assert found.seconds_to_end == pytest.approx(3 / 2 + 3)


def test_the_time_is_what_comes_before_divided_by_the_workers(db: None, clock: Clock) -> None:
    ask_for_work("a", 10, seconds=6)
    own = ask_for_work("b", 3, seconds=1)
    live(2)
    found = of("b", own)
    assert (found.position, found.waiting, found.running, found.processes) == (2, 3, 0, 2)
    assert found.seconds_to_start == pytest.approx(6 / 2)
    assert found.seconds_to_end == pytest.approx((3 * 6 + 2 * 1) / 2 + 1)


def test_running_replays_count_as_half_done(db: None, clock: Clock) -> None:
    rows = ask_for_work("a", 1, seconds=8)
    own = ask_for_work("b", 1, seconds=2)
    live(1)
    assert not of("b", own).is_least
    lease_row(verification_id=rows[0].pk, worker="w", now=clock.now)
    assert of("b", own).seconds_to_start == pytest.approx(4)
    assert of("b", own).is_least, "the only runner is busy, and nobody knows for how long"
    live(2)
    assert not of("b", own).is_least
    lease_row(verification_id=own[0].pk, worker="w", now=clock.now)
    running = of("b", own)
    assert (running.position, running.seconds_to_start, running.running) == (None, None, 1)
    assert running.seconds_to_end is not None


def test_without_a_live_worker_there_is_a_place_and_no_time(db: None) -> None:
    found = of("a", ask_for_work("a", 2))
    assert (found.position, found.processes) == (1, 0)
    assert (found.seconds_to_start, found.seconds_to_end) == (None, None)


def test_who_demands_nothing_of_it_gets_no_forecast(db: None) -> None:
    rows = ask_for_work("a", 1)
    ids = Verification.objects.filter(pk=rows[0].pk).values("pk")
    assert forecast(payer="b", verifications=ids, hardware_class=conf.own_hardware_class()) is None


def test_the_load_of_a_class(db: None) -> None:
    ask_for_work("a", 3, seconds=5)
    ask_for_work("b", 1, seconds=7)
    [load] = loads().values()
    assert (load.payers, load.seconds) == (2, pytest.approx(22))


def test_more_work_is_never_expected_to_take_less() -> None:
    sizes, numbers = (0, 16_200, 2_553_684), (0, 1, 100, 10_000)
    for size in sizes:
        of_size = [predicted_seconds(size_bytes=size, actions=number) for number in numbers]
        assert of_size == sorted(of_size)
        assert of_size[0] > 0
    assert predicted_seconds(size_bytes=0, actions=1, measured=True) > predicted_seconds(
        size_bytes=0, actions=1
    )


def test_a_replay_may_take_a_minute_or_ten_times_what_is_expected_and_never_more_than_the_limit() -> None:
    assert replay_seconds(size_bytes=16_200, actions=20) == 60
    assert replay_seconds(size_bytes=16_200, actions=10_000) == pytest.approx(510, abs=60)
    assert replay_seconds(size_bytes=2_553_684, actions=10_000) == 3600
    assert replay_seconds(size_bytes=100, actions=1, measured=True) == 3600
