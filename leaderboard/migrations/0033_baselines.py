"""The command that repeats a submission, where that is one of the project's baselines.

The new column has a default in the database: during an upgrade the former program still adds rows.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0032_standings_in_time")]

    operations = [
        migrations.AddField(
            "submission", "baseline_command", models.TextField(blank=True, db_default="", default="")
        ),
    ]
