"""One row for each identity with workloads and metrics; the index of the former identity guards until then."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from datasets.migration_operations import BuildIndex, BuildUniqueIndex, DropUniqueIndex, RefuseReversal

# What the former program's unique index would refuse.
COLLISIONS = """
SELECT count(*) FROM (
    SELECT FROM runner_verification
    WHERE state <> 'cancelled' AND reason NOT LIKE 'infra:%'
    GROUP BY environment_digest, benchmark_sha256, actions_sha256, hardware_class
    HAVING count(*) > 1
) AS identity
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0007_workload_hashes")]

    operations = [
        BuildUniqueIndex(
            "verification",
            models.UniqueConstraint(
                condition=~Q(state="cancelled")
                & ~Q(reason__startswith="infra:")
                & Q(superseded_at__isnull=True),
                fields=(
                    "environment_digest",
                    "benchmark_sha256",
                    "actions_sha256",
                    "workloads_sha256",
                    "hardware_class",
                    "wanted_metrics",
                ),
                name="runner_verification_unique_work",
                nulls_distinct=False,
            ),
        ),
        DropUniqueIndex("verification", "runner_verification_identity"),
        BuildIndex(
            "verification",
            models.Index(
                condition=Q(workloads_sha256=""), fields=["id"], name="runner_verification_unhashed"
            ),
        ),
        RefuseReversal(
            COLLISIONS,
            "The former release cannot go on with this database: it allows one replay of the same program and "
            "actions, and {number} have several, for other workloads or metrics or because they were replayed "
            "anew. Nothing was undone. Restore the backup from before the upgrade instead.",
        ),
    ]
