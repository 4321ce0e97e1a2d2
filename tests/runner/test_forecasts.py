"""When queued work probably starts and ends: compared with the order in which it is really leased."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner import conf
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Demand, Verification
from runner.queue import leases
from runner.queue.forecasts import Forecast, forecast, forecast_of_new, loads, next_in_turn
from runner.queue.work import predicted_seconds, replay_seconds
from tests.factories import make_work
from tests.kit.work import OUTCOME, Clock

if TYPE_CHECKING:
    from collections.abc import Sequence


def ask(payer: str, number: int, seconds: float = 10) -> list[Verification]:
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
        ask(payer, number)
    for turn in range(4):  # with a history, so that the payers' last turns matter
        lease = leases.lease_next(worker="w", now=clock.now)
        assert lease is not None
        leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(turn))
    waiting = list(Demand.objects.select_related("payer", "verification"))
    foreseen = {one.verification_id: of(one.payer.name, [one.verification]).position for one in waiting}
    for position in range(1, len(waiting) + 1):
        lease = leases.lease_next(worker="w", now=clock.now)
        assert lease is not None
        assert foreseen[lease.verification_id] == position
        leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(1))


def test_the_order_of_the_queue_is_that_of_the_leases(db: None, clock: Clock) -> None:
    for payer, number in (("a", 5), ("b", 2), ("c", 9)):
        ask(payer, number)
    first = leases.lease_next(worker="w", now=clock.now)
    assert first is not None
    leases.record(lease=first, outcome=OUTCOME, now=clock.turn(1))
    order = next_in_turn(conf.own_hardware_class(), 100)
    assert len(order) == 15
    assert next_in_turn(conf.own_hardware_class(), 4) == order[:4]
    taken = []
    for _ in order:
        lease = leases.lease_next(worker="w", now=clock.now)
        assert lease is not None
        taken.append(lease.verification_id)
        leases.record(lease=lease, outcome=OUTCOME, now=clock.turn(1))
    assert taken == order


@pytest.mark.parametrize("payer", ["a", "b", "newcomer"])
def test_what_is_foreseen_for_new_work_holds_once_it_is_asked_for(db: None, clock: Clock, payer: str) -> None:
    ask("a", 4, seconds=6)
    ask("b", 2, seconds=1)
    live(2)
    new = forecast_of_new(payer=payer, number=3, seconds=3, hardware_class=conf.own_hardware_class())
    found = of(payer, ask(payer, 3, seconds=1))
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
    ask("a", 10, seconds=6)
    own = ask("b", 3, seconds=1)
    live(2)
    found = of("b", own)
    assert (found.position, found.waiting, found.running, found.processes) == (2, 3, 0, 2)
    assert found.seconds_to_start == pytest.approx(6 / 2)
    assert found.seconds_to_end == pytest.approx((3 * 6 + 2 * 1) / 2 + 1)


def test_running_replays_count_as_half_done(db: None, clock: Clock) -> None:
    rows = ask("a", 1, seconds=8)
    own = ask("b", 1, seconds=2)
    live(1)
    leases.lease(verification_id=rows[0].pk, worker="w", now=clock.now)
    assert of("b", own).seconds_to_start == pytest.approx(4)
    leases.lease(verification_id=own[0].pk, worker="w", now=clock.now)
    running = of("b", own)
    assert (running.position, running.seconds_to_start, running.running) == (None, None, 1)
    assert running.seconds_to_end is not None


def test_without_a_live_worker_there_is_a_place_and_no_time(db: None) -> None:
    found = of("a", ask("a", 2))
    assert (found.position, found.processes) == (1, 0)
    assert (found.seconds_to_start, found.seconds_to_end) == (None, None)


def test_who_demands_nothing_of_it_gets_no_forecast(db: None) -> None:
    rows = ask("a", 1)
    ids = Verification.objects.filter(pk=rows[0].pk).values("pk")
    assert forecast(payer="b", verifications=ids, hardware_class=conf.own_hardware_class()) is None


def test_the_load_of_a_class(db: None) -> None:
    ask("a", 3, seconds=5)
    ask("b", 1, seconds=7)
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
