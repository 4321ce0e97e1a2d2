# Of equal scores the earlier one stands first, however many actions it has. And an index of the items that wait
# for their credit, which is empty once the sweeper has given it.

from __future__ import annotations

from django.db import migrations, models
from django.db.models import F, OrderBy, Q

from datasets.migration_operations import BuildIndex, DropIndex

PREFERENCE = (
    OrderBy(F("rankable"), descending=True),
    OrderBy(F("score"), descending=True, nulls_last=True),
    OrderBy(F("submitted_at")),
    OrderBy(F("effective_actions")),
    OrderBy(F("submission_id")),
)
ORDER = (OrderBy(F("leading"), descending=True), *PREFERENCE)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0018_collections")]

    operations = [
        BuildIndex(
            "submissionitem",
            models.Index(
                condition=Q(verdict="verified", own__isnull=True),
                fields=["decided_at", "id"],
                name="item_without_credit",
            ),
        ),
        migrations.AlterModelOptions("standing", {"ordering": ("board", *ORDER)}),
        BuildIndex("standing", models.Index("board", *ORDER, name="standing_board_ranking")),
        BuildIndex(
            "standing",
            models.Index("board", *ORDER, condition=Q(best_of_agent=True), name="standing_listed_ranking"),
        ),
        BuildIndex(
            "standing", models.Index("board", "agent_group", *PREFERENCE, name="standing_agent_ranking")
        ),
        DropIndex("standing", "standing_board_order"),
        DropIndex("standing", "standing_listed_order"),
        DropIndex("standing", "standing_agent_order"),
    ]
