"""The hashes of the workloads of what is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import migrations

from optarena.specs.benchmark import Workload, workloads_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 500


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001 - Django's signature
    """Hash what is there. The members of a generator have workloads of their own, so its range has no hash."""
    lacking: Any = apps.get_model("datasets", "Benchmark").objects.filter(workloads_sha256="")
    computed = lacking.filter(kind="parametric").exclude(uri__startswith="generator://")
    computed.update(workloads_sha256=workloads_digest(()))
    stored = lacking.filter(kind="stored").only("pk").prefetch_related("workloads").order_by("pk")
    while batch := list(stored[:BATCH]):
        for row in batch:
            row.workloads_sha256 = workloads_digest(_workloads(row))
        stored.model.objects.bulk_update(batch, ["workloads_sha256"])


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
    atomic = False

    dependencies = [("datasets", "0004_workloads")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
