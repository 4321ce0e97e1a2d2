"""An index by which the page of a submission finds the item that its score owes most to."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0039_portable_plausible_ratio")]

    operations = [
        migrations.AddIndex(
            "submissionitem",
            models.Index(
                fields=["submission", "-ratio", "position"],
                include=["benchmark_uri"],
                condition=Q(verdict="verified", ratio__isnull=False),
                name="item_largest_ratio",
            ),
        ),
    ]
