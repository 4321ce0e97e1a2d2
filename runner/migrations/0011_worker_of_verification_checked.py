"""The foreign key to workers, an index for it, and one for the newest replays; each while workers write."""

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import BuildIndex

NAME = "runner_verification_runner_id_fk_runner_runner_id"
# Its lock keeps writers from both tables for an instant, in the order in which a worker ends a replay.
ADD = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = '{NAME}') THEN
        ALTER TABLE runner_verification ADD CONSTRAINT {NAME} FOREIGN KEY (runner_id)
            REFERENCES runner_runner (id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
    END IF;
END $$
"""
DROP = f"ALTER TABLE runner_verification DROP CONSTRAINT IF EXISTS {NAME}"
VALIDATE = f"ALTER TABLE runner_verification VALIDATE CONSTRAINT {NAME}"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0010_worker_of_verification")]

    operations = [
        migrations.RunSQL(ADD, DROP),
        migrations.RunSQL(VALIDATE, migrations.RunSQL.noop),
        BuildIndex(
            "verification",
            models.Index(
                condition=models.Q(("runner__isnull", False)),
                fields=["runner"],
                name="runner_verification_runner",
            ),
        ),
        BuildIndex(
            "verification",
            models.Index(fields=["-created_at", "id"], name="runner_verification_newest"),
        ),
    ]
