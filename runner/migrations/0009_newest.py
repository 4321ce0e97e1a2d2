# The newest replays, whatever the number of all. Built while the server is used; after an interruption, drop
# what `\d` shows as INVALID and migrate again.

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0008_turns")]

    operations = [
        AddIndexConcurrently(
            "verification",
            models.Index(fields=["-created_at", "id"], name="runner_verification_newest"),
        ),
    ]
