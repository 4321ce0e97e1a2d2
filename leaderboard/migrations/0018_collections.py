# Entries without a find of their owner have no rank: the database computes it, as it computes the rest of who may
# have one. Changing the expressions writes the table again, some kilobytes for each hundred entries.

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Case, F, Q, When

COMPLETE = (("score__isnull", False), ("score__gt", 0), ("verified", F("total")), ("total__gt", 0))
RANKABLE = (*COMPLETE, ("copied__lt", F("verified")))
EXPRESSION = "CASE WHEN (score IS NOT NULL AND score > 0 AND verified = total AND total > 0{}) THEN true ELSE false END"
CHANGE = (
    "ALTER TABLE leaderboard_standing ALTER COLUMN \"rankable\" SET EXPRESSION AS ({}),"
    " ALTER COLUMN \"leading\" SET EXPRESSION AS ({})"
)


def generated(condition: Q) -> models.GeneratedField:
    return models.GeneratedField(
        db_persist=True,
        expression=Case(When(condition, then=True), default=False),
        output_field=models.BooleanField(),
    )


def change(more: str) -> str:
    return CHANGE.format(EXPRESSION.format(more), EXPRESSION.format(f"{more} AND best_of_agent"))


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0017_credit")]

    operations = [
        migrations.AddField("standing", "copied", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.RunSQL(
            change(" AND copied < verified"),
            change(""),
            state_operations=[
                migrations.AlterField("standing", "rankable", generated(Q(*RANKABLE))),
                migrations.AlterField("standing", "leading", generated(Q(*RANKABLE, ("best_of_agent", True)))),
            ],
        ),
    ]
