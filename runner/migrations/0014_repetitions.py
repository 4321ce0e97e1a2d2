"""Rows that repeat another's work, and the blocks of interrupted measurements. 0015 adds key and indexes."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def _add(**options: Any) -> migrations.AddField:
    return migrations.AddField(
        "verification",
        "repeats",
        models.ForeignKey(
            db_index=False,
            null=True,
            on_delete=django.db.models.deletion.PROTECT,
            related_name="repetitions",
            to="runner.verification",
            **options,
        ),
    )


class Migration(migrations.Migration):
    dependencies = [("runner", "0013_worker_roles")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[_add(db_constraint=False)], state_operations=[_add()]
        ),
        migrations.AddField("verification", "blocks", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("verification", "kept_blocks", models.JSONField(null=True)),
    ]
