"""The programs that were drawn for portable entries, and those that they are reported on."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("datasets", "0005_workload_hashes"), ("leaderboard", "0035_portable_entries")]

    operations = [
        migrations.CreateModel(
            name="PortableProgram",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("benchmark_uri", models.CharField(max_length=400)),
                ("is_drawn", models.BooleanField()),
                ("reference", models.FloatField()),
                ("unoptimised", models.FloatField()),
                ("value", models.FloatField(null=True)),
                ("best", models.PositiveIntegerField(null=True)),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="datasets.benchmark"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="programs",
                        to="leaderboard.portableentry",
                    ),
                ),
            ],
            options={"ordering": ("entry", "position")},
        ),
        migrations.AddConstraint(
            "portableprogram",
            models.UniqueConstraint(fields=("entry", "position"), name="portable_position_once"),
        ),
        migrations.AddConstraint(
            "portableprogram",
            models.CheckConstraint(
                condition=Q(("reference__gt", 0), ("unoptimised__gt", 0)), name="portable_values_positive"
            ),
        ),
    ]
