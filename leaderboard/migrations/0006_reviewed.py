"""The items of former verdicts, and which verdicts a reviewer gave.

The new column has a default in the database: during an upgrade the former program still adds rows.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0005_former_verdicts")]

    operations = [
        migrations.AddField(
            "submissionitem", "reviewed", models.BooleanField(db_default=False, default=False)
        ),
        # Nobody uses this table yet, so that it is empty.
        migrations.AddField(
            "formerverdict",
            "item",
            models.ForeignKey(
                default=None,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="former_verdicts",
                to="leaderboard.submissionitem",
            ),
            preserve_default=False,
        ),
        migrations.AlterModelOptions("formerverdict", {"ordering": ("item", "-reopened_at", "-pk")}),
    ]
