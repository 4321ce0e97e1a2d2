"""The item that a submission's score owes most to is found by an index, however many items there are."""

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import BuildIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0039_portable_plausible_ratio")]

    operations = [
        BuildIndex(
            "submissionitem",
            models.Index(
                fields=["submission", "-ratio", "position"],
                include=["benchmark_uri"],
                condition=models.Q(verdict="verified", ratio__isnull=False),
                name="item_largest_ratio",
            ),
        ),
    ]
