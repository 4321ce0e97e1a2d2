"""The action space of an item's actions, where it is not the environment's first."""

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import RefuseReversal


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0014_errors_of_standings")]

    operations = [
        migrations.AddField(
            "submissionitem",
            "action_space",
            models.CharField(blank=True, db_default="", default="", max_length=100),
        ),
        RefuseReversal(
            "SELECT count(*) FROM leaderboard_submissionitem WHERE action_space <> ''",
            "The former release cannot go on with this database: it would take the actions of {number} items "
            "for others. Nothing was undone. Restore the backup from before the upgrade instead.",
        ),
    ]
