"""The best result of each benchmark on each board. The next ones add its items and submissions."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0025_edits")]

    operations = [
        migrations.CreateModel(
            name="BestResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("benchmark_uri", models.CharField(max_length=400)),
                ("log_ratio", models.FloatField()),
                ("log_without", models.FloatField()),
                ("log_floor", models.FloatField()),
                ("own", models.BooleanField(null=True)),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bests", to="leaderboard.board"
                    ),
                ),
            ],
            options={"ordering": ("board", "benchmark_uri")},
        ),
        migrations.AddConstraint(
            "bestresult",
            models.UniqueConstraint(fields=("board", "benchmark_uri"), name="best_once_per_benchmark"),
        ),
    ]
