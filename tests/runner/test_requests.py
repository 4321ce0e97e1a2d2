"""Asking for replays: the same work once, also many at once; what is the same; and taking it back."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from optarena.errors import InvalidAction, UnknownName
from optarena.specs import actions_digest, environment_spec
from runner.errors import ContentionError, EnvironmentChangedError, IllegalTransitionError, LeaseLostError
from runner.models import State, Verification, VerificationEvent
from runner.queue import leases, requests
from runner.queue.transitions import lock_all, supersede_locked
from runner.queue.work import ActionSequence, Work
from runner.work import driver
from runner.work.driver import Programs
from tests.factories import (
    ENVIRONMENT,
    make_actions,
    make_benchmark,
    make_busy,
    make_version,
    make_work,
    make_workload,
    request_verification,
)
from tests.kit.examples import slow
from tests.kit.programs import BUSY
from tests.kit.work import OUTCOME, Clock, at_once, history, lease_row, leased, together

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from datasets.models import Benchmark


def test_the_same_work_is_one_verification(db: None) -> None:
    first = make_work([1, 2, 3])
    assert make_work([1, 2, 3]).pk == first.pk
    assert make_work([1, 2]).pk != first.pk
    assert make_work([1, 2, 3], make_benchmark("beta")).pk != first.pk


def test_environments_of_one_digest_share_their_work(db: None) -> None:
    assert environment_spec("llvm-v0").digest == environment_spec("llvm-ic-v0").digest
    benchmark = make_benchmark()
    rows = {
        request_verification(
            environment=name, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[4, 5]
        ).pk
        for name in ("llvm-v0", "llvm-ic-v0", "optarena/llvm-ic-v0")
    }
    assert len(rows) == 1


def test_a_new_row_says_what_it_is(db: None) -> None:
    row = make_work([7, 8])
    row.refresh_from_db()
    spec = environment_spec(ENVIRONMENT)
    assert (row.environment_version.env_id, row.environment_version.digest) == (spec.slug, spec.digest)
    assert row.environment_version.spec == spec.version_spec()
    assert (row.actions, row.actions_sha256) == ([7, 8], actions_digest([7, 8]))
    assert (row.state, row.attempt, history(row)) == (State.QUEUED, 0, [("", "queued")])


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
        request_verification(
            environment=environment, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=actions
        )
    assert not Verification.objects.exists()


def test_many_who_ask_at_once_get_one_verification(transactional_db: None) -> None:
    benchmark = make_benchmark()
    for _ in range(2):
        same_work = partial(make_work, make_actions(), benchmark)
        assert len({row.pk for row in at_once(6, same_work)}) == 1
    assert Verification.objects.count() == VerificationEvent.objects.count() == 2


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
    assert requests.cancel_all(
        verification_ids=[work.pk], actor="leaderboard", reason="user:withdrawn", now=clock.now
    )
    assert leases.lease_next(worker="w", now=clock.turn(10)) is None
    event = work.events.last()
    assert (event.to_state, event.actor, event.reason) == ("cancelled", "leaderboard", "user:withdrawn")
    assert [one.pk for one in finished] == [work.pk]
    assert make_work(work.actions).pk != work.pk


def test_either_the_record_or_the_cancellation_wins(transactional_db: None, clock: Clock) -> None:
    for _ in range(3):
        row = make_work()
        lease = leased(row, now=clock.now)
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
    return bool(requests.cancel_all(verification_ids=[row.pk], actor="test", now=clock.now))


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


def test_two_works_of_one_identity_are_one_row(db: None) -> None:
    first, again, other = ask([work([1]), work([1]), work([2])])
    assert first.pk == again.pk != other.pk
    assert Verification.objects.count() == VerificationEvent.objects.count() == 2


def test_what_exists_has_ended_or_failed_by_our_fault_is_told_apart_row_by_row(
    db: None, clock: Clock
) -> None:
    waiting, recorded, crashed, broken, cancelled = rows = ask([work([number]) for number in range(5)])
    for row, reason in ((recorded, ""), (crashed, "env:crash"), (broken, "infra:internal")):
        lease = leased(row, now=clock.now)
        if reason:
            leases.fail(lease=lease, reason=reason, detail="", now=clock.now)
        else:
            leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    requests.cancel_all(verification_ids=[cancelled.pk], actor="test", now=clock.now)
    again = ask([work([number]) for number in range(6)])
    kept = [one.pk == other.pk for one, other in zip(again, rows, strict=False)]
    assert kept == [True, True, True, False, False]
    assert [row.state for row in again] == ["queued", "recorded", "failed", *["queued"] * 3]
    assert waiting.pk == again[0].pk


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
    lease_row(verification_id=running.pk, worker="w", now=clock.now)
    lease = leased(ended, now=clock.now)
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


@pytest.mark.soak
def test_requests_that_overlap_in_any_order_never_deadlock(transactional_db: None) -> None:
    make_benchmark("alpha"), make_benchmark("beta"), make_benchmark("gamma")
    shuffle = random.Random(2)  # noqa: S311 - no secret
    for round_ in range(5):
        orders = [shuffle.sample(range(round_ * 15, round_ * 15 + 60), 50) for _ in range(6)]
        turns = iter([works(numbers) for numbers in orders])
        answers = at_once(6, lambda turns=turns: [row.pk for row in ask(next(turns))])
        assert all(len(answer) == 50 for answer in answers)
    assert Verification.objects.count() == VerificationEvent.objects.count() <= 120


@pytest.mark.soak
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
        requests.cancel_all(verification_ids=[old.pk], actor="test")
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


def ask_identity(
    benchmark: Benchmark, actions: list[int] | None = None, metrics: Collection[str] | None = None
) -> Verification:
    return request_verification(
        environment=ENVIRONMENT,
        benchmark=benchmark,
        benchmark_uri=benchmark.uri,
        actions=[1, 2] if actions is None else actions,
        metrics=metrics,
    )


def end(row: Verification, reason: str = "") -> Verification:
    lease = leased(row)
    if reason:
        leases.fail(lease=lease, reason=reason, detail="")
    else:
        leases.record(lease=lease, outcome=OUTCOME)
    row.refresh_from_db()
    return row


def same_program(dataset: str, expected: str) -> Benchmark:
    """The same bytes in another dataset, with a workload of its own."""
    benchmark = make_benchmark("busy", BUSY, version=make_version(dataset))
    return make_workload(benchmark, "only", args=["0"], expected_stdout=expected)


def test_a_stricter_dataset_inherits_no_replay(db: None) -> None:
    first, equal = same_program("first-v0", "ok\n"), same_program("equal-v0", "ok\n")
    stricter = make_workload(same_program("stricter-v0", "ok\n"), "more", args=["1"], expected_stdout="ok\n")
    assert first.sha256 == equal.sha256 == stricter.sha256
    recorded = end(ask_identity(first))
    assert ask_identity(equal).pk == recorded.pk
    other = ask_identity(stricter)
    assert (other.state, other.pk == recorded.pk) == (State.QUEUED, False)
    assert ask_identity(stricter).pk == other.pk


@pytest.mark.parametrize(
    "change",
    [{"args": ["1"]}, {"stdin": "x"}, {"expected_stdout": "x"}, {"exit_code": 1}, {"files": {"a": "YQ=="}}],
)
def test_each_part_of_a_workload_is_part_of_the_identity(db: None, change: dict[str, object]) -> None:
    given: dict[str, object] = {"args": ["0"], "stdin": "", "expected_stdout": "ok\n", "exit_code": 0}
    benchmark = make_workload(make_benchmark("busy", BUSY), "only", **given)
    other = make_workload(
        make_benchmark("busy", BUSY, version=make_version("other-v0")), "only", **given | change
    )
    assert benchmark.sha256 == other.sha256
    assert ask_identity(benchmark).pk != ask_identity(other).pk


def test_the_order_of_workloads_is_no_part_of_it(db: None) -> None:
    one = make_workload(make_workload(make_benchmark("busy", BUSY), "a"), "b", position=1)
    version = make_version("other-v0")
    other = make_workload(make_workload(make_benchmark("busy", BUSY, version=version), "b"), "a", position=1)
    assert ask_identity(one).pk == ask_identity(other).pk


@pytest.mark.django_db(transaction=True)
def test_a_replay_with_other_workloads_than_requested_is_given_back() -> None:
    benchmark = make_busy()
    row = ask_identity(benchmark)
    benchmark.workloads.update(expected_stdout="other\n")
    lease = leased(row)
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    event = row.events.last()
    assert (row.state, event.reason) == (State.QUEUED, "infra:environment-changed")
    assert "The workloads of" in event.detail


def test_a_worker_reads_a_program_once(db: None, django_assert_num_queries: Any) -> None:
    benchmark, programs = make_busy(), Programs()
    row = ask_identity(benchmark)
    first = programs.of(row)
    benchmark.workloads.update(expected_stdout="other\n")
    with django_assert_num_queries(0):
        assert programs.of(row) is first
        assert programs.of(row).program()
    assert first.workloads_sha256 == row.workloads_sha256
    with pytest.raises(EnvironmentChangedError, match="The workloads of"):
        Programs().of(row)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wanted", [["ir_instructions"], *slow([["text_size_bytes"], None])])
def test_only_the_metrics_that_somebody_needs_are_measured(wanted: list[str] | None) -> None:
    row = ask_identity(make_busy(), metrics=wanted)
    lease = leased(row)
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    assert (row.state, row.reason) == (State.RECORDED, "")
    assert row.metrics is not None
    assert sorted(row.metrics) == (wanted or ["ir_instructions", "text_size_bytes"])


def test_a_row_answers_requests_for_the_metrics_it_measures_or_for_fewer(db: None) -> None:
    benchmark = make_benchmark()
    small = end(ask_identity(benchmark, metrics=["ir_instructions"]))
    assert small.wanted_metrics == ["ir_instructions"]
    assert ask_identity(benchmark, metrics=["ir_instructions", "ir_instructions"]).pk == small.pk
    assert ask_identity(benchmark, metrics=[]).pk == small.pk
    large = ask_identity(benchmark, metrics=["text_size_bytes", "ir_instructions"])
    assert (large.pk != small.pk, large.wanted_metrics) == (True, ["ir_instructions", "text_size_bytes"])
    assert ask_identity(benchmark).pk == large.pk
    # What is recorded answers before what waits, and what is older before what is newer.
    assert ask_identity(benchmark, metrics=["ir_instructions"]).pk == small.pk
    assert ask_identity(benchmark, metrics=["text_size_bytes"]).pk == large.pk
    with pytest.raises(UnknownName):
        ask_identity(benchmark, metrics=["nothing"])


@pytest.mark.soak
def test_many_who_ask_for_several_sets_at_once_get_one_row_for_each(transactional_db: None) -> None:
    benchmark = make_benchmark()
    sets: tuple[list[str] | None, ...] = ([], ["ir_instructions"], ["text_size_bytes"], None)
    for _ in range(4):
        actions = make_actions()
        before = Verification.objects.count()
        rows = together(
            *[lambda one=one, actions=actions: ask_identity(benchmark, actions, one) for one in sets * 2]
        )
        assert all(isinstance(row, Verification) for row in rows), rows
        for row, one in zip(rows, sets * 2, strict=True):
            assert set(one or ()) <= set(row.wanted_metrics)
        assert Verification.objects.count() - before <= len(sets)


def anew(row: Verification, metrics: Collection[str] = ("ir_instructions",)) -> Verification | None:
    with transaction.atomic():
        if not requests.supersede(verification_id=row.pk, actor="test"):
            return None
        return requests.replay_anew(verification_id=row.pk, metrics=metrics, actor="test")


@pytest.mark.parametrize("reason", ["", "env:timeout"])
def test_an_end_gives_way_to_a_new_replay_and_stays_as_it_is(db: None, reason: str) -> None:
    benchmark = make_benchmark()
    row = end(ask_identity(benchmark), reason)
    former = (row.state, row.reason, row.metrics, row.finished_at, history(row))
    new = anew(row)
    assert (new.state, new.wanted_metrics, new.pk != row.pk) == (State.QUEUED, ["ir_instructions"], True)
    row.refresh_from_db()
    *steps, last = history(row)
    assert (row.state, row.reason, row.metrics, row.finished_at, steps) == former
    assert last == (row.state, row.state)
    event = row.events.last()
    assert (event.seq, event.actor, row.superseded_at) == (row.last_seq, "test", event.at)
    assert ask_identity(benchmark, metrics=["ir_instructions"]).pk == new.pk
    assert ask_identity(benchmark).pk not in (row.pk, new.pk)
    assert anew(row) is None


def test_all_ends_of_the_work_give_way_and_what_runs_stays(db: None) -> None:
    benchmark = make_benchmark()
    ended = [end(ask_identity(benchmark, metrics=one)) for one in (["ir_instructions"], ["text_size_bytes"])]
    running = ask_identity(benchmark)
    new = anew(ended[0])
    assert new.pk == running.pk
    superseded = Verification.objects.filter(superseded_at__isnull=False)
    assert set(superseded.values_list("pk", flat=True)) == {row.pk for row in ended}


def test_what_has_not_ended_cannot_be_superseded(work: Verification) -> None:
    with pytest.raises(IllegalTransitionError), transaction.atomic():
        supersede_locked(rows=lock_all([work.pk]), actor="test")
    with pytest.raises(IntegrityError), transaction.atomic():
        Verification.objects.update(superseded_at=timezone.now())
    assert requests.supersede(verification_id=work.pk, actor="test") == []


def test_another_environment_version_is_not_replayed_anew(work: Verification) -> None:
    Verification.objects.update(environment_digest="f" * 64)
    with pytest.raises(EnvironmentChangedError):
        requests.supersede(verification_id=work.pk, actor="test")


CHANGES: dict[str, dict[str, Any]] = {
    "result": {"result": {"ok": False}, "superseded_at": timezone.now()},
    "state": {"state": State.QUEUED, "finished_at": None},
    "metrics": {"metrics": {"ir_instructions": 1}},
    "identity": {"workloads_sha256": "0" * 64, "superseded_at": timezone.now()},
    "sequence": {"last_seq": 99},
    "hash of a row that has one": {"workloads_sha256": "0" * 64},
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_database_refuses_every_other_change_of_an_end(work: Verification, change: str) -> None:
    end(work)
    with pytest.raises(IntegrityError, match="history is only added to"), transaction.atomic():
        Verification.objects.update(**CHANGES[change])
    Verification.objects.update(superseded_at=timezone.now())
    for again in (None, timezone.now()):
        with pytest.raises(IntegrityError, match="history is only added to"), transaction.atomic():
            Verification.objects.update(superseded_at=again)


@pytest.mark.soak
def test_replays_anew_and_requests_at_once_never_wait_for_each_other_in_a_circle(
    transactional_db: None,
) -> None:
    benchmark = make_benchmark()
    for _ in range(5):
        rows = [end(ask_identity(benchmark, [number])) for number in range(3)]
        answers = together(
            *[lambda row=row: anew(row) for row in rows],
            *[lambda row=row: anew(row) for row in rows],
            *[
                lambda number=number: ask_identity(benchmark, [2 - number], ["ir_instructions"])
                for number in range(3)
            ],
        )
        assert not [one for one in answers if isinstance(one, Exception)], answers
        assert sum(one is not None for one in answers[:6]) == 3
        for row in Verification.objects.filter(state=State.QUEUED):
            requests.cancel_all(verification_ids=[row.pk], actor="test")
