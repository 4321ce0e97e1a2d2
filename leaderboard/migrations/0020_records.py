"""Records, and where they stand. 0021 adds their items: each migration locks one table."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0019_ties_by_time")]

    operations = [
        migrations.CreateModel(
            name="BoardRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("benchmark_uri", models.CharField(max_length=400)),
                ("ratio", models.FloatField()),
                ("former_ratio", models.FloatField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="records", to="leaderboard.board"
                    ),
                ),
            ],
            options={
                "ordering": ("-at", "-id"),
                "indexes": [
                    models.Index(fields=["-at", "-id"], name="record_newest"),
                    models.Index(fields=["board", "-at", "-id"], name="record_newest_of_board"),
                    models.Index(fields=["board", "benchmark_uri", "-ratio"], name="record_best"),
                ],
            },
        ),
    ]
