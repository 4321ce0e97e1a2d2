"""The database itself refuses to rewrite history: events are only added, and an end is an end."""

from __future__ import annotations

from django.db import migrations

FORWARDS = """
CREATE FUNCTION runner_refuse_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'runner: % of % is refused: history is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER runner_event_append_only
    BEFORE UPDATE OR DELETE ON runner_verificationevent
    FOR EACH ROW EXECUTE FUNCTION runner_refuse_history();

CREATE TRIGGER runner_verification_end_is_final
    BEFORE UPDATE ON runner_verification
    FOR EACH ROW WHEN (OLD.finished_at IS NOT NULL)
    EXECUTE FUNCTION runner_refuse_history();
"""

BACKWARDS = """
DROP TRIGGER runner_verification_end_is_final ON runner_verification;
DROP TRIGGER runner_event_append_only ON runner_verificationevent;
DROP FUNCTION runner_refuse_history();
"""


class Migration(migrations.Migration):
    dependencies = [("runner", "0001_initial")]

    operations = [migrations.RunSQL(sql=FORWARDS, reverse_sql=BACKWARDS)]
