"""Workers with a database role of their own, which may write about their own leases only.

Row-level security does not concern the tables' owner, as which the server and workers with full rights connect.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

# The functions name their schema: a role might hide the tables behind temporary ones of the same names.
FORWARDS = """
CREATE FUNCTION runner_keep_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.role := CASE TG_OP WHEN 'INSERT' THEN current_user ELSE OLD.role END;
    RETURN NEW;
END $$;

CREATE TRIGGER runner_runner_role BEFORE INSERT OR UPDATE ON runner_runner
    FOR EACH ROW EXECUTE FUNCTION runner_keep_role();

CREATE FUNCTION runner_is_own(wanted bigint) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM runner_runner WHERE id = wanted AND role = current_user)
$$;

CREATE FUNCTION runner_verification_is_own(wanted uuid) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM runner_verification WHERE id = wanted AND runner_is_own(runner_id))
$$;

ALTER TABLE runner_runner ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_runner FOR SELECT USING (true);
CREATE POLICY own_insert ON runner_runner FOR INSERT WITH CHECK (role = current_user);
CREATE POLICY own_update ON runner_runner FOR UPDATE USING (role = current_user);
CREATE POLICY own_delete ON runner_runner FOR DELETE USING (role = current_user);

ALTER TABLE runner_verification ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_verification FOR SELECT USING (true);
CREATE POLICY free_or_own_update ON runner_verification FOR UPDATE
    USING (finished_at IS NULL AND (state = 'queued' OR runner_is_own(runner_id)))
    WITH CHECK (runner_is_own(runner_id));

ALTER TABLE runner_verificationevent ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_verificationevent FOR SELECT USING (true);
CREATE POLICY own_insert ON runner_verificationevent FOR INSERT
    WITH CHECK (runner_verification_is_own(verification_id));

ALTER TABLE runner_verificationattempt ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_verificationattempt FOR SELECT USING (true);
CREATE POLICY own_insert ON runner_verificationattempt FOR INSERT
    WITH CHECK (runner_verification_is_own(verification_id));

ALTER TABLE runner_demand ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_demand FOR SELECT USING (true);
CREATE POLICY own_update ON runner_demand FOR UPDATE USING (runner_verification_is_own(verification_id));
CREATE POLICY own_delete ON runner_demand FOR DELETE USING (runner_verification_is_own(verification_id));

ALTER TABLE runner_unannouncedend ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_unannouncedend FOR SELECT USING (true);
CREATE POLICY own_insert ON runner_unannouncedend FOR INSERT
    WITH CHECK (runner_verification_is_own(verification_id));
"""

BACKWARDS = """
ALTER TABLE runner_unannouncedend DISABLE ROW LEVEL SECURITY;
DROP POLICY own_insert ON runner_unannouncedend;
DROP POLICY everybody_reads ON runner_unannouncedend;
ALTER TABLE runner_demand DISABLE ROW LEVEL SECURITY;
DROP POLICY own_delete ON runner_demand;
DROP POLICY own_update ON runner_demand;
DROP POLICY everybody_reads ON runner_demand;
ALTER TABLE runner_verificationattempt DISABLE ROW LEVEL SECURITY;
DROP POLICY own_insert ON runner_verificationattempt;
DROP POLICY everybody_reads ON runner_verificationattempt;
ALTER TABLE runner_verificationevent DISABLE ROW LEVEL SECURITY;
DROP POLICY own_insert ON runner_verificationevent;
DROP POLICY everybody_reads ON runner_verificationevent;
ALTER TABLE runner_verification DISABLE ROW LEVEL SECURITY;
DROP POLICY free_or_own_update ON runner_verification;
DROP POLICY everybody_reads ON runner_verification;
ALTER TABLE runner_runner DISABLE ROW LEVEL SECURITY;
DROP POLICY own_delete ON runner_runner;
DROP POLICY own_update ON runner_runner;
DROP POLICY own_insert ON runner_runner;
DROP POLICY everybody_reads ON runner_runner;
DROP FUNCTION runner_verification_is_own(uuid);
DROP FUNCTION runner_is_own(bigint);
DROP TRIGGER runner_runner_role ON runner_runner;
DROP FUNCTION runner_keep_role();
"""


class Migration(migrations.Migration):
    dependencies = [("runner", "0009_newest")]

    operations = [
        migrations.AddField(
            model_name="runner",
            name="role",
            field=models.CharField(blank=True, db_default="", editable=False, max_length=63),
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
        migrations.RunSQL(sql=FORWARDS, reverse_sql=BACKWARDS),
    ]
