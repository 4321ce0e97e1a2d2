"""When a portable entry was first published, which a repeated replay does not take back."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0040_largest_ratio")]

    operations = [migrations.AddField("portableentry", "published_at", models.DateTimeField(null=True))]
