"""The replays of portable entries."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0036_portable_programs"), ("runner", "0020_studies")]

    operations = [
        migrations.CreateModel(
            name="PortableReplay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.PositiveIntegerField()),
                (
                    "program",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replays",
                        to="leaderboard.portableprogram",
                    ),
                ),
                (
                    "verification",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="portable_replays",
                        to="runner.verification",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "portablereplay",
            models.UniqueConstraint(fields=("program", "sequence"), name="portable_replay_once"),
        ),
    ]
