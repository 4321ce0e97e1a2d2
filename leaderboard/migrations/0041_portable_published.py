"""When everybody could first read the sequences of a portable entry, which a repeated replay does not take back."""

from __future__ import annotations

from django.db import migrations, models

ENDED = """
UPDATE leaderboard_portableentry SET published_at = ended_at WHERE ended_at IS NOT NULL AND unverified = 0
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0040_largest_ratio")]

    operations = [
        migrations.AddField("portableentry", "published_at", models.DateTimeField(null=True)),
        migrations.RunSQL(ENDED, migrations.RunSQL.noop),
    ]
