"""What a former release loaded keeps its rows through the migration that counts them, there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from datasets.models import Benchmark, DatasetVersion
from datasets.services import load_dataset, load_range
from tests.kit.manifests import LOOPS

if TYPE_CHECKING:
    from collections.abc import Iterator

BEFORE = ("datasets", "0002_baseline_value")


def migrate_to_the_newest() -> None:
    """Of all apps: others depend on this one's tables."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.fixture
def there_and_back(transactional_db: None) -> Iterator[None]:
    """Whatever happens, the tests after this one have all tables."""
    yield
    migrate_to_the_newest()


@pytest.mark.usefixtures("there_and_back")
def test_rows_are_counted_and_none_is_lost(folder: Any) -> None:
    stored, computed = load_dataset(manifest_dir=folder.path), load_range(dataset=LOOPS)
    MigrationExecutor(connection).migrate([BEFORE])
    migrate_to_the_newest()
    assert Benchmark.objects.count() == 4
    after = DatasetVersion.objects.get(pk=stored.pk)
    assert (after.kind, after.benchmark_count, after.member_count) == ("stored", 3, 3)
    assert (after.size_bytes, after.manifest_blob, after.statistics) == (stored.size_bytes, None, {})
    after = DatasetVersion.objects.get(pk=computed.pk)
    assert (after.kind, after.benchmark_count, after.member_count) == ("parametric", 1, 4096)
    assert (after.parameter_min, after.parameter_max) == (1, 4096)
    again = load_dataset(manifest_dir=folder.path)
    assert (again.pk, again.statistics) == (stored.pk, stored.statistics)
    assert again.archive_blob == stored.archive_blob
