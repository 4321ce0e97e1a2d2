"""What an entry lacks, and since when it can have a rank. The sweeper writes both for older rows."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0030_submissions_of_periods")]

    operations = [
        migrations.AddField("standing", "missing", models.JSONField(blank=True, db_default=[], default=list)),
        migrations.AddField("standing", "ranked_at", models.DateTimeField(blank=True, null=True)),
    ]
