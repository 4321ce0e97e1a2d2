"""The hash of each benchmark's workloads, which identifies a replay together with its program.

The column has a default in the database: during an upgrade the former program still adds rows. Loading a dataset
again completes those.
"""

from __future__ import annotations

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0003_previews_and_statistics")]

    operations = [
        migrations.AddField(
            "benchmark",
            "workloads_sha256",
            models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=64,
                validators=[
                    django.core.validators.RegexValidator(
                        r"\A[0-9a-f]{64}\Z", "A sha256 has 64 lower-case hexadecimal digits."
                    )
                ],
            ),
        ),
    ]
