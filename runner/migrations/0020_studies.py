"""Studies of recorded replays; a worker with a role of its own may take one and write its answer."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models


ROLES = """
ALTER TABLE runner_study ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_study FOR SELECT USING (true);
CREATE POLICY free_or_own_update ON runner_study FOR UPDATE
    USING (finished_at IS NULL AND (state = 'queued' OR runner_is_own(runner_id)))
    WITH CHECK (runner_is_own(runner_id));
"""


class Migration(migrations.Migration):
    dependencies = [
        ("runner", "0019_prepared"),
    ]

    operations = [
        migrations.CreateModel(
            name="Study",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("difference", "difference"), ("minimised", "minimised")], max_length=12
                    ),
                ),
                ("identity", models.CharField(max_length=64)),
                ("steps", models.PositiveIntegerField()),
                ("hardware_class", models.CharField(max_length=60)),
                ("environment_digest", models.CharField(max_length=64)),
                ("automatic", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("available_at", models.DateTimeField()),
                ("woken_at", models.DateTimeField(null=True)),
                ("lease_token", models.UUIDField(null=True)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, max_length=200)),
                ("progress", models.JSONField(null=True)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "runner",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="runner.runner",
                    ),
                ),
                (
                    "verification",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="studies",
                        to="runner.verification",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "studies",
                "ordering": ("-created_at", "id"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "queued")),
                        fields=["hardware_class", "automatic", "available_at", "id"],
                        name="runner_study_line",
                    ),
                    models.Index(
                        condition=models.Q(("state", "running")),
                        fields=["lease_expires_at"],
                        name="runner_study_leases",
                    ),
                    models.Index(fields=["kind", "finished_at"], name="runner_study_ends"),
                    models.Index(fields=["verification"], name="runner_study_verification"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("identity",), name="runner_study_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("lease_expires_at__isnull", False),
                                ("lease_token__isnull", False),
                                ("state", "running"),
                            ),
                            models.Q(
                                models.Q(("state", "running"), _negated=True),
                                ("lease_expires_at__isnull", True),
                                ("lease_token__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="runner_study_lease_iff_running",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("finished_at__isnull", False),
                                ("reason", ""),
                                ("result__isnull", False),
                                ("state", "done"),
                            ),
                            models.Q(
                                ("finished_at__isnull", False),
                                ("result__isnull", True),
                                ("state", "failed"),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            models.Q(
                                ("finished_at__isnull", True),
                                ("reason", ""),
                                ("result__isnull", True),
                                ("state__in", ["queued", "running"]),
                            ),
                            _connector="OR",
                        ),
                        name="runner_study_ended_iff_finished",
                    ),
                ],
            },
        ),
        migrations.RunSQL(ROLES, migrations.RunSQL.noop),  # all of it goes with the table
    ]
