"""Random interleavings of workers, zombies, crashes, clock jumps, sweeper, requests and cancellations.

Each operation is one transaction on the real database. A model beside it says what must be true.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner.database import database_now
from runner.errors import IllegalTransitionError, LeaseLostError
from runner.models import EDGES, PHASES, RUNNING, TERMINAL, Authority, State, Verification
from runner.queue import leases, requests, sweeping, transitions
from runner.queue.transitions import verifications_finished
from tests.factories import make_actions, make_work
from tests.kit.examples import examples
from tests.kit.work import Clock, lease_row

ROWS: Final = 3
_ORDINARY: Final = tuple(State(state) for state in (*PHASES, State.RECORDED))


class World:
    """A few verifications, and everybody who may touch them. ``pick`` chooses whom an operation is about."""

    def __init__(self) -> None:
        self.clock = Clock(database_now())
        self.clock.turn(3600)
        self.works: list[list[int]] = []
        self.rows: list[UUID] = []
        self.leases: list[leases.Lease] = []
        self.held: dict[UUID, leases.Lease] = {}
        self.recorded_by: dict[UUID, str] = {}
        self.announced: list[UUID] = []
        for number in range(ROWS):
            self.ask(number)

    def note(self, verifications: Sequence[Verification], **kwargs: Any) -> None:
        self.announced.extend(one.pk for one in verifications)

    def alive(self) -> list[UUID]:
        return list(
            Verification.objects.filter(pk__in=self.rows)
            .exclude(state__in=TERMINAL)
            .values_list("pk", flat=True)
        )

    def ask(self, pick: int) -> None:
        """Old work is asked for again; new work comes where too little is left."""
        if len(self.works) < ROWS or len(self.alive()) < ROWS:
            self.works.append(make_actions())
            pick = len(self.works) - 1
        row = make_work(self.works[pick % len(self.works)])
        if row.pk not in self.rows:
            self.rows.append(row.pk)

    def lease_next(self, pick: int) -> None:
        self._leased(leases.lease_next(worker=f"w{pick % 3}", now=self.clock.now))

    def lease_named(self, pick: int) -> None:
        """A worker is woken for a row, in whatever state that is."""
        wanted = self.rows[-1 - pick % len(self.rows)]
        lease = lease_row(verification_id=wanted, worker=f"w{pick % 3}", now=self.clock.now)
        assert lease is None or lease.verification_id == wanted
        self._leased(lease)

    def _leased(self, lease: leases.Lease | None) -> None:
        if lease is not None:
            assert lease.verification_id not in self.held, "two live leases"
            self.held[lease.verification_id] = lease
            self.leases.append(lease)

    def _attempt(self, pick: int, write: Callable[[leases.Lease], object], *, ends: bool = False) -> bool:
        """A worker writes with one of the latest leases, its own or a lost one, which must change nothing."""
        if not self.leases:
            return False
        lease = self.leases[-1 - pick % min(len(self.leases), 4)]
        rows = Verification.objects.filter(pk=lease.verification_id)
        before = rows.values().get()
        live = self.held.get(lease.verification_id) == lease
        try:
            write(lease)
        except LeaseLostError:
            assert not live
            assert before == rows.values().get()
            return False
        assert live, "a zombie wrote"
        if ends:
            del self.held[lease.verification_id]
        return True

    def beat(self, pick: int) -> None:
        self._attempt(pick, lambda lease: leases.heartbeat(lease=lease, now=self.clock.now))

    def report(self, pick: int) -> None:
        self._attempt(pick, lambda lease: leases.report_progress(lease=lease, done=pick, total=99))

    def advance(self, pick: int) -> None:
        """On to a phase, or back to one, which changes nothing."""
        to = PHASES[pick % len(PHASES)]
        self._attempt(pick, lambda lease: leases.advance(lease=lease, to=to, now=self.clock.now))

    def record(self, pick: int) -> None:
        def write(lease: leases.Lease) -> None:
            leases.record(lease=lease, outcome=outcome_of(lease), now=self.clock.now)
            self.recorded_by[lease.verification_id] = str(lease)

        self._attempt(pick, write, ends=True)

    def fail(self, pick: int) -> None:
        self._attempt(
            pick,
            lambda lease: leases.fail(lease=lease, reason="env:crash", detail="", now=self.clock.now),
            ends=True,
        )

    def give_back(self, pick: int) -> None:
        self._attempt(
            pick,
            lambda lease: leases.give_back(
                lease=lease, reason="infra:internal", detail="", now=self.clock.now
            ),
            ends=True,
        )

    def forge(self, pick: int) -> None:
        if self.leases:
            forged = replace(self.leases[-1 - pick % min(len(self.leases), 4)], token=uuid4())
            before = Verification.objects.filter(pk=forged.verification_id).values().get()
            for write in (leases.heartbeat, leases.give_back):
                arguments: dict[str, Any] = (
                    {"reason": "infra:internal", "detail": ""} if write is leases.give_back else {}
                )
                try:
                    write(lease=forged, now=self.clock.now, **arguments)
                except LeaseLostError:
                    continue
                raise AssertionError("a guessed token was taken")
            assert before == Verification.objects.filter(pk=forged.verification_id).values().get()

    def jump(self, pick: int) -> None:
        self.clock.turn(2 * pick - 60)

    def crash(self, pick: int) -> None:
        """Nobody beats for longer than a lease; the sweeper comes later."""
        self.clock.turn(61 + pick)

    def sweep(self, pick: int) -> None:
        held = Verification.objects.filter(pk__in=self.rows, state__in=RUNNING)
        expired = list(held.filter(lease_expires_at__lte=self.clock.now).values_list("pk", flat=True))
        report = sweeping.sweep(now=self.clock.now)
        assert (report.requeued + report.exhausted, report.errors) == (len(expired), ())
        for pk in expired:
            del self.held[pk]

    def lose(self, pick: int) -> None:
        """The worker of the oldest work is lost, as often as it takes."""
        for _ in range(1 + pick % (INFRASTRUCTURE_RETRIES + 1)):
            self.lease_next(pick)
            self.crash(pick)
            self.sweep(pick)

    def cancel(self, pick: int) -> None:
        pk = self.rows[-1 - pick % len(self.rows)]
        ended = Verification.objects.get(pk=pk).is_terminal
        assert requests.cancel_all(verification_ids=[pk], actor="test", now=self.clock.now) == (not ended)
        self.held.pop(pk, None)

    def leap(self, pick: int) -> None:
        """The holder of a lease tries any phase at all; the table alone says which it may enter."""
        if self.held:
            lease = list(self.held.values())[pick % len(self.held)]
            to = _ORDINARY[pick % len(_ORDINARY)]
            source = State(Verification.objects.get(pk=lease.verification_id).state)
            legal = source == to or Authority.WORKER in EDGES.get((source, to), ())
            change = transitions.StateChange(
                to=to,
                authority=Authority.WORKER,
                actor="leaper",
                token=lease.token,
                outcome=outcome_of(lease),
            )
            try:
                transitions.transition(
                    verification_id=lease.verification_id, change=change, now=self.clock.now
                )
            except IllegalTransitionError:
                assert not legal
            else:
                assert legal
                if to == State.RECORDED:
                    self.recorded_by[lease.verification_id] = str(lease)
                    del self.held[lease.verification_id]

    def check(self) -> None:
        for row in Verification.objects.filter(pk__in=self.rows):
            held = self.held.get(row.pk)
            assert (held is not None) == (row.state in RUNNING)
            assert row.lease_token == (held.token if held else None)
            assert row.attempt <= INFRASTRUCTURE_RETRIES
            if row.state == State.RECORDED:
                assert row.result == {"by": self.recorded_by[row.pk]}
        tokens = [lease.token for lease in self.leases]
        assert len(tokens) == len(set(tokens)), "a token was used again"

    def check_histories(self) -> None:
        """Every history is a path through the table, without a gap, with at most one end."""
        for row in Verification.objects.filter(pk__in=self.rows).prefetch_related("events"):
            events = sorted(row.events.all(), key=lambda event: event.seq)
            assert [event.seq for event in events] == list(range(1, row.last_seq + 1))
            assert (events[0].from_state, events[0].to_state) == ("", State.QUEUED)
            assert all(earlier.to_state == later.from_state for earlier, later in pairwise(events))
            assert all((State(e.from_state), State(e.to_state)) in EDGES for e in events[1:])
            assert events[-1].to_state == row.state
            ends = [event for event in events if event.to_state in TERMINAL]
            assert len(ends) == int(row.is_terminal) == self.announced.count(row.pk)

    def finish(self) -> None:
        """Everybody crashed; one honest worker and the sweeper bring every row to its end."""
        for _ in range((INFRASTRUCTURE_RETRIES + 2) * ROWS):
            self.clock.turn(600)
            self.sweep(0)
            self.lease_next(0)
            if self.held:
                self.record(0)
        assert not self.alive()


OPERATIONS: Final = {
    World.ask: 3,
    World.lease_next: 5,
    World.lease_named: 2,
    World.advance: 5,
    World.beat: 2,
    World.report: 2,
    World.record: 2,
    World.fail: 1,
    World.give_back: 1,
    World.forge: 1,
    World.jump: 1,
    World.crash: 3,
    World.sweep: 4,
    World.lose: 1,
    World.cancel: 1,
    World.leap: 3,
}
_weighted = [operation for operation, weight in OPERATIONS.items() for _ in range(weight)]
PLANS: Final = st.lists(st.tuples(st.sampled_from(_weighted), st.integers(0, 99)), min_size=60, max_size=60)


def outcome_of(lease: leases.Lease) -> transitions.ReplayOutcome:
    return transitions.ReplayOutcome(result={"by": str(lease)}, metrics={"m": 1}, sandbox={})


@pytest.mark.soak
@settings(max_examples=examples(2), database=None)
@given(plan=PLANS)
def test_no_interleaving_breaks_a_rule_or_loses_a_row(
    db: None, plan: list[tuple[Callable[[World, int], None], int]]
) -> None:
    world = World()
    verifications_finished.connect(world.note)
    try:
        for operation, pick in plan:
            operation(world, pick)
            world.check()
        world.check_histories()
        world.finish()
        world.check()
        world.check_histories()
    finally:
        verifications_finished.disconnect(world.note)
        for pk in world.alive():
            requests.cancel_all(verification_ids=[pk], actor="test")
