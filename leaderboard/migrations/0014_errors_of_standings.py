# The error of a measured score, and the sums that it follows from.

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0013_errors_of_items")]

    operations = [
        migrations.AddField("standing", "log_variance", models.FloatField(blank=True, null=True)),
        migrations.AddField("standing", "log_freedom", models.FloatField(blank=True, null=True)),
        migrations.AddField("standing", "variance_total", models.TextField(db_default="0p0", default="0p0")),
        migrations.AddField("standing", "share_total", models.TextField(db_default="0p0", default="0p0")),
        migrations.AddField("standing", "estimated", models.PositiveIntegerField(db_default=0, default=0)),
    ]
