"""A worker's own calibration is of now: of a moment that Python cannot read, no page could be shown."""

from __future__ import annotations

from django.db import migrations

FORWARDS = """
DROP POLICY own_insert ON runner_calibration;
CREATE POLICY own_insert ON runner_calibration FOR INSERT WITH CHECK (
    role = current_user AND at > now() - interval '1 day' AND at < now() + interval '1 day'
);
"""
BACKWARDS = """
DROP POLICY own_insert ON runner_calibration;
CREATE POLICY own_insert ON runner_calibration FOR INSERT WITH CHECK (role = current_user);
"""


class Migration(migrations.Migration):
    dependencies = [("runner", "0017_calibrations")]

    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
