# Indexes for lists of any length, and the end of two columns.
#
# The columns `position` and `rank` of standings have been unused since 0004: the program that 0004 belongs to
# neither reads nor writes them.

from __future__ import annotations

from django.db import migrations, models
from django.db.models import F, OrderBy, Q

from datasets.migration_operations import BuildIndex

ORDER = (
    OrderBy(F("leading"), descending=True),
    OrderBy(F("rankable"), descending=True),
    OrderBy(F("score"), descending=True, nulls_last=True),
    OrderBy(F("effective_actions")),
    OrderBy(F("submitted_at")),
    OrderBy(F("submission_id")),
)
COUNTED = ("pending", "refuted", "quarantined", "failed")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0008_demands")]

    operations = [
        BuildIndex(
            "submission",
            models.Index(fields=["board", "content_sha256", "created"], name="submission_same_content"),
        ),
        BuildIndex(
            "submissionitem",
            models.Index(
                condition=Q(verdict__in=COUNTED), fields=["submission", "verdict"], name="item_counted_verdict"
            ),
        ),
        BuildIndex(
            "standing",
            models.Index(
                "board", *ORDER, condition=Q(best_of_agent=True), name="standing_listed_order"
            ),
        ),
        migrations.RunSQL(
            "ALTER TABLE leaderboard_standing DROP COLUMN IF EXISTS position, DROP COLUMN IF EXISTS rank",
            "ALTER TABLE leaderboard_standing ADD COLUMN IF NOT EXISTS position integer CHECK (position >= 0),"
            " ADD COLUMN IF NOT EXISTS rank integer CHECK (rank >= 0)",
        ),
    ]
