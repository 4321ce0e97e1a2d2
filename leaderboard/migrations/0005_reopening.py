"""Former verdicts of items that were replayed anew, and which verdicts a reviewer gave.

The new column has a default in the database: during an upgrade the former program still adds rows. A review that it
makes meanwhile counts as none; the reviewed item keeps its verdict.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

VERDICTS = [(one, one.capitalize()) for one in ("pending", "verified", "refuted", "quarantined", "failed", "withdrawn")]
MARK = """
UPDATE leaderboard_submissionitem SET reviewed = true
WHERE verdict IN ('verified', 'failed') AND detail LIKE 'Reviewed and %%'
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0004_standings_by_entry"), ("runner", "0006_identity")]

    operations = [
        migrations.AddField(
            "submissionitem", "reviewed", models.BooleanField(db_default=False, default=False)
        ),
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
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_verdicts",
                        to="leaderboard.submissionitem",
                    ),
                ),
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
            options={"ordering": ("item", "-reopened_at", "-pk")},
        ),
        migrations.RunSQL(MARK.replace("%%", "%"), migrations.RunSQL.noop),
    ]
