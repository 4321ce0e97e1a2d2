# The error of a measured ratio. Items that were judged before have none, so their entries have no rank.

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0012_provisional")]

    operations = [
        migrations.AddField("submissionitem", "log_variance", models.FloatField(blank=True, null=True)),
        migrations.AddField("submissionitem", "log_freedom", models.FloatField(blank=True, null=True)),
    ]
