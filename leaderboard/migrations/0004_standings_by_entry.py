# Standings keep each entry's own figures; places and ranks are computed when they are read.
#
# The columns `position` and `rank` stay in the table, unused and empty, until no program before this one runs:
# it writes them whenever it rebuilds a board. A later migration drops them. `manage.py rebuild_standings` mends
# what that program wrote meanwhile.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.postgres.functions import RandomUUID
from django.db import migrations, models
from django.db.models import Case, F, OrderBy, Q, When
from django.db.models.functions import Cast, Now

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

RANKABLE = (("score__isnull", False), ("score__gt", 0), ("verified", F("total")), ("total__gt", 0))
PREFERENCE = (
    OrderBy(F("rankable"), descending=True),
    OrderBy(F("score"), descending=True, nulls_last=True),
    OrderBy(F("effective_actions")),
    OrderBy(F("submitted_at")),
    OrderBy(F("submission_id")),
)
ORDER = (OrderBy(F("leading"), descending=True), *PREFERENCE)
BATCH = 1_000
PLACE = """
UPDATE leaderboard_standing SET position = placed.number FROM (
    SELECT id, row_number() OVER (
        PARTITION BY board_id ORDER BY score DESC NULLS LAST, effective_actions, submitted_at
    ) AS number FROM leaderboard_standing
) AS placed WHERE placed.id = leaderboard_standing.id
"""
"""Backwards: every row needs a place; the program before ranks it when it rebuilds the board."""


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001 - Django's signature
    """Give every row its agent's group and the time of its submission."""
    standings: Any = apps.get_model("leaderboard", "Standing")
    rows = []
    for row in standings.objects.select_related("submission").iterator(BATCH):
        name = " ".join(row.submission.agent.split()).casefold()
        row.agent_group = f"{row.submission.owner_id} {name}"
        row.submitted_at = row.submission.created
        rows.append(row)
    standings.objects.bulk_update(rows, ["agent_group", "submitted_at"], batch_size=BATCH)


def generated(condition: Q) -> models.GeneratedField:
    return models.GeneratedField(
        db_persist=True,
        expression=Case(When(condition, then=True), default=False),
        output_field=models.BooleanField(),
    )


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0003_measured_references")]

    operations = [
        migrations.AddField(
            "standing",
            "agent_group",
            models.CharField(db_default=Cast(RandomUUID(), models.CharField()), max_length=300),
        ),
        migrations.AddField("standing", "submitted_at", models.DateTimeField(db_default=Now())),
        migrations.RemoveConstraint("standing", "standing_position_once_per_board"),
        migrations.RemoveConstraint("standing", "standing_rank_needs_score_and_coverage"),
        migrations.AlterField("standing", "position", models.PositiveIntegerField(null=True)),
        migrations.RunSQL(migrations.RunSQL.noop, reverse_sql=PLACE),
        migrations.AddField("standing", "rankable", generated(Q(*RANKABLE))),
        migrations.AddField("standing", "leading", generated(Q(*RANKABLE, ("best_of_agent", True)))),
        migrations.AlterModelOptions("standing", {"ordering": ("board", *ORDER)}),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("standing", "position"),
                migrations.RemoveField("standing", "rank"),
            ]
        ),
        migrations.AddIndex("standing", models.Index("board", *ORDER, name="standing_board_order")),
        migrations.AddIndex(
            "standing", models.Index("board", "agent_group", *PREFERENCE, name="standing_agent_order")
        ),
        migrations.AddConstraint(
            "standing",
            models.UniqueConstraint(
                condition=Q(best_of_agent=True),
                fields=("board", "agent_group"),
                name="standing_one_best_of_agent",
            ),
        ),
        # The last: a table whose rows were written in this transaction cannot be altered any more.
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
