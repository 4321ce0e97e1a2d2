"""Attempts that did not record a result, which the database refuses to rewrite as it does events."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

FORWARDS = """
CREATE TRIGGER runner_attempt_append_only
    BEFORE UPDATE OR DELETE ON runner_verificationattempt
    FOR EACH ROW EXECUTE FUNCTION runner_refuse_history();
"""
BACKWARDS = "DROP TRIGGER runner_attempt_append_only ON runner_verificationattempt;"


class Migration(migrations.Migration):
    dependencies = [("runner", "0004_monitoring")]

    operations = [
        migrations.CreateModel(
            name="VerificationAttempt",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("lease_attempt", models.PositiveSmallIntegerField()),
                ("worker", models.CharField(max_length=200)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("record", "recorded"),
                            ("confirm", "repeated"),
                            ("fail", "failed"),
                            ("give-back", "given back"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("failed_step", models.PositiveIntegerField(null=True)),
                ("evidence", models.JSONField(default=dict)),
                (
                    "verification",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="runner.verification",
                    ),
                ),
            ],
            options={"ordering": ("verification", "number")},
        ),
        migrations.AddConstraint(
            model_name="verificationattempt",
            constraint=models.UniqueConstraint(
                fields=("verification", "number"), name="runner_attempt_number_unique"
            ),
        ),
        migrations.RunSQL(sql=FORWARDS, reverse_sql=BACKWARDS),
    ]
