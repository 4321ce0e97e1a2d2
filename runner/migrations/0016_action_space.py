"""The action space of a verification's actions, where it is not the environment's first."""

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import RefuseReversal


class Migration(migrations.Migration):
    dependencies = [("runner", "0015_one_first_row_for_each_identity")]

    operations = [
        migrations.AddField(
            "verification",
            "action_space",
            models.CharField(blank=True, db_default="", default="", max_length=100),
        ),
        RefuseReversal(
            "SELECT count(*) FROM runner_verification WHERE action_space <> ''",
            "The former release cannot go on with this database: it would take the actions of {number} replays "
            "for others. Nothing was undone. Restore the backup from before the upgrade instead.",
        ),
    ]
