# Items say which state they end in and whether it is a find of their owner. The sweeper writes both for items
# that the release before verified.

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0016_finds")]

    operations = [
        migrations.AddField(
            "submissionitem",
            "state_sha256",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField("submissionitem", "own", models.BooleanField(blank=True, null=True)),
        migrations.AddField(
            "find",
            "item",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="finds",
                to="leaderboard.submissionitem",
            ),
        ),
    ]
