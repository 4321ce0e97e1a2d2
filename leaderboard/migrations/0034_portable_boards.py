"""Boards of portable entries. The next ones add their entries, programs and replays."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0033_baselines"),
        ("runner", "0020_studies"),
    ]

    operations = [
        migrations.CreateModel(
            name="PortableBoard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=64, unique=True)),
                ("title", models.CharField(max_length=120)),
                ("description", models.TextField(blank=True)),
                ("dataset", models.CharField(max_length=100)),
                ("metric", models.CharField(max_length=64)),
                ("baseline_level", models.CharField(max_length=16)),
                ("programs", models.PositiveIntegerField()),
                ("report_dataset", models.CharField(blank=True, max_length=100)),
                ("report_split", models.CharField(blank=True, max_length=20)),
                ("is_open", models.BooleanField(default=True)),
                (
                    "environment_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="portable_boards",
                        to="runner.environmentversion",
                    ),
                ),
            ],
            options={"ordering": ("slug",)},
        ),
    ]
