"""Portable entries: sealed sets of sequences."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0034_portable_boards"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PortableEntry",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("agent", models.CharField(max_length=80)),
                ("agent_group", models.CharField(max_length=300)),
                ("sequences", models.JSONField()),
                ("content_sha256", models.CharField(max_length=64)),
                ("sealed_at", models.DateTimeField(auto_now_add=True)),
                ("draws", models.PositiveIntegerField(default=0)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("score", models.FloatField(null=True)),
                ("score_error", models.FloatField(null=True)),
                ("report_score", models.FloatField(null=True)),
                ("unverified", models.PositiveIntegerField(default=0)),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="leaderboard.portableboard",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="portable_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-sealed_at", "id")},
        ),
        migrations.AddIndex(
            "portableentry",
            models.Index(fields=["board", "-sealed_at", "id"], name="portable_newest"),
        ),
        migrations.AddIndex(
            "portableentry",
            models.Index(fields=["board", "content_sha256"], name="portable_same_content"),
        ),
        migrations.AddIndex(
            "portableentry",
            models.Index(
                condition=Q(("drawn_at__isnull", True)), fields=["draws", "sealed_at"], name="portable_sealed"
            ),
        ),
        migrations.AddConstraint(
            "portableentry",
            models.UniqueConstraint(
                condition=Q(("drawn_at__isnull", True)),
                fields=("owner",),
                name="portable_one_sealed_per_owner",
            ),
        ),
    ]
