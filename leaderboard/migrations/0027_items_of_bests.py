"""The items of best results."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0026_bests")]

    operations = [
        # Rows are left only where this migration was undone: without an item they say nothing.
        migrations.RunSQL("DELETE FROM leaderboard_bestresult", migrations.RunSQL.noop),
        migrations.AddField(
            "bestresult",
            "item",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="leaderboard.submissionitem",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "bestresult",
            "runner_up",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="leaderboard.submissionitem",
            ),
        ),
    ]
