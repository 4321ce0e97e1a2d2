"""The index that finds the records of a benchmark; the former one went with the ratio."""

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import BuildIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0022_ratio_of_records")]

    operations = [
        BuildIndex("boardrecord", models.Index(fields=["board", "benchmark_uri"], name="record_of_benchmark"))
    ]
