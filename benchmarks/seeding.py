"""Fills a database with submissions, items and replays, in SQL: a million rows take minutes.

The rows look like those of a server that has been used for years: boards of several sizes, many owners and
agents, every verdict, withdrawn submissions, a queue with its payers, and a live runner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scratch import make_board

if TYPE_CHECKING:
    from leaderboard.models import Board

OWNERS: Final = 200
QUEUED_SUBMISSIONS: Final = 80
"""The newest submissions, two thirds of whose replays wait."""
ACTIONS: Final = 24
HARDWARE_CLASS: Final = "x86_64-cpu"


@dataclass(frozen=True)
class Part:
    """One board of the seed.

    Attributes:
        name: Its slug.
        programs: Benchmarks that it compares.
        share: The share of all submissions that are sent to it.
    """

    name: str
    programs: int
    share: float


PARTS: Final = (
    Part("popular", 31, 0.60),
    Part("middle", 61, 0.348),
    Part("wide", 1_000, 0.05),
    Part("widest", 10_000, 0.001),
    Part("quiet", 31, 0.001),
)


def seed(submissions: int) -> dict[str, Board]:
    """Make the boards and their rows; a hundred times as many items as submissions.

    Args:
        submissions: The number of submissions, 1,000 or more.
    """
    from django.db import connection  # noqa: PLC0415 - needs Django

    from leaderboard.services.standings import rebuild_boards  # noqa: PLC0415 - as above

    boards = {part.name: make_board(part.name, part.programs) for part in PARTS}
    with connection.cursor() as cursor:
        # Foreign keys hold by construction; checking each of millions would take longer than all else.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(_OWNERS, [OWNERS])
        cursor.execute(_PAYERS)
        cursor.execute(_RUNNER, [HARDWARE_CLASS])
        for number, part in enumerate(PARTS):
            board = boards[part.name]
            given: dict[str, str | int] = {
                "board": board.pk,
                "part": number,
                "version": board.dataset_version_id,
                "environment": board.environment_version_id,
                "digest": board.environment_version.digest,
                "count": max(1, round(part.share * submissions)),
                "queued": round(QUEUED_SUBMISSIONS * part.share),
                "owners": OWNERS,
                "actions": ACTIONS,
                "hardware": HARDWARE_CLASS,
            }
            for statement in _OF_A_BOARD:
                cursor.execute(statement, given)
            cursor.execute("DROP TABLE wanted")
        cursor.execute("RESET session_replication_role")
        rebuild_boards(board_ids=[board.pk for board in boards.values()])
        cursor.execute("VACUUM ANALYZE")
    return boards


def counts() -> dict[str, int]:
    """The rows of the larger tables."""
    from leaderboard.models import Submission, SubmissionItem  # noqa: PLC0415 - needs Django
    from runner.models import Verification, VerificationEvent  # noqa: PLC0415 - as above

    waiting = Verification.objects.filter(state="queued")
    tables: dict[str, Any] = {
        "submissions": Submission.objects,
        "items": SubmissionItem.objects,
        "replays": Verification.objects,
        "events": VerificationEvent.objects,
        "replays that wait": waiting,
    }
    return {name: rows.count() for name, rows in tables.items()}


_OWNERS: Final = """
INSERT INTO auth_user (password, is_superuser, username, first_name, last_name, email, is_staff, is_active,
                       date_joined)
SELECT '!', false, 'owner' || n, '', '', '', false, true, now() FROM generate_series(0, %s - 1) AS n
"""

_PAYERS: Final = """
INSERT INTO runner_payer (name, used_seconds, counted_at) SELECT 'user:' || id, 0, now() FROM auth_user
"""

_RUNNER: Final = """
INSERT INTO runner_runner (name, hardware_class, fingerprint, versions, processes, started_at, seen_at)
VALUES ('celery@host', %s, '{"cpu": "a processor", "cores": 2, "kernel": "6.1"}', '{}', 2, now(),
        now() + interval '10 years')
"""
"""It stays live for as long as a database is kept."""

_SUBMISSIONS: Final = """
INSERT INTO leaderboard_submission (id, board_id, owner_id, agent, description, url, compilations,
    walltime_seconds, trained_on_test_set, content_sha256, created, withdrawn_at)
