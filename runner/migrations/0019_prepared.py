"""What is left of a replay whose measurement was prepared, until a machine with the device has made it."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runner", "0018_calibrations_of_now")]

    operations = [
        migrations.AddField("verification", "prepared", models.JSONField(null=True)),
    ]
