"""The hash of each benchmark's workloads, which identifies a replay together with its program.

The column has a default in the database: during an upgrade the former program still adds rows. Loading a dataset
again completes those.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import django.core.validators
from django.db import migrations, models

from optarena.specs.benchmark import Workload, workloads_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 500


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001 - Django's signature
    """Hash what is there. The members of a generator have workloads of their own, so its range has no hash."""
    benchmarks: Any = apps.get_model("datasets", "Benchmark").objects
    computed = benchmarks.filter(kind="parametric").exclude(uri__startswith="generator://")
    computed.update(workloads_sha256=workloads_digest(()))
    stored = benchmarks.filter(kind="stored").only("pk").prefetch_related("workloads")
    rows = stored.order_by("pk").iterator(BATCH)
    while batch := list(islice(rows, BATCH)):
        for row in batch:
            row.workloads_sha256 = workloads_digest(_workloads(row))
        benchmarks.bulk_update(batch, ["workloads_sha256"])


def _workloads(row: Any) -> Iterator[Workload]:
    for one in row.workloads.all():
        yield Workload(
            name=one.name,
            args=tuple(one.args),
            stdin=one.stdin.encode(),
            expected_stdout=one.expected_stdout.encode(),
            exit_code=one.exit_code,
        )


class Migration(migrations.Migration):
    dependencies = [("datasets", "0003_previews_and_statistics")]

    operations = [
        migrations.AddField(
            "benchmark",
            "workloads_sha256",
            models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=64,
                validators=[
                    django.core.validators.RegexValidator(
                        r"\A[0-9a-f]{64}\Z", "A sha256 has 64 lower-case hexadecimal digits."
                    )
                ],
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
