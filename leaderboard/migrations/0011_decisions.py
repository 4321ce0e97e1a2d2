# The page of a submission says when its last item got its verdict, which took a look at every item.

from __future__ import annotations

from django.db import migrations, models

from datasets.migration_operations import BuildIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0010_totals")]

    operations = [
        BuildIndex(
            "submissionitem",
            models.Index(fields=["submission", "decided_at"], name="item_decision_times"),
        )
    ]
