# Workers that test themselves and pause, their processes, and the database roles that wrote their rows.
#
# Every new column is empty or has a default in the database, so the former program goes on meanwhile.

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runner", "0008_one_row_for_each_identity")]

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
            model_name="runner",
            name="processes",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="runner",
            name="role",
            field=models.CharField(blank=True, db_default="", editable=False, max_length=63),
        ),
    ]
