"""The ratio up to which portable entries are ranked at once."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0038_portable_reviews")]

    operations = [
        migrations.AddField("portableboard", "plausible_ratio", models.FloatField(db_default=1.5, default=1.5)),
    ]
