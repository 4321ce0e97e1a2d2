"""The figures that entries had from one moment to another. 0030 adds their submissions."""

from __future__ import annotations

import django.db.models.deletion
from django.contrib.postgres.functions import RandomUUID
from django.db import migrations, models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Cast, Now

RANKABLE = (
    ("score__isnull", False),
    ("score__gt", 0),
    ("verified", F("total")),
    ("total__gt", 0),
    ("copied__lt", F("verified")),
)


def generated(condition: Q) -> models.GeneratedField:
    return models.GeneratedField(
        db_persist=True,
        expression=Case(When(condition, then=True), default=False),
        output_field=models.BooleanField(),
    )



class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0028_submissions_of_bests")]

    operations = [
        migrations.CreateModel(
            name="StandingPeriod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "agent_group",
                    models.CharField(db_default=Cast(RandomUUID(), models.CharField()), max_length=300),
                ),
                ("best_of_agent", models.BooleanField(default=False)),
                ("score", models.FloatField(blank=True, null=True)),
                ("mean_improvement", models.FloatField(blank=True, null=True)),
                ("verified", models.PositiveIntegerField()),
                ("copied", models.PositiveIntegerField(db_default=0, default=0)),
                ("total", models.PositiveIntegerField()),
                ("effective_actions", models.PositiveBigIntegerField()),
                ("submitted_at", models.DateTimeField(db_default=Now())),
                ("log_variance", models.FloatField(blank=True, null=True)),
                ("log_freedom", models.FloatField(blank=True, null=True)),
                ("missing", models.JSONField(blank=True, db_default=[], default=list)),
                ("rankable", generated(Q(*RANKABLE))),
                ("leading", generated(Q(*RANKABLE, ("best_of_agent", True)))),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="periods", to="leaderboard.board"
                    ),
                ),
            ],
            options={"ordering": ("board", "since", "pk")},
        ),
        migrations.AddIndex("standingperiod", models.Index(fields=["board", "since"], name="period_of_board")),
    ]
