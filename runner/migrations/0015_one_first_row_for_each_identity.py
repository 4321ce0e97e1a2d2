"""The key of repetitions, and one row that answers for each identity; each while workers write."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from datasets.migration_operations import BuildIndex, BuildUniqueIndex, DropUniqueIndex, RefuseReversal

NAME = "runner_verification_repeats_id_fk_runner_verification_id"
ADD = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = '{NAME}') THEN
        ALTER TABLE runner_verification ADD CONSTRAINT {NAME} FOREIGN KEY (repeats_id)
            REFERENCES runner_verification (id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
    END IF;
END $$
"""
DROP = f"ALTER TABLE runner_verification DROP CONSTRAINT IF EXISTS {NAME}"
VALIDATE = f"ALTER TABLE runner_verification VALIDATE CONSTRAINT {NAME}"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0014_repetitions")]

    operations = [
        migrations.RunSQL(ADD, DROP),
        migrations.RunSQL(VALIDATE, migrations.RunSQL.noop),
        BuildUniqueIndex(
            "verification",
            models.UniqueConstraint(
                condition=~Q(state="cancelled")
                & ~Q(reason__startswith="infra:")
                & Q(superseded_at__isnull=True, repeats__isnull=True),
                fields=(
                    "environment_digest",
                    "benchmark_sha256",
                    "actions_sha256",
                    "workloads_sha256",
                    "hardware_class",
                    "wanted_metrics",
                ),
                name="runner_verification_first_of_work",
                nulls_distinct=False,
            ),
        ),
        DropUniqueIndex("verification", "runner_verification_unique_work"),
        BuildUniqueIndex(
            "verification",
            models.UniqueConstraint(
                condition=Q(repeats__isnull=False, finished_at__isnull=True),
                fields=("repeats",),
                name="runner_verification_one_repetition_at_once",
            ),
        ),
        BuildIndex(
            "verification",
            models.Index(
                condition=Q(("repeats__isnull", False)),
                fields=["repeats"],
                name="runner_verification_repeats",
            ),
        ),
        RefuseReversal(
            "SELECT count(*) FROM runner_verification WHERE repeats_id IS NOT NULL",
            "The former release cannot go on with this database: it would take {number} repeated measurements "
            "for answers of their own. Nothing was undone. Restore the backup from before the upgrade instead.",
        ),
    ]
