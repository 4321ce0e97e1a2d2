# Workers that test themselves and pause, and the worker of each verification.
#
# Every new column is empty or has a default in the database, so the former program goes on meanwhile. The index is
# empty at first, so that making it takes no longer than reading the table once.

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runner", "0006_identity")]

    operations = [
        migrations.AddField(model_name="runner", name="life", field=models.UUIDField(null=True, unique=True)),
        migrations.AddField(model_name="runner", name="digests", field=models.JSONField(null=True)),
        migrations.AddField(model_name="runner", name="self_test", field=models.JSONField(null=True)),
        migrations.AddField(model_name="runner", name="paused_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="runner", name="pause_reason", field=models.TextField(blank=True, db_default="")
        ),
        migrations.AddField(
            model_name="runner", name="faults", field=models.JSONField(db_default=[], default=list)
        ),
        migrations.AddField(
            model_name="verification",
            name="runner",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="verifications",
                to="runner.runner",
            ),
        ),
        migrations.AddIndex(
            model_name="verification",
            index=models.Index(
                condition=models.Q(("runner__isnull", False)),
                fields=["runner"],
                name="runner_verification_runner",
            ),
        ),
    ]
