"""Workers with a database role of their own, which may write about their own leases only.

Row-level security does not concern the tables' owner, as which the server and workers with full rights connect.
Each table has a transaction of its own: workers lock several in different orders.
"""

from __future__ import annotations

from django.db import migrations

from datasets.migration_operations import RunSQLAtOnce

# The functions name their schema: a role might hide the tables behind temporary ones of the same names.
FUNCTIONS = """
CREATE OR REPLACE FUNCTION runner_keep_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.role := CASE TG_OP WHEN 'INSERT' THEN current_user ELSE OLD.role END;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION runner_is_own(wanted bigint) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM runner_runner WHERE id = wanted AND role = current_user)
$$;

CREATE OR REPLACE FUNCTION runner_verification_is_own(wanted uuid) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM runner_verification WHERE id = wanted AND runner_is_own(runner_id))
$$;
"""
NO_FUNCTIONS = """
DROP FUNCTION IF EXISTS runner_verification_is_own(uuid);
DROP FUNCTION IF EXISTS runner_is_own(bigint);
DROP FUNCTION IF EXISTS runner_keep_role();
"""
TRIGGER = """
CREATE OR REPLACE TRIGGER runner_runner_role BEFORE INSERT OR UPDATE ON runner_runner
    FOR EACH ROW EXECUTE FUNCTION runner_keep_role()
"""
NO_TRIGGER = "DROP TRIGGER IF EXISTS runner_runner_role ON runner_runner"
READ = {"everybody_reads": "FOR SELECT USING (true)"}
OF_OWN_VERIFICATION = "runner_verification_is_own(verification_id)"
INSERT = {"own_insert": f"FOR INSERT WITH CHECK ({OF_OWN_VERIFICATION})"}
POLICIES = {
    "runner_runner": {
        "own_insert": "FOR INSERT WITH CHECK (role = current_user)",
        "own_update": "FOR UPDATE USING (role = current_user)",
        "own_delete": "FOR DELETE USING (role = current_user)",
    },
    "runner_verification": {
        "free_or_own_update": """FOR UPDATE
            USING (finished_at IS NULL AND (state = 'queued' OR runner_is_own(runner_id)))
            WITH CHECK (runner_is_own(runner_id))""",
    },
    "runner_verificationevent": INSERT,
    "runner_verificationattempt": INSERT,
    "runner_demand": {
        "own_update": f"FOR UPDATE USING ({OF_OWN_VERIFICATION})",
        "own_delete": f"FOR DELETE USING ({OF_OWN_VERIFICATION})",
    },
    "runner_unannouncedend": INSERT,
}


def secure(table: str, policies: dict[str, str]) -> RunSQLAtOnce:
    """Let roles other than the owner do what the policies allow, and read; the same when it is run again."""
    drop = "".join(f"DROP POLICY IF EXISTS {name} ON {table};\n" for name in policies)
    create = "".join(f"CREATE POLICY {name} ON {table} {rule};\n" for name, rule in policies.items())
    return RunSQLAtOnce(
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;\n{drop}{create}",
        f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;\n{drop}",
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0012_turns")]

    operations = [
        RunSQLAtOnce(FUNCTIONS, NO_FUNCTIONS),
        RunSQLAtOnce(TRIGGER, NO_TRIGGER),
        *(secure(table, READ | policies) for table, policies in POLICIES.items()),
    ]
