"""Indexes for monitoring; the database lets its owner delete old history on request, and nobody else."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations, models
from django.db.models import Q

from datasets.migration_operations import BuildIndex

# Pruning announces itself in its transaction. Only the tables' owner may: a worker of another role may not.
GUARD = """
CREATE OR REPLACE FUNCTION runner_refuse_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('optarena.pruning', true) = 'on'
       AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    RAISE EXCEPTION 'runner: % of % is refused: history is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

FORMER_GUARD = """
CREATE OR REPLACE FUNCTION runner_refuse_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'runner: % of % is refused: history is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0003_presence")]

    operations = [
        migrations.RunSQL(sql=GUARD, reverse_sql=FORMER_GUARD),
        BuildIndex(
            model_name="verification",
            index=models.Index(
                name="runner_verification_ends",
                fields=["state", "reason"],
                condition=Q(finished_at__isnull=False),
            ),
        ),
        BuildIndex(
            model_name="verificationevent",
            index=BrinIndex(name="runner_event_times", fields=["at"]),
        ),
        BuildIndex(
            model_name="verificationevent",
            index=models.Index(
                name="runner_event_sweeps", fields=["at"], condition=Q(actor="sweeper")
            ),
        ),
    ]
