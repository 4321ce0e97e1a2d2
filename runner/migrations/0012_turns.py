"""Who demands which verification, what they used, when they had their last turn; ends not announced yet."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


def _id() -> models.BigAutoField:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("runner", "0011_worker_of_verification_checked")]

    operations = [
        migrations.CreateModel(
            name="Payer",
            fields=[
                ("id", _id()),
                ("name", models.CharField(max_length=64, unique=True)),
                ("used_seconds", models.FloatField(default=0.0)),
                ("counted_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("used_seconds__gte", 0)), name="runner_payer_used_not_negative"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Demand",
            fields=[
                ("id", _id()),
                ("hardware_class", models.CharField(max_length=60)),
                ("created_at", models.DateTimeField()),
                ("waiting", models.BooleanField(default=True)),
                ("available_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("seconds", models.FloatField(default=0.0)),
                (
                    "verification",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="demands",
                        to="runner.verification",
                    ),
                ),
                (
                    "payer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="demands",
                        to="runner.payer",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("waiting", True)),
                        fields=["hardware_class", "payer", "id"],
                        include=("available_at", "seconds"),
                        name="runner_demand_line",
                    ),
                    models.Index(
                        condition=models.Q(("waiting", False)),
                        fields=["hardware_class", "payer"],
                        name="runner_demand_running",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("verification", "payer"), name="runner_demand_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                ("id", _id()),
                ("hardware_class", models.CharField(max_length=60)),
                ("taken_at", models.DateTimeField()),
                (
                    "payer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="turns", to="runner.payer"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("payer", "hardware_class"), name="runner_turn_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="UnannouncedEnd",
            fields=[
                (
                    "verification",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="runner.verification",
                    ),
                ),
            ],
        ),
    ]
