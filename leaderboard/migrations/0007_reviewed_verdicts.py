"""Which of the present verdicts a reviewer gave.

A review that the former program makes meanwhile counts as none; the reviewed item keeps its verdict.
"""

from __future__ import annotations

from django.db import migrations

from datasets.migration_operations import UpdateInBatches

MARK = """
UPDATE leaderboard_submissionitem SET reviewed = true
WHERE id = ANY(%s) AND NOT reviewed AND verdict IN ('verified', 'failed') AND starts_with(detail, 'Reviewed and ')
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("leaderboard", "0006_reviewed")]

    operations = [UpdateInBatches("leaderboard_submissionitem", MARK)]
