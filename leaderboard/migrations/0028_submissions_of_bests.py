"""The submissions of best results."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0027_items_of_bests")]

    operations = [
        migrations.RunSQL("DELETE FROM leaderboard_bestresult", migrations.RunSQL.noop),  # as in 0027
        migrations.AddField(
            "bestresult",
            "submission",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="leaderboard.submission",
            ),
            preserve_default=False,
        ),
        migrations.AddIndex(
            "bestresult", models.Index(fields=["board", "submission"], name="best_of_submission")
        ),
    ]
