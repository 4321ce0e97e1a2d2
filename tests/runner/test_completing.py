"""The sweeper writes the workloads' hashes that rows of the former program lack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.services import load_range
from optarena.datasets import ParametricDataset, datasets
from runner import services
from runner.models import Verification
from tests.factories import ENVIRONMENT, make_actions, make_busy
from tests.kit.work import OUTCOME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.models import Benchmark


def ask(benchmark: Benchmark, uri: str = "", actions: Sequence[int] = (1,)) -> Verification:
    return services.request_verification(
        environment=ENVIRONMENT, benchmark=benchmark, benchmark_uri=uri or benchmark.uri, actions=actions
    )


def former(row: Verification, *, ended: bool = True) -> Verification:
    """As the former program leaves it."""
    Verification.objects.filter(pk=row.pk).update(workloads_sha256="", wanted_metrics=None)
    if ended:
        lease = services.lease(verification_id=row.pk, worker="w")
        assert lease is not None
        services.record(lease=lease, outcome=OUTCOME)
    return row


def test_rows_of_the_former_program_answer_after_a_sweep(db: None) -> None:
    benchmark = make_busy()
    rows = [former(ask(benchmark, actions=[number]), ended=number > 0) for number in range(3)]
    assert services.sweep().completed == 3
    assert [ask(benchmark, actions=[number]).pk for number in range(3)] == [row.pk for row in rows]
    assert services.sweep().completed == 0


def test_a_row_is_left_alone_where_another_answers_already(db: None) -> None:
    benchmark = make_busy()
    left = former(ask(benchmark))
    answering = ask(benchmark)
    Verification.objects.filter(pk=answering.pk).update(wanted_metrics=None)
    assert services.sweep().completed == 0
    left.refresh_from_db()
    assert (left.workloads_sha256, ask(benchmark).pk) == ("", answering.pk)


def test_a_generated_program_is_made_again_for_its_workloads(db: None) -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    benchmark = load_range(dataset=dataset).benchmarks.get()
    uri = "generator://synthetic-v0/42"
    rows = [former(ask(benchmark, uri, actions)) for actions in ([1], [2])]
    benchmark.version.name = "elsewhere-v0"
    benchmark.version.save(update_fields=["name"])
    assert services.sweep().completed == 0
    benchmark.version.name = dataset.name
    benchmark.version.save(update_fields=["name"])
    assert services.sweep().completed == 2
    benchmark.refresh_from_db()
    assert [ask(benchmark, uri, actions).pk for actions in ([1], [2])] == [row.pk for row in rows]


def test_a_generated_program_that_has_changed_tells_nothing(db: None) -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    benchmark = load_range(dataset=dataset).benchmarks.get()
    row = former(ask(benchmark, "generator://synthetic-v0/42", make_actions()), ended=False)
    Verification.objects.filter(pk=row.pk).update(benchmark_sha256="0" * 64)
    assert services.sweep().completed == 0
