from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0020_records")]

    operations = [
        # Rows are left only where this migration was undone: without an item they say nothing.
        migrations.RunSQL("DELETE FROM leaderboard_boardrecord", migrations.RunSQL.noop),
        migrations.AddField(
            "boardrecord",
            "item",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="record",
                to="leaderboard.submissionitem",
            ),
            preserve_default=False,
        ),
    ]
