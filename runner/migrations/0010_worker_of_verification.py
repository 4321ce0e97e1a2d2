"""The worker of each verification. 0011 adds the foreign key, which locks the table of workers too."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def _add(**options: Any) -> migrations.AddField:
    return migrations.AddField(
        "verification",
        "runner",
        models.ForeignKey(
            db_index=False,
            null=True,
            on_delete=django.db.models.deletion.PROTECT,
            related_name="verifications",
            to="runner.runner",
            **options,
        ),
    )


class Migration(migrations.Migration):
    dependencies = [("runner", "0009_healthy_workers")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[_add(db_constraint=False)], state_operations=[_add()]
        ),
    ]
