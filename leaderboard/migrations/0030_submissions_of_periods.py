"""The submissions of periods."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0029_periods")]

    operations = [
        # Rows are left only where this migration was undone: without a submission they say nothing.
        migrations.RunSQL("DELETE FROM leaderboard_standingperiod", migrations.RunSQL.noop),
        migrations.AddField(
            "standingperiod",
            "submission",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="periods", to="leaderboard.submission"
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            "standingperiod",
            models.UniqueConstraint(
                condition=models.Q(("until__isnull", True)), fields=("submission",), name="period_one_open"
            ),
        ),
    ]
