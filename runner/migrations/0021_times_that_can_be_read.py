"""What a worker's role may write can be read: times in the calendar of Python, and digests as a list of texts.

Otherwise a single row of its own would end each pass of the sweeper, and the pages that read the row.
Each table has a transaction of its own: workers lock several in different orders.
"""

from __future__ import annotations

from django.db import migrations

from datasets.migration_operations import RunSQLAtOnce

TABLES = (
    *("runner_demand", "runner_payer", "runner_runner", "runner_study", "runner_turn"),
    *("runner_verification", "runner_verificationattempt", "runner_verificationevent"),
)
# NOT VALID: rows that are there already are not read, which would take long. Each change of one is checked.
FORWARDS = """
DO $body$
DECLARE
    conditions text;
BEGIN
    SELECT string_agg(
        format('%I BETWEEN ''1970-01-01 00:00Z'' AND ''9000-01-01 00:00Z''', attname), ' AND ' ORDER BY attnum
    ) INTO STRICT conditions
    FROM pg_attribute
    WHERE attrelid = '{table}'::regclass AND atttypid = 'timestamptz'::regtype AND NOT attisdropped;
    EXECUTE format(
        'ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_times, '
        'ADD CONSTRAINT {table}_times CHECK (%s) NOT VALID', conditions
    );
END $body$;
"""
BACKWARDS = "ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_times;"
DIGESTS = """
ALTER TABLE runner_runner DROP CONSTRAINT IF EXISTS runner_runner_digests, ADD CONSTRAINT runner_runner_digests CHECK (
    jsonb_typeof(digests) = 'array' AND NOT jsonb_path_exists(digests, 'strict $[*] ? (@.type() != "string")')
) NOT VALID;
"""
NO_DIGESTS = "ALTER TABLE runner_runner DROP CONSTRAINT IF EXISTS runner_runner_digests;"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runner", "0020_studies")]

    operations = [
        *(RunSQLAtOnce(FORWARDS.format(table=one), BACKWARDS.format(table=one)) for one in TABLES),
        RunSQLAtOnce(DIGESTS, NO_DIGESTS),
    ]
