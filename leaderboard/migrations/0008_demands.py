"""Demands of the replays that already wait or run: from the owners of the items that wait for them.

They have reserved nothing. What is requested meanwhile by the former program has no owner's demand; the
sweeper gives it one of nobody.
"""

from __future__ import annotations

from django.db import migrations

PAYERS = """
INSERT INTO runner_payer (name, used_seconds, counted_at)
SELECT DISTINCT 'user:' || submission.owner_id, 0, now()
FROM runner_verification AS verification
JOIN leaderboard_submissionitem AS item ON item.verification_id = verification.id
JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
WHERE verification.finished_at IS NULL AND item.verdict = 'pending'
ON CONFLICT DO NOTHING
"""

DEMANDS = """
INSERT INTO runner_demand
    (verification_id, payer_id, hardware_class, created_at, waiting, available_at, started_at, seconds)
SELECT verification.id, payer.id, verification.hardware_class, verification.created_at,
       verification.state = 'queued', verification.available_at,
       CASE WHEN verification.state <> 'queued' THEN now() END, 0
FROM runner_verification AS verification
JOIN leaderboard_submissionitem AS item ON item.verification_id = verification.id
JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
JOIN runner_payer AS payer ON payer.name = 'user:' || submission.owner_id
WHERE verification.finished_at IS NULL AND item.verdict = 'pending'
ORDER BY verification.created_at, verification.id
ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0007_reviewed_verdicts"), ("runner", "0012_turns")]

    operations = [
        migrations.RunSQL(sql=PAYERS, reverse_sql=migrations.RunSQL.noop),
        migrations.RunSQL(sql=DEMANDS, reverse_sql=migrations.RunSQL.noop),
    ]
