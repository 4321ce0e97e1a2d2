"""Random interleavings of workers, zombies, crashes, clock jumps, sweeper, requests and cancellations.

Each operation is one transaction on the real database. A model beside it says what must be true.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import services
from runner.errors import IllegalTransitionError, LeaseLostError
from runner.models import Verification
from runner.signals import verification_finished
from runner.states import EDGES, PHASES, RUNNING, TERMINAL, State

from .conftest import Clock, make_actions, make_work

if TYPE_CHECKING:
    from uuid import UUID

WORKERS = st.sampled_from(["one", "two", "three"])
PHASE = st.sampled_from(PHASES)


class Interleavings(RuleBasedStateMachine):
    """A few verifications, and everybody who may touch them, in any order."""

    leases = Bundle("leases")

    @initialize(rows=st.integers(1, 3))
    def begin(self, rows: int) -> None:
        self.clock = Clock(services.transitions.database_now())
        self.clock.turn(3600)
        self.works = [make_actions() for _ in range(rows)]
        self.known: dict[UUID, list[int]] = {}
        self.held: dict[UUID, services.Lease] = {}
        self.recorded_by: dict[UUID, str] = {}
        self.announced: list[UUID] = []
        verification_finished.connect(self._note, weak=False)
        for actions in self.works:
            self._request(actions)

    def _note(self, verification: Verification, **kwargs: Any) -> None:
        self.announced.append(verification.pk)

    def _request(self, actions: list[int]) -> None:
        row = make_work(actions)
        self.known[row.pk] = actions

    def _live(self, lease: services.Lease) -> bool:
        return self.held.get(lease.verification_id) == lease

    def _attempt(self, lease: services.Lease, write: Any) -> bool:
        """Whether the write was taken; a zombie's must change nothing at all."""
        before = Verification.objects.filter(pk=lease.verification_id).values().get()
        try:
            write()
        except LeaseLostError:
            assert not self._live(lease)
            assert before == Verification.objects.filter(pk=lease.verification_id).values().get()
            return False
        assert self._live(lease), "a zombie wrote"
        return True

    @rule(index=st.integers(0, 2))
    def ask_again(self, index: int) -> None:
        self._request(self.works[index % len(self.works)])

    @rule(target=leases, worker=WORKERS)
    def lease_next(self, worker: str) -> Any:
        return self._leased(services.lease_next(worker=worker, now=self.clock.now))

    @rule(target=leases, worker=WORKERS, index=st.integers(0, 5))
    def lease_named(self, worker: str, index: int) -> Any:
        wanted = list(self.known)[index % len(self.known)]
        lease = services.lease(verification_id=wanted, worker=worker, now=self.clock.now)
        assert lease is None or lease.verification_id == wanted
        return self._leased(lease)

    def _leased(self, lease: services.Lease | None) -> Any:
        if lease is None or lease.verification_id not in self.known:
            return multiple()
        assert lease.verification_id not in self.held, "two live leases"
        self.held[lease.verification_id] = lease
        return lease

    @rule(lease=leases)
    def beat(self, lease: services.Lease) -> None:
        self._attempt(lease, lambda: services.heartbeat(lease=lease, now=self.clock.now))

    @rule(lease=leases, done=st.integers(0, 9))
    def report(self, lease: services.Lease, done: int) -> None:
        self._attempt(lease, lambda: services.report_progress(lease=lease, done=done, total=9))

    @rule(lease=leases, to=PHASE)
    def advance(self, lease: services.Lease, to: State) -> None:
        self._attempt(lease, lambda: services.advance(lease=lease, to=to, now=self.clock.now))

    @rule(lease=leases)
    def record(self, lease: services.Lease) -> None:
        outcome = services.Outcome(result={"by": str(lease.token)}, metrics={"m": 1}, sandbox={})
        if self._attempt(lease, lambda: services.record(lease=lease, outcome=outcome, now=self.clock.now)):
            self.recorded_by[lease.verification_id] = str(lease.token)
            del self.held[lease.verification_id]

    @rule(lease=leases)
    def fail(self, lease: services.Lease) -> None:
        if self._attempt(
            lease,
            lambda: services.fail(lease=lease, reason="env:crash", detail="boom", now=self.clock.now),
        ):
            del self.held[lease.verification_id]

    @rule(lease=leases)
    def give_back(self, lease: services.Lease) -> None:
        if self._attempt(
            lease,
            lambda: services.give_back(
                lease=lease, reason="infra:internal", detail="boom", now=self.clock.now
            ),
        ):
            del self.held[lease.verification_id]

    @rule(lease=leases)
    def forge(self, lease: services.Lease) -> None:
        forged = replace(lease, token=uuid4())
        self._attempt(forged, lambda: services.heartbeat(lease=forged, now=self.clock.now))

    @rule(index=st.integers(0, 5), seconds=st.integers(-100, 200))
    def jump(self, index: int, seconds: int) -> None:
        self.clock.turn(seconds)

    @rule()
    def sweep(self) -> None:
        expired = set(
            Verification.objects.filter(
                pk__in=self.known, state__in=RUNNING, lease_expires_at__lte=self.clock.now
            ).values_list("pk", flat=True)
        )
        assert services.sweep(now=self.clock.now).errors == 0
        for pk in expired:
            del self.held[pk]

    @rule(index=st.integers(0, 5))
    def cancel(self, index: int) -> None:
        pk = list(self.known)[index % len(self.known)]
        ended = Verification.objects.get(pk=pk).is_terminal
        assert services.cancel(verification_id=pk, actor="test", now=self.clock.now) is not ended
        self.held.pop(pk, None)

    @precondition(lambda self: self.held)
    @rule(to=st.sampled_from(State), index=st.integers(0, 5))
    def leap(self, to: State, index: int) -> None:
        """The holder of a lease tries any step at all; the table alone says which is legal."""
        lease = list(self.held.values())[index % len(self.held)]
        source = State(Verification.objects.get(pk=lease.verification_id).state)
        change = services.Change(
            to=to, authority=services.transitions.Authority.WORKER, actor="leaper", token=lease.token
        )
        legal = change.authority in EDGES.get((source, to), ()) or source == to
        if to in TERMINAL or to == State.QUEUED:
            return
        try:
            services.transition(verification_id=lease.verification_id, change=change, now=self.clock.now)
        except IllegalTransitionError:
            assert not legal
        else:
            assert legal

    @invariant()
    def rows_are_as_the_model_says(self) -> None:
        for row in Verification.objects.filter(pk__in=getattr(self, "known", ())):
            held = self.held.get(row.pk)
            assert (held is not None) == (row.state in RUNNING)
            assert row.lease_token == (held.token if held else None)
            assert row.attempt <= INFRASTRUCTURE_RETRIES
            if row.state == State.RECORDED:
                assert row.result == {"by": self.recorded_by[row.pk]}

    @invariant()
    def histories_are_legal(self) -> None:
        for row in Verification.objects.filter(pk__in=getattr(self, "known", ())):
            events = list(row.events.order_by("seq"))
            assert [event.seq for event in events] == list(range(1, row.last_seq + 1))
            assert (events[0].from_state, events[0].to_state) == ("", State.QUEUED)
            steps = pairwise(events)
            assert all(earlier.to_state == later.from_state for earlier, later in steps)
            assert all((State(e.from_state), State(e.to_state)) in EDGES for e in events[1:])
            assert events[-1].to_state == row.state
            ends = [event for event in events if event.to_state in TERMINAL]
            assert len(ends) == int(row.is_terminal) == self.announced.count(row.pk)

    def teardown(self) -> None:
        """Everybody crashed; one honest worker and the sweeper bring every row to its end."""
        if not hasattr(self, "known"):
            return
        for _ in range((INFRASTRUCTURE_RETRIES + 2) * len(self.known)):
            self.clock.turn(600)
            services.sweep(now=self.clock.now)
            lease = services.lease_next(worker="honest", now=self.clock.now)
            if lease is None:
                break
            services.record(
                lease=lease,
                outcome=services.Outcome(result={"by": str(lease.token)}, metrics={"m": 1}, sandbox={}),
                now=self.clock.now,
            )
        verification_finished.disconnect(self._note)
        assert not Verification.objects.filter(pk__in=self.known).exclude(state__in=TERMINAL).exists()


def test_no_interleaving_breaks_a_rule_or_loses_a_row(db: None) -> None:
    run_state_machine_as_test(
        Interleavings,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
