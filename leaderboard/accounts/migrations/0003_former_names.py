"""The hashes of the names of deleted accounts."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_profiles")]

    operations = [
        migrations.CreateModel(
            name="FormerName",
            fields=[("name_sha256", models.CharField(max_length=64, primary_key=True, serialize=False))],
        ),
    ]
