"""The ratio of a record is that of its item."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0021_items_of_records")]

    operations = [
        migrations.RemoveIndex("boardrecord", "record_best"),
        migrations.RemoveField("boardrecord", "ratio"),
        # Undone before the column is added again, which no present row could fill.
        migrations.RunSQL(migrations.RunSQL.noop, "DELETE FROM leaderboard_boardrecord"),
    ]
