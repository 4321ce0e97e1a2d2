"""Leases go round by payer: in small cases, against a model, and with workers that look at the same time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from runner.clock import database_now
from runner.models import Demand, Payer, Turn, Verification
from runner.queue import leases, wakeups
from tests.factories import make_actions, make_work
from tests.kit.examples import examples
from tests.kit.work import OUTCOME, Clock, at_once

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from pytest_django import Settings

PAYERS: Final = ("user:1", "user:2", "user:3")


def queue(payer: str, number: int) -> list[Verification]:
    """New work of a payer."""
    return [make_work(payer=payer) for _ in range(number)]


def take(now: datetime) -> tuple[leases.Lease, str]:
    """The next lease, and whose work it is."""
    lease = leases.lease_next(worker="w", now=now)
    assert lease is not None
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


def test_who_asks_last_waits_for_one_replay_and_not_for_a_queue(db: None, clock: Clock) -> None:
    queue("user:1", 20)
    for _ in range(3):
        end(take(clock.now)[0], clock.turn(1))
    take(clock.now)
    queue("user:2", 1)
    assert take(clock.now)[1] == "user:2"


def test_the_payer_with_the_fewest_running_replays_comes_first(db: None, clock: Clock) -> None:
    queue("user:1", 5)
    first = [take(clock.now)[0] for _ in range(2)]
    queue("user:2", 5)
    assert [take(clock.now)[1] for _ in range(2)] == ["user:2", "user:2"]
    end(first[0], clock.now)
    assert take(clock.now)[1] == "user:1"


def test_a_payers_own_line_is_served_in_its_order(db: None, clock: Clock) -> None:
    rows = queue("user:1", 4)
    assert [take(clock.now)[0].verification_id for _ in rows] == [row.pk for row in rows]


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
    assert wakeups.wake(rows[2].pk, rows[2].hardware_class) in {True, False}  # with or without a broker
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


@dataclass
class Model:
    """What the order must be: lines of names, what runs, and when each payer had its last turn."""

    lines: dict[str, list[UUID]] = field(default_factory=dict)
    running: Counter[str] = field(default_factory=Counter)
    turns: dict[str, int] = field(default_factory=dict)
    arrivals: dict[UUID, int] = field(default_factory=dict)
    owner: dict[UUID, str] = field(default_factory=dict)

    def ask(self, payer: str, row: UUID) -> None:
        """A new replay at the end of a line."""
        self.lines.setdefault(payer, []).append(row)
        self.arrivals[row] = len(self.arrivals)
        self.owner[row] = payer

    def take(self) -> UUID | None:
        """Whose turn it is, and what of theirs."""
        waiting = [payer for payer, line in self.lines.items() if line]
        if not waiting:
            return None
        payer = min(
            waiting,
            key=lambda one: (
                self.running[one],
                self.turns.get(one, -1),
                self.arrivals[self.lines[one][0]],
            ),
        )
        self.running[payer] += 1
        self.turns[payer] = max(self.turns.values(), default=-1) + 1
        return self.lines[payer].pop(0)

    def ended(self, row: UUID) -> None:
        """A running replay has ended."""
        self.running[self.owner[row]] -= 1

    def back(self, row: UUID) -> None:
        """A running replay waits again, in its old place."""
        self.ended(row)
        line = self.lines[self.owner[row]]
        line.append(row)
        line.sort(key=self.arrivals.__getitem__)


STEPS: Final = st.lists(
    st.tuples(st.sampled_from(("ask", "ask", "take", "take", "end", "back")), st.integers(0, 9)),
    min_size=20,
    max_size=40,
)


@settings(max_examples=examples(4), database=None)
@given(steps=STEPS)
def test_leases_follow_the_model(db: None, steps: list[tuple[str, int]]) -> None:
    Demand.objects.all().delete()
    Verification.objects.filter(state="queued").update(hardware_class="former-cpu")
    Turn.objects.all().delete()
    Payer.objects.all().delete()
    model, held = Model(), []
    clock = Clock(database_now())
    clock.turn(3600)
    for step, pick in steps:
        if step == "ask":
            model.ask(PAYERS[pick % 3], make_work(payer=PAYERS[pick % 3]).pk)
        elif step == "take":
            lease = leases.lease_next(worker="w", now=clock.now)
            assert (lease.verification_id if lease else None) == model.take()
            held += [lease] if lease else []
        elif held:
            lease = held.pop(pick % len(held))
            if step == "end" or lease.attempt > 0:
                end(lease, clock.now)
                model.ended(lease.verification_id)
            else:
                leases.give_back(lease=lease, reason="infra:internal", detail="", now=clock.now)
                model.back(lease.verification_id)
                clock.turn(3600)
