"""Former verdicts of items that were replayed anew. 0006 adds the items: each migration locks one table."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

VERDICTS = [(one, one.capitalize()) for one in ("pending", "verified", "refuted", "quarantined", "failed", "withdrawn")]


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0004_standings_by_entry"), ("runner", "0008_one_row_for_each_identity")]

    operations = [
        migrations.CreateModel(
            name="FormerVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("verdict", models.CharField(choices=VERDICTS, max_length=16)),
                ("reason", models.CharField(blank=True, max_length=64)),
                ("detail", models.TextField(blank=True)),
                ("value", models.FloatField(null=True)),
                ("ratio", models.FloatField(null=True)),
                ("reviewed", models.BooleanField(default=False)),
                ("decided_at", models.DateTimeField(null=True)),
                ("reopened_at", models.DateTimeField(auto_now_add=True)),
                ("reopened_by", models.CharField(max_length=200)),
                (
                    "verification",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="former_verdicts",
                        to="runner.verification",
                    ),
                ),
            ],
        ),
    ]
