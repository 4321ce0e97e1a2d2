"""The results of a benchmark are read from an index alone, however many there are."""

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import BuildIndex, DropIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0023_records_of_benchmark")]

    operations = [
        BuildIndex(
            "submissionitem",
            models.Index(
                fields=["benchmark_uri", "verdict", "-ratio"],
                include=["submission", "decided_at", "state_sha256", "id"],
                name="item_benchmark_results",
            ),
        ),
        DropIndex("submissionitem", "item_benchmark_best"),
    ]
