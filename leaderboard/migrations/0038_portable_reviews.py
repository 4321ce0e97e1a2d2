"""Portable entries that were withdrawn, or wait for a reviewer.

The new columns have a default in the database, or may be null: during an upgrade the former program still adds
rows.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0037_portable_replays")]

    operations = [
        migrations.AlterModelOptions(
            "portableentry",
            {"ordering": ("-sealed_at", "id"), "verbose_name_plural": "portable entries"},
        ),
        migrations.AddField("portableentry", "withdrawn_at", models.DateTimeField(null=True)),
        migrations.AddField("portableentry", "is_doubted", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("portableentry", "is_accepted", models.BooleanField(null=True)),
    ]
