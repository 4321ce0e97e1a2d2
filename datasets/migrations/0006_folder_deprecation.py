"""What the folder of a dataset said about its deprecation, so that an operator's own decision can be told from it.

The column has a default in the database: during an upgrade the former program still adds rows.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0005_workload_hashes")]

    operations = [
        migrations.AddField(
            "datasetversion",
            "folder_deprecation",
            models.TextField(blank=True, db_default="", default=""),
        ),
    ]
