"""Asking for replays: the same work once, also when many ask at the same time; and taking it back."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction

from optarena.errors import InvalidAction, UnknownName
from optarena.specs import actions_digest, environment_spec
from runner.errors import LeaseLostError
from runner.models import State, Verification, VerificationEvent
from runner.queue import leases, requests
from tests.factories import ENVIRONMENT, make_actions, make_benchmark, make_work
from tests.kit.work import OUTCOME, Clock, at_once, history

if TYPE_CHECKING:
    from pytest_django import Settings

    from datasets.models import Benchmark


def test_the_same_work_is_one_verification(db: None) -> None:
    first = make_work([1, 2, 3])
    assert make_work([1, 2, 3]).pk == first.pk
    assert make_work([1, 2]).pk != first.pk
    assert make_work([1, 2, 3], make_benchmark("beta")).pk != first.pk


def test_a_recorded_verification_answers_a_later_request(work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    again = make_work(work.actions)
    assert (again.pk, again.state, again.metrics) == (work.pk, State.RECORDED, OUTCOME.metrics)


def test_environments_of_one_digest_share_their_work(db: None) -> None:
    assert environment_spec("llvm-v0").digest == environment_spec("llvm-ic-v0").digest
    benchmark = make_benchmark()
    rows = {
        requests.request_verification(
            environment=name, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[4, 5]
        ).pk
        for name in ("llvm-v0", "llvm-ic-v0", "optarena/llvm-ic-v0")
    }
    assert len(rows) == 1


def test_another_hardware_class_is_other_work(db: None, settings: Settings) -> None:
    first = make_work([1, 2, 3])
    settings.OPTARENA_HARDWARE_CLASS = "h200-cuda"
    assert make_work([1, 2, 3]).pk != first.pk


def test_a_new_row_says_what_it_is(db: None) -> None:
    row = make_work([7, 8])
    row.refresh_from_db()
    spec = environment_spec(ENVIRONMENT)
    assert (row.environment_version.env_id, row.environment_version.digest) == (spec.slug, spec.digest)
    assert row.environment_version.spec == spec.version_spec()
    assert (row.actions, row.actions_sha256) == ([7, 8], actions_digest([7, 8]))
    assert (row.state, row.attempt, history(row)) == (State.QUEUED, 0, [("", "queued")])


def test_the_work_itself_having_failed_is_an_answer(work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    leases.fail(lease=lease, reason="env:crash", detail="licm crashed", now=clock.now)
    assert make_work(work.actions).pk == work.pk


def test_our_own_failure_may_be_asked_for_again(work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    leases.fail(lease=lease, reason="infra:internal", detail="", now=clock.now)
    again = make_work(work.actions)
    assert again.pk != work.pk
    assert again.state == State.QUEUED
    assert make_work(work.actions).pk == again.pk


@pytest.mark.parametrize(
    ("environment", "actions", "error"),
    [
        ("llvm-ic-v9", [1], UnknownName),
        (ENVIRONMENT, [100_000], InvalidAction),
        (ENVIRONMENT, [1.5], InvalidAction),
    ],
)
def test_what_cannot_be_replayed_is_not_stored(
    db: None, environment: str, actions: list[int], error: type[Exception]
) -> None:
    benchmark = make_benchmark()
    with pytest.raises(error):
        requests.request_verification(
            environment=environment, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=actions
        )
    assert not Verification.objects.exists()


def test_many_who_ask_at_once_get_one_verification(transactional_db: None) -> None:
    benchmark = make_benchmark()
    for _ in range(5):
        same_work = partial(make_work, make_actions(), benchmark)
        assert len({row.pk for row in at_once(6, same_work)}) == 1
    assert Verification.objects.count() == VerificationEvent.objects.count() == 5


def test_a_request_waits_for_one_that_may_still_be_rolled_back(transactional_db: None) -> None:
    benchmark, actions = make_benchmark(), make_actions()
    asked = threading.Event()
    answer: list[Verification] = []

    def ask(benchmark: Benchmark) -> None:
        asked.set()
        answer.append(make_work(actions, benchmark))
        connection.close()

    thread = threading.Thread(target=ask, args=(benchmark,))
    with transaction.atomic():
        rolled_back = make_work(actions, benchmark)
        thread.start()
        asked.wait(10)
        thread.join(0.3)
        assert thread.is_alive()
        transaction.set_rollback(True)
    thread.join(20)
    assert answer[0].pk != rolled_back.pk
    assert Verification.objects.get().pk == answer[0].pk


def test_a_cancelled_queued_verification_never_starts(
    work: Verification, clock: Clock, finished: list[Verification]
) -> None:
    assert requests.cancel(
        verification_id=work.pk, actor="leaderboard", reason="user:withdrawn", now=clock.now
    )
    assert leases.lease_next(worker="w", now=clock.turn(10)) is None
    event = work.events.last()
    assert event is not None
    assert (event.to_state, event.actor, event.reason) == ("cancelled", "leaderboard", "user:withdrawn")
    assert [one.pk for one in finished] == [work.pk]
    assert make_work(work.actions).pk != work.pk


def test_a_running_verification_is_cancelled_under_its_worker(work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    assert requests.cancel(verification_id=work.pk, actor="leaderboard", now=clock.now)
    with pytest.raises(LeaseLostError):
        leases.heartbeat(lease=lease, now=clock.now)


def test_what_has_ended_is_not_cancelled(work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    assert not requests.cancel(verification_id=work.pk, actor="leaderboard", now=clock.now)
    work.refresh_from_db()
    assert work.state == State.RECORDED


def test_either_the_record_or_the_cancellation_wins(transactional_db: None, clock: Clock) -> None:
    for _ in range(5):
        row = make_work()
        lease = leases.lease(verification_id=row.pk, worker="w", now=clock.now)
        assert lease is not None
        turns = iter((lambda lease=lease: record(lease, clock), lambda row=row: cancel(row, clock)))
        answers = at_once(2, lambda turns=turns: next(turns)())
        row.refresh_from_db()
        assert sorted(map(str, answers)) == ["False", "True"]
        assert [to for _, to in history(row) if to in ("recorded", "cancelled")] == [row.state]


def record(lease: leases.Lease, clock: Clock) -> bool:
    try:
        leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    except LeaseLostError:
        return False
    return True


def cancel(row: Verification, clock: Clock) -> bool:
    return requests.cancel(verification_id=row.pk, actor="test", now=clock.now)
