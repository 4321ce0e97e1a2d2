# Standings keep the exact sums of their scores, so that an item that ends changes its entry by one addition.
#
# Rows without sums, which all are at first and which the program before this one still writes, are computed from
# all items of their entry when the next one ends.

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0009_scale")]

    operations = [
        migrations.AddField("standing", "log_total", models.TextField(blank=True, db_default="", default="")),
        migrations.AddField(
            "standing", "improvement_total", models.TextField(blank=True, db_default="", default="")
        ),
        migrations.AddField("standing", "totals_at", models.DateTimeField(blank=True, null=True)),
    ]
