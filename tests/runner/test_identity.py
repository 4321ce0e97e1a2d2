"""Which requests share a replay: the same workloads, and metrics that are measured. How an end gives way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from optarena.errors import UnknownName
from runner.errors import EnvironmentChangedError, IllegalTransitionError
from runner.models import State, Verification
from runner.queue import leases, requests
from runner.queue.transitions import lock_all, supersede_locked
from runner.work import driver
from runner.work.studies import Programs
from tests.factories import ENVIRONMENT, make_actions, make_benchmark, make_busy, make_version, make_workload
from tests.kit.programs import BUSY
from tests.kit.work import OUTCOME, history, together

if TYPE_CHECKING:
    from collections.abc import Collection

    from datasets.models import Benchmark


def ask(
    benchmark: Benchmark, actions: list[int] | None = None, metrics: Collection[str] | None = None
) -> Verification:
    return requests.request_verification(
        environment=ENVIRONMENT,
        benchmark=benchmark,
        benchmark_uri=benchmark.uri,
        actions=[1, 2] if actions is None else actions,
        metrics=metrics,
    )


def end(row: Verification, reason: str = "") -> Verification:
    lease = leases.lease(verification_id=row.pk, worker="w")
    assert lease is not None
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
    recorded = end(ask(first))
    assert ask(equal).pk == recorded.pk
    other = ask(stricter)
    assert (other.state, other.pk == recorded.pk) == (State.QUEUED, False)
    assert ask(stricter).pk == other.pk


@pytest.mark.parametrize(
    "change", [{"args": ["1"]}, {"stdin": "x"}, {"expected_stdout": "x"}, {"exit_code": 1}]
)
def test_each_part_of_a_workload_is_part_of_the_identity(db: None, change: dict[str, object]) -> None:
    given: dict[str, object] = {"args": ["0"], "stdin": "", "expected_stdout": "ok\n", "exit_code": 0}
    benchmark = make_workload(make_benchmark("busy", BUSY), "only", **given)
    other = make_workload(
        make_benchmark("busy", BUSY, version=make_version("other-v0")), "only", **given | change
    )
    assert benchmark.sha256 == other.sha256
    assert ask(benchmark).pk != ask(other).pk


def test_the_order_of_workloads_is_no_part_of_it(db: None) -> None:
    one = make_workload(make_workload(make_benchmark("busy", BUSY), "a"), "b", position=1)
    version = make_version("other-v0")
    other = make_workload(make_workload(make_benchmark("busy", BUSY, version=version), "b"), "a", position=1)
    assert ask(one).pk == ask(other).pk


@pytest.mark.django_db(transaction=True)
def test_a_replay_with_other_workloads_than_requested_is_given_back() -> None:
    benchmark = make_busy()
    row = ask(benchmark)
    benchmark.workloads.update(expected_stdout="other\n")
    lease = leases.lease(verification_id=row.pk, worker="w")
    assert lease is not None
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    event = row.events.last()
    assert event is not None
    assert (row.state, event.reason) == (State.QUEUED, "infra:environment-changed")
    assert "The workloads of" in event.detail


def test_a_worker_reads_a_program_once(db: None, django_assert_num_queries: Any) -> None:
    benchmark, programs = make_busy(), Programs()
    row = ask(benchmark)
    first = programs.of(row)
    benchmark.workloads.update(expected_stdout="other\n")
    with django_assert_num_queries(0):
        assert programs.of(row) is first
        assert programs.of(row).program()
    assert first.workloads_sha256 == row.workloads_sha256
    with pytest.raises(EnvironmentChangedError, match="The workloads of"):
        Programs().of(row)


def test_a_worker_remembers_only_its_last_programs(db: None) -> None:
    programs = Programs()
    row = ask(make_busy())
    first = programs.of(row)
    for number in range(64):
        programs.of(ask(make_benchmark(f"other{number}")))
    assert programs.of(row) is not first


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wanted", [["ir_instructions"], ["text_size_bytes"], None])
def test_only_the_metrics_that_somebody_needs_are_measured(wanted: list[str] | None) -> None:
    row = ask(make_busy(), metrics=wanted)
    lease = leases.lease(verification_id=row.pk, worker="w")
    assert lease is not None
    driver.LeasedReplay(lease).carry()
    row.refresh_from_db()
    assert (row.state, row.reason) == (State.RECORDED, "")
    assert row.metrics is not None
    assert sorted(row.metrics) == (wanted or ["ir_instructions", "text_size_bytes"])


def test_a_row_answers_requests_for_the_metrics_it_measures_or_for_fewer(db: None) -> None:
    benchmark = make_benchmark()
    small = end(ask(benchmark, metrics=["ir_instructions"]))
    assert small.wanted_metrics == ["ir_instructions"]
    assert ask(benchmark, metrics=["ir_instructions", "ir_instructions"]).pk == small.pk
    assert ask(benchmark, metrics=[]).pk == small.pk
    large = ask(benchmark, metrics=["text_size_bytes", "ir_instructions"])
    assert (large.pk != small.pk, large.wanted_metrics) == (True, ["ir_instructions", "text_size_bytes"])
    assert ask(benchmark).pk == large.pk
    # What is recorded answers before what waits, and what is older before what is newer.
    assert ask(benchmark, metrics=["ir_instructions"]).pk == small.pk
    assert ask(benchmark, metrics=["text_size_bytes"]).pk == large.pk
    with pytest.raises(UnknownName):
        ask(benchmark, metrics=["nothing"])


def test_a_row_without_a_list_of_metrics_measures_all(db: None) -> None:
    benchmark = make_benchmark()
    row = ask(benchmark)
    Verification.objects.update(wanted_metrics=None)
    assert ask(benchmark, metrics=["text_size_bytes"]).pk == ask(benchmark).pk == row.pk


def test_many_who_ask_for_several_sets_at_once_get_one_row_for_each(transactional_db: None) -> None:
    benchmark = make_benchmark()
    sets: tuple[list[str] | None, ...] = ([], ["ir_instructions"], ["text_size_bytes"], None)
    for _ in range(4):
        actions = make_actions()
        before = Verification.objects.count()
        rows = together(*[lambda one=one, actions=actions: ask(benchmark, actions, one) for one in sets * 2])
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
    row = end(ask(benchmark), reason)
    former = (row.state, row.reason, row.metrics, row.finished_at, history(row))
    new = anew(row)
    assert new is not None
    assert (new.state, new.wanted_metrics, new.pk != row.pk) == (State.QUEUED, ["ir_instructions"], True)
    row.refresh_from_db()
    *steps, last = history(row)
    assert (row.state, row.reason, row.metrics, row.finished_at, steps) == former
    assert last == (row.state, row.state)
    event = row.events.last()
    assert event is not None
    assert (event.seq, event.actor, row.superseded_at) == (row.last_seq, "test", event.at)
    assert ask(benchmark, metrics=["ir_instructions"]).pk == new.pk
    assert ask(benchmark).pk not in (row.pk, new.pk)
    assert anew(row) is None


def test_all_ends_of_the_work_give_way_and_what_runs_stays(db: None) -> None:
    benchmark = make_benchmark()
    ended = [end(ask(benchmark, metrics=one)) for one in (["ir_instructions"], ["text_size_bytes"])]
    running = ask(benchmark)
    new = anew(ended[0])
    assert new is not None
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


def test_replays_anew_and_requests_at_once_never_wait_for_each_other_in_a_circle(
    transactional_db: None,
) -> None:
    benchmark = make_benchmark()
    for _ in range(5):
        rows = [end(ask(benchmark, [number])) for number in range(3)]
        answers = together(
            *[lambda row=row: anew(row) for row in rows],
            *[lambda row=row: anew(row) for row in rows],
            *[lambda number=number: ask(benchmark, [2 - number], ["ir_instructions"]) for number in range(3)],
        )
        assert not [one for one in answers if isinstance(one, Exception)], answers
        assert sum(one is not None for one in answers[:6]) == 3
        for row in Verification.objects.filter(state=State.QUEUED):
            requests.cancel(verification_id=row.pk, actor="test")