SELECT md5('s' || %(part)s || '/' || n)::uuid, %(board)s, owner.id,
       'agent ' || translate((n / 4)::text, '0123456789', 'abcdefghij'), 'A description.', '',
       n, n, n %% 9 = 0, md5(n::text) || md5(%(part)s || '/' || n), made.at,
       CASE WHEN n %% 50 = 7 THEN made.at + interval '1 hour' END
FROM generate_series(0, %(count)s - 1) AS n
CROSS JOIN LATERAL (SELECT now() - make_interval(mins => (%(count)s - n) * 20 + %(part)s) AS at) AS made
JOIN auth_user AS owner ON owner.username = 'owner' || n / 4 * 7 %% %(owners)s
"""
"""Every fourth is of a new agent, in letters: numbers do not tell agents apart. One of 50 is withdrawn."""

_WANTED: Final = """
CREATE TEMPORARY TABLE wanted AS
SELECT n, submission.id AS submission_id, submission.created, b.id AS benchmark_id, b.position, b.uri,
       b.sha256,
       md5('v' || %(part)s || '/' || CASE WHEN n %% 10 = 9 THEN n - 1 ELSE n END || '/' || b.position)::uuid
           AS verification_id,
       n %% 10 = 9 AS shares,
       round((80 + 4000.0 / (50 + n %% 997) + hashint4(n * 7919 + b.position) %% 7 / 10.0)::numeric, 1)
           AS value,
       CASE WHEN n >= %(count)s - %(queued)s AND b.position %% 3 > 0 THEN 'pending'
            WHEN submission.withdrawn_at IS NOT NULL THEN 'withdrawn'
            WHEN n %% 50 = 11 AND b.position %% 10 = 0 THEN 'refuted'
            WHEN n %% 50 = 12 AND b.position %% 10 = 1 THEN 'quarantined'
            WHEN n %% 50 = 13 AND b.position %% 7 = 0 THEN 'failed'
            WHEN n %% 50 = 14 THEN 'refuted' ELSE 'verified' END AS verdict,
       (SELECT jsonb_agg((n * 31 + b.position * 7 + step * step) %% 100)
        FROM generate_series(1, %(actions)s) AS step) AS actions
FROM generate_series(0, %(count)s - 1) AS n
JOIN leaderboard_submission AS submission ON submission.id = md5('s' || %(part)s || '/' || n)::uuid
JOIN datasets_benchmark AS b ON b.version_id = %(version)s
"""
"""One row for each item. One of ten submissions repeats the one before, and shares its replays."""

_VERIFICATIONS: Final = """
INSERT INTO runner_verification (id, environment_version_id, environment_digest, benchmark_id, benchmark_uri,
    benchmark_sha256, actions, actions_sha256, hardware_class, state, reason, detail, attempt, last_seq,
    available_at, worker, progress_phase, progress_done, progress_total, result, metrics, sandbox, created_at,
    finished_at)
SELECT verification_id, %(environment)s, %(digest)s, benchmark_id, uri, sha256, actions,
       md5(verification_id::text) || md5(actions::text), %(hardware)s,
       CASE verdict WHEN 'pending' THEN 'queued' WHEN 'refuted' THEN 'failed' WHEN 'failed' THEN 'failed'
                    ELSE 'recorded' END,
       CASE verdict WHEN 'refuted' THEN 'semantics:output-differs' WHEN 'failed' THEN 'infra:internal'
                    ELSE '' END,
       '', 0, CASE verdict WHEN 'pending' THEN 1 ELSE 4 END, created, 'celery@host', '', 0, 0,
       CASE WHEN verdict IN ('verified', 'quarantined', 'withdrawn') THEN jsonb_build_object(
           'version', 2, 'environment', 'llvm-ic-v0', 'digest', %(digest)s, 'benchmark', uri,
           'benchmark_sha256', sha256, 'actions', actions, 'ok', true, 'reason', NULL, 'detail', '',
           'failed_step', NULL, 'initial', jsonb_build_object('digest', 'd', 'cost', 400),
           'steps', jsonb_build_array(jsonb_build_object('index', 0, 'action', 1, 'name', 'mem2reg',
               'had_no_effect', false, 'digest', 'd', 'cost', value)),
           'metrics', jsonb_build_object('ir_instructions', value), 'workloads', '[]'::jsonb,
           'walltime', 0.5, 'sandbox', '{}'::jsonb) END,
       CASE WHEN verdict IN ('verified', 'quarantined', 'withdrawn')
            THEN jsonb_build_object('ir_instructions', value, 'text_size_bytes', value * 3) END,
       '{}', created, CASE WHEN verdict <> 'pending' THEN created + interval '5 minutes' END
