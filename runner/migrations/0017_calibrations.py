"""Calibrations of workers' machines; a worker with a role of its own may add rows, which keep its role."""

from __future__ import annotations

from django.db import migrations, models

ROLES = """
CREATE TRIGGER runner_calibration_role BEFORE INSERT OR UPDATE ON runner_calibration
    FOR EACH ROW EXECUTE FUNCTION runner_keep_role();
ALTER TABLE runner_calibration ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON runner_calibration FOR SELECT USING (true);
CREATE POLICY own_insert ON runner_calibration FOR INSERT WITH CHECK (role = current_user);
"""


class Migration(migrations.Migration):
    dependencies = [("runner", "0016_action_space")]

    operations = [
        migrations.CreateModel(
            name="Calibration",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=200)),
                ("hardware_class", models.CharField(max_length=60)),
                ("at", models.DateTimeField()),
                ("machine", models.CharField(max_length=64)),
                ("fingerprint", models.JSONField()),
                ("version", models.TextField()),
                ("vector", models.JSONField()),
                ("conditions", models.JSONField()),
                ("tries", models.PositiveSmallIntegerField()),
                ("drift", models.TextField(blank=True)),
                ("role", models.CharField(blank=True, db_default="", editable=False, max_length=63)),
            ],
            options={"ordering": ("-at", "-id")},
        ),
        migrations.AddIndex(
            "calibration",
            models.Index(fields=["name", "hardware_class", "-at"], name="runner_calibration_history"),
        ),
        migrations.RunSQL(ROLES, migrations.RunSQL.noop),  # all of it goes with the table
    ]
