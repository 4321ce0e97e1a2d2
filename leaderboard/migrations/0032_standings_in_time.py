"""Indexes of the entries that wait, of those that do not in their order, and of the first that had a rank."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import F, OrderBy

from datasets.migration_operations import BuildIndex, DropIndex

ORDER = (
    OrderBy(F("leading"), descending=True),
    OrderBy(F("rankable"), descending=True),
    OrderBy(F("score"), descending=True, nulls_last=True),
    OrderBy(F("submitted_at")),
    OrderBy(F("effective_actions")),
    OrderBy(F("submission_id")),
)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0031_missing")]

    operations = [
        BuildIndex(
            "standing",
            models.Index("board", *ORDER, condition=models.Q(("pending", 0)), name="standing_ended_ranking"),
        ),
        BuildIndex(
            "standing",
            models.Index(
                "board",
                *ORDER,
                condition=models.Q(("best_of_agent", True), ("pending", 0)),
                name="standing_ended_and_listed",
            ),
        ),
        DropIndex("standing", "standing_board_ranking"),
        DropIndex("standing", "standing_listed_ranking"),
        BuildIndex(
            "standing",
            models.Index(
                condition=models.Q(("pending__gt", 0)), fields=["board", "-submitted_at"], name="standing_pending"
            ),
        ),
        BuildIndex(
            "standing",
            models.Index(
                condition=models.Q(("rankable", True)),
                fields=["board", "ranked_at"],
                include=("score", "submission"),
                name="standing_first_ranked",
            ),
        ),
    ]
