"""What is left of a replay whose measurement was prepared, until a machine with the device has made it."""

from __future__ import annotations

from django.db import migrations, models

# Roles of workers may change single columns, and were given those that were there.
GRANT = """
DO $$
DECLARE role text;
BEGIN
    FOR role IN
        SELECT DISTINCT grantee FROM information_schema.column_privileges
        WHERE table_schema = 'public' AND table_name = 'runner_verification'
          AND column_name = 'kept_blocks' AND privilege_type = 'UPDATE' AND grantee <> current_user
    LOOP
        EXECUTE format('GRANT UPDATE (prepared) ON runner_verification TO %I', role);
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("runner", "0018_calibrations_of_now")]

    operations = [
        migrations.AddField("verification", "prepared", models.JSONField(null=True)),
        migrations.RunSQL(GRANT, migrations.RunSQL.noop),
    ]
