"""The migration to workloads in identities keeps verdicts, while the program before it still adds rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from runner import services
from runner.models import Verification
from tests.factories import make_busy, make_range, make_version, make_work
from tests.kit.work import OUTCOME

if TYPE_CHECKING:
    from collections.abc import Iterator

AFTER = ("runner", "0006_identity")
DATASETS_BEFORE = ("datasets", "0003_previews_and_statistics")


def before() -> list[tuple[str, str]]:
    """The migrations of the program before."""
    parents = MigrationLoader(connection).graph.node_map[AFTER].parents
    return [DATASETS_BEFORE, *(node.key for node in parents if node.key[0] == "runner")]


def migrate(*targets: tuple[str, str]) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))


def leaves() -> list[tuple[str, str]]:
    return [
        node
        for node in MigrationLoader(connection).graph.leaf_nodes()
        if node[0] in ("datasets", "runner", "leaderboard")
    ]


@pytest.fixture
def there_and_back(transactional_db: None) -> Iterator[None]:
    """Whatever happens, the tests after this one have all columns."""
    yield
    migrate(*leaves())


def former() -> Any:
    """The model of the program before."""
    return MigrationLoader(connection).project_state(before()).apps.get_model("runner", "Verification")


def end(row: Verification) -> None:
    lease = services.lease(verification_id=row.pk, worker="w")
    assert lease is not None
    services.record(lease=lease, outcome=OUTCOME)


@pytest.mark.usefixtures("there_and_back")
def test_present_rows_get_the_workloads_of_what_they_replayed_and_answer_as_before() -> None:
    benchmark = make_busy()
    member = make_range("loop/{n}", version=make_version("loops-v0"), low=1, high=9)
    ended, waiting = make_work([1], benchmark), make_work([2], benchmark)
    end(ended)
    kept = list(former().objects.order_by("pk").values())
    migrate(*before())
    assert list(former().objects.order_by("pk").values()) == kept
    with pytest.raises(IntegrityError), transaction.atomic():
        former().objects.filter(pk=ended.pk).update(metrics={})
    migrate(*leaves())
    assert list(former().objects.order_by("pk").values()) == kept
    benchmark.refresh_from_db()
    member.refresh_from_db()
    assert len({benchmark.workloads_sha256, member.workloads_sha256, ""}) == 3
    rows = Verification.objects.values_list("workloads_sha256", "wanted_metrics", "superseded_at")
    assert set(rows) == {(benchmark.workloads_sha256, None, None)}
    assert (make_work([1], benchmark).pk, make_work([2], benchmark).pk) == (ended.pk, waiting.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Verification.objects.filter(pk=ended.pk).update(workloads_sha256="0" * 64)


def test_the_program_before_still_adds_rows_and_never_the_same_twice(db: None) -> None:
    row = make_work([1], make_busy())
    columns = {field.attname for field in former()._meta.concrete_fields} - {"id"}
    values = {name: getattr(row, name) for name in columns} | {"created_at": timezone.now()}
    assert "workloads_sha256" not in values
    added = former().objects.create(**values)
    kept = Verification.objects.get(pk=added.pk)
    assert (kept.workloads_sha256, kept.wanted_metrics, kept.superseded_at) == ("", None, None)
    with pytest.raises(IntegrityError), transaction.atomic():
        former().objects.create(**values)
    # The database's defaults tell such a row from those that have an identity of today.
    assert make_work([1], make_busy()).pk == row.pk