FROM wanted WHERE NOT shares
"""

_EVENTS: Final = """
INSERT INTO runner_verificationevent (verification_id, seq, from_state, to_state, actor, reason, detail, at)
SELECT verification_id, seq, CASE seq WHEN 1 THEN '' WHEN 2 THEN 'queued' ELSE 'measuring' END,
       CASE seq WHEN 1 THEN 'queued' WHEN 2 THEN 'leased' WHEN 3 THEN
           CASE WHEN verdict IN ('refuted', 'failed') THEN 'failed' ELSE 'recorded' END END,
       'worker', '', '', created + make_interval(mins => seq)
FROM wanted, generate_series(1, 3) AS seq WHERE NOT shares AND (seq = 1 OR verdict <> 'pending')
"""

_ITEMS: Final = """
INSERT INTO leaderboard_submissionitem (submission_id, position, benchmark_id, benchmark_uri, actions,
    actions_sha256, commandline, claims, claim_status, verification_id, verdict, reason, detail, value, ratio,
    log_ratio, effective_actions, decided_at, state_sha256, own)
SELECT submission_id, position, benchmark_id, uri, actions,
       md5(verification_id::text) || md5(actions::text), 'opt ' || repeat('-mem2reg ', %(actions)s),
       jsonb_build_object('ir_instructions', value), '{}', verification_id, verdict,
       CASE verdict WHEN 'refuted' THEN 'semantics:output-differs' WHEN 'failed' THEN 'infra:internal'
                    WHEN 'quarantined' THEN 'policy:implausible' WHEN 'withdrawn' THEN 'user:withdrawn'
                    ELSE '' END,
       '', CASE WHEN measured THEN value END, CASE WHEN measured THEN 100 / value END,
       CASE WHEN measured THEN ln(100 / value) END, CASE WHEN measured THEN 1 END,
       CASE WHEN verdict <> 'pending' THEN created + interval '5 minutes' END,
       CASE WHEN verdict = 'verified' THEN md5(verification_id::text) || md5(uri) ELSE '' END,
       CASE WHEN verdict = 'verified' THEN NOT shares END
FROM wanted CROSS JOIN LATERAL (SELECT verdict IN ('verified', 'quarantined') AS measured) AS found
ORDER BY n, position
"""

_FINDS: Final = """
INSERT INTO leaderboard_find (state_sha256, owner_id, item_id, submitted_at, found_at)
SELECT item.state_sha256, submission.owner_id, item.id, submission.created, item.decided_at
FROM leaderboard_submissionitem AS item
JOIN leaderboard_submission AS submission ON submission.id = submission_id
WHERE own AND submission_id IN (SELECT submission_id FROM wanted)
ON CONFLICT DO NOTHING
"""

_RECORDS: Final = """
INSERT INTO leaderboard_boardrecord (board_id, item_id, benchmark_uri, former_ratio, at)
SELECT %(board)s, id, benchmark_uri, former, decided_at
FROM (
    SELECT id, benchmark_uri, ratio, decided_at, max(ratio) OVER (
        PARTITION BY benchmark_uri ORDER BY decided_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS former
    FROM leaderboard_submissionitem
    WHERE own AND submission_id IN (SELECT submission_id FROM wanted)
) AS found
WHERE former IS NULL OR ratio > former
"""

_DEMANDS: Final = """
INSERT INTO runner_demand (verification_id, payer_id, hardware_class, created_at, waiting, available_at,
    seconds)
SELECT verification_id, payer.id, %(hardware)s, min(wanted.created), true, min(wanted.created), 1.5
FROM wanted
JOIN leaderboard_submission AS submission ON submission.id = wanted.submission_id
JOIN runner_payer AS payer ON payer.name = 'user:' || submission.owner_id
WHERE verdict = 'pending'
GROUP BY verification_id, payer.id ORDER BY min(n), min(position)
"""

_OF_A_BOARD: Final = (
    _SUBMISSIONS,
    _WANTED,
    _VERIFICATIONS,
    _EVENTS,
    _ITEMS,
    _FINDS,
    _RECORDS,
    _DEMANDS,
)
