# Measured scores get errors, from which ranks follow as intervals.
#
# The boards that had no ranks stay without: their environments' versions ended with this release, so they are frozen
# when the boards are loaded, and new ones take their place.

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0011_decisions")]

    operations = [
        migrations.AddField("board", "provisional", models.BooleanField(db_default=False, default=False)),
        migrations.RunSQL(
            "UPDATE leaderboard_board SET provisional = NOT exact", migrations.RunSQL.noop
        ),
        migrations.AddField("submissionitem", "log_variance", models.FloatField(blank=True, null=True)),
        migrations.AddField("submissionitem", "log_freedom", models.FloatField(blank=True, null=True)),
        migrations.AddField("standing", "log_variance", models.FloatField(blank=True, null=True)),
        migrations.AddField("standing", "log_freedom", models.FloatField(blank=True, null=True)),
        migrations.AddField("standing", "variance_total", models.TextField(db_default="0p0", default="0p0")),
        migrations.AddField("standing", "share_total", models.TextField(db_default="0p0", default="0p0")),
        migrations.AddField("standing", "estimated", models.PositiveIntegerField(db_default=0, default=0)),
    ]
