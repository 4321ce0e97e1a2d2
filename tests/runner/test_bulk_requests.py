"""Many replays asked for, and cancelled, at once: as one by one, in as many statements as for one."""

from __future__ import annotations

import itertools
import random
import threading
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from optarena.errors import InvalidAction
from optarena.specs import environment_spec
from runner import conf
from runner.errors import ContentionError
from runner.models import State, Verification, VerificationEvent
from runner.queue import leases, requests, wakeups
from runner.queue.work import ActionSequence, Work
from tests.factories import ENVIRONMENT, make_benchmark
from tests.kit.work import OUTCOME, Clock, at_once, history

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from datasets.models import Benchmark


def work(actions: Sequence[int], benchmark: Benchmark | None = None) -> Work:
    benchmark = benchmark or make_benchmark()
    spec = environment_spec(ENVIRONMENT)
    sequence = ActionSequence.checked(spec, actions)
    return Work.of(spec=spec, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=sequence)


def ask(works: Sequence[Work]) -> list[Verification]:
    with transaction.atomic():
        return requests.request_verifications(environment=ENVIRONMENT, works=works)


def works(numbers: Iterable[int]) -> list[Work]:
    benchmarks = [make_benchmark(name) for name in ("alpha", "beta", "gamma")]
    return [work([number % 10, number // 10], benchmarks[number % 3]) for number in numbers]


def test_rows_are_answered_in_the_order_of_the_works(db: None) -> None:
    wanted = works(random.Random(1).sample(range(40), 40))  # noqa: S311 - no secret
    rows = ask(wanted)
    assert [(row.benchmark_uri, row.actions) for row in rows] == [
        (one.benchmark_uri, list(one.actions.actions)) for one in wanted
    ]
    assert all(history(row) == [("", "queued")] for row in rows)


def test_one_request_of_many_gives_what_many_requests_of_one_give(db: None) -> None:
    benchmark = make_benchmark()
    single = [
        requests.request_verification(
            environment=ENVIRONMENT, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[number]
        )
        for number in range(5)
    ]
    together = ask([work([number]) for number in range(10)])
    assert [row.pk for row in together[:5]] == [row.pk for row in single]
    volatile = {"id", "actions", "actions_sha256", "created_at", "available_at", "woken_at"}
    rows = Verification.objects.values(*{field.name for field in Verification._meta.fields} - volatile)
    assert len({repr(sorted(row.items())) for row in rows}) == 1


def test_two_works_of_one_identity_are_one_row(db: None) -> None:
    first, again, other = ask([work([1]), work([1]), work([2])])
    assert first.pk == again.pk != other.pk
    assert Verification.objects.count() == VerificationEvent.objects.count() == 2


def test_no_work_is_no_row(db: None) -> None:
    assert ask([]) == []


def test_what_exists_has_ended_or_failed_by_our_fault_is_told_apart_row_by_row(
    db: None, clock: Clock
) -> None:
    waiting, recorded, crashed, broken, cancelled = rows = ask([work([number]) for number in range(5)])
    for row, reason in ((recorded, ""), (crashed, "env:crash"), (broken, "infra:internal")):
        lease = leases.lease(verification_id=row.pk, worker="w", now=clock.now)
        assert lease is not None
        if reason:
            leases.fail(lease=lease, reason=reason, detail="", now=clock.now)
        else:
            leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    requests.cancel(verification_id=cancelled.pk, actor="test", now=clock.now)
    again = ask([work([number]) for number in range(6)])
    kept = [one.pk == other.pk for one, other in zip(again, rows, strict=False)]
    assert kept == [True, True, True, False, False]
    assert [row.state for row in again] == ["queued", "recorded", "failed", *["queued"] * 3]
    assert waiting.pk == again[0].pk


def test_actions_that_do_not_exist_never_become_work(db: None) -> None:
    with pytest.raises(InvalidAction):
        work([100_000])


def test_the_queries_do_not_grow_with_the_works(db: None) -> None:
    ask(works(range(1)))  # what is asked for once only

    def cost(numbers: Iterable[int]) -> tuple[int, int]:
        wanted = works(numbers)
        with CaptureQueriesContext(connection) as asked:
            ids = [row.pk for row in ask(wanted)]
        with CaptureQueriesContext(connection) as cancelled:
            assert requests.cancel_all(verification_ids=ids, actor="test") == len(ids)
        return len(asked), len(cancelled)

    assert cost([70]) == cost(range(1, 61))


def test_many_are_cancelled_and_announced_together(
    db: None, clock: Clock, finished: list[Verification]
) -> None:
    queued, running, ended = rows = ask([work([number]) for number in range(3)])
    leases.lease(verification_id=running.pk, worker="w", now=clock.now)
    lease = leases.lease(verification_id=ended.pk, worker="w", now=clock.now)
    assert lease is not None
    leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    finished.clear()
    ids = [row.pk for row in rows]
    assert (
        requests.cancel_all(verification_ids=ids, actor="test", reason="user:withdrawn", now=clock.now) == 2
    )
    assert {row.pk for row in finished} == {queued.pk, running.pk}
    for row in (queued, running):
        row.refresh_from_db()
        assert (row.state, row.lease_token, row.finished_at) == (State.CANCELLED, None, clock.now)
        event = row.events.latest("seq")
        assert (event.seq, event.to_state, event.reason) == (row.last_seq, "cancelled", "user:withdrawn")


def test_one_that_does_not_exist_stops_the_cancellation_of_all(db: None) -> None:
    [row] = ask([work([1])])
    missing: UUID = Verification().pk
    with pytest.raises(Verification.DoesNotExist):
        requests.cancel_all(verification_ids=[row.pk, missing], actor="test")
    row.refresh_from_db()
    assert row.state == State.QUEUED


def test_a_bounded_number_of_wake_ups_is_sent(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(wakeups, "wake", lambda *arguments: sent.append(arguments))
    rows = ask([work([number, 1, 2]) for number in range(conf.WAKE_AT_ONCE + 5)])
    assert len(sent) == len({pk for pk, *_ in sent}) == conf.WAKE_AT_ONCE
    assert {pk for pk, *_ in sent} <= {row.pk for row in rows}


def test_requests_that_overlap_in_any_order_never_deadlock(transactional_db: None) -> None:
    make_benchmark("alpha"), make_benchmark("beta"), make_benchmark("gamma")
    shuffle = random.Random(2)  # noqa: S311 - no secret
    for round_ in range(5):
        orders = [shuffle.sample(range(round_ * 15, round_ * 15 + 60), 50) for _ in range(6)]
        turns = iter([works(numbers) for numbers in orders])
        answers = at_once(6, lambda turns=turns: [row.pk for row in ask(next(turns))])
        assert all(len(answer) == 50 for answer in answers)
    assert Verification.objects.count() == VerificationEvent.objects.count() <= 120


def test_requests_and_cancellations_that_overlap_never_deadlock(transactional_db: None) -> None:
    wanted = works(range(40))
    numbers = itertools.count()

    def one() -> None:
        mine = random.Random(next(numbers))  # noqa: S311 - no secret
        for _ in range(6):
            try:
                rows = ask(mine.sample(wanted, 30))
            except ContentionError:  # each of the others cancels what everybody wants
                continue
            requests.cancel_all(verification_ids=[row.pk for row in rows], actor="test")

    at_once(4, one)
    states = Verification.objects.values_list("state", flat=True)
    assert set(states) == {"cancelled"}


def test_a_row_that_is_cancelled_before_it_is_locked_is_requested_anew(transactional_db: None) -> None:
    [old] = ask([work([1])])
    asked, answer = threading.Event(), []

    def again() -> None:
        asked.set()
        answer.extend(ask([work([0]), work([1])]))
        connection.close()

    thread = threading.Thread(target=again)
    with transaction.atomic():
        requests.cancel(verification_id=old.pk, actor="test")
        thread.start()
        asked.wait(10)
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(20)
    assert [row.state for row in answer] == ["queued", "queued"]
    assert old.pk not in {row.pk for row in answer}
    assert Verification.objects.count() == VerificationEvent.objects.filter(seq=1).count() == 3


def test_who_never_gets_a_row_is_told_to_ask_once_more(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*arguments: object) -> QuerySet[Verification]:
        return Verification.objects.none()

    monkeypatch.setattr(requests, "alive_rows", nothing)
    monkeypatch.setattr(requests, "_insert", lambda *_: [])
    with pytest.raises(ContentionError):
        ask([work([1])])
    assert not Verification.objects.exists()
