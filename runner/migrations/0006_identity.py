"""A replay's identity has the workloads and the wanted metrics; an ended row can give way to a new replay.

The former program runs meanwhile. It gives its new rows neither, and the defaults say so: NULL says that a row
measures all metrics, and a hash that lacks is written later (0007, and the sweeper).
"""

from __future__ import annotations

import django.contrib.postgres.fields
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Q

TRIGGER = """
CREATE OR REPLACE TRIGGER runner_verification_end_is_final
    BEFORE UPDATE ON runner_verification
    FOR EACH ROW WHEN ({condition})
    EXECUTE FUNCTION runner_refuse_history()
"""
FORMER = "OLD.finished_at IS NOT NULL"
# An ended row is superseded once, and gets its missing hash once; each of the two changes nothing else.
FINAL = """
    OLD.finished_at IS NOT NULL AND (
        OLD.superseded_at IS NOT NULL OR NEW.superseded_at IS NULL
        OR to_jsonb(OLD) - ARRAY['superseded_at', 'last_seq'] <> to_jsonb(NEW) - ARRAY['superseded_at', 'last_seq']
    ) AND (
        OLD.workloads_sha256 <> ''
        OR to_jsonb(OLD) - 'workloads_sha256' <> to_jsonb(NEW) - 'workloads_sha256'
    )
"""


class Migration(migrations.Migration):
    dependencies = [("runner", "0005_attempts")]

    operations = [
        migrations.AddField(
            "verification",
            "workloads_sha256",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            "verification",
            "wanted_metrics",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=60), null=True, size=None
            ),
        ),
        migrations.AddField("verification", "superseded_at", models.DateTimeField(null=True)),
        migrations.RunSQL(TRIGGER.format(condition=FINAL), TRIGGER.format(condition=FORMER)),
        # Not validated: that would keep everybody from the table, and the new column is empty.
        AddConstraintNotValid(
            "verification",
            models.CheckConstraint(
                condition=Q(("superseded_at__isnull", True), ("finished_at__isnull", False), _connector="OR"),
                name="runner_verification_superseded_after_its_end",
            ),
        ),
    ]
