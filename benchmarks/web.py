"""What the pages and the API's lists cost on a server with a million items.

    python benchmarks/web.py [--submissions 10000] [--repeats N] [--keep FOLDER]

It fills its own PostgreSQL with 10,000 submissions of 1,000,000 items and asks the web
server for every page and list over HTTP: the median and the 99th percentile, the queries, and the processor
time of the web server and of PostgreSQL, which other programs on the machine hardly change. Each 99th
percentile is compared with that of a page without rows in the same run. The server keeps no answer
meanwhile: what keeping gives where many ask the same is printed by itself.

With ``--keep`` the folder's database is used again, and filled only if it is empty.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from kit import Cost, WebServer, aim, counted_queries, make_board, milliseconds, scratch_database, show

if TYPE_CHECKING:
    from django.test import Client

    from leaderboard.models import Board, Submission

AIM_TIMES: Final = 6.0  # as long as the page without rows
WITHOUT_ROWS: Final = "page: submissions ?agent=nobody"
_WARM_UP: Final = 3
_KEEPING: Final = "OPTARENA_KEPT_ANSWERS_SECONDS"


@dataclass(frozen=True)
class Address:
    name: str
    path: str
    owner: str = ""


def addresses() -> list[Address]:
    from leaderboard.models import Submission  # noqa: PLC0415 - needs Django

    def newest(board: str, **chosen: object) -> Submission:
        return Submission.objects.filter(board__slug=board, **chosen).latest("created")

    found = [Address("page: /", "/"), *(Address(f"page: /{one}", f"/{one}/") for one in _PAGES.split())]
    found += [
        Address(f"page: search for {one}", f"/search/?q={one}") for one in ("agent+hh", "p7", "unranked")
    ]
    found += [Address(f"API: {one}", f"/api/v1/{one}/") for one in _LISTS.split()]
    found += _of_boards()
    for board, size in (("popular", "31"), ("wide", "1,000"), ("widest", "10,000")):
        ended = Submission.objects.filter(board__slug=board, withdrawn_at__isnull=True).earliest("created")
        found += _of_submission(ended, f"of {size} items")
    waiting = Submission.objects.filter(items__verdict="pending").latest("created")
    found += _of_submission(waiting, "that waits")
    found.append(Address("page: submission, last items", f"{ended.get_absolute_url()}?page=200"))
    one = newest("popular").owner.username
    filters = "?board=popular", f"?owner={one}", "?agent=agent+hh", "?agent=nobody", "?page=400", "?page=200"
    found += [Address(f"page: submissions {query}", f"/submissions/{query}") for query in filters]
    found += [
        Address(f"API: submissions {query}", f"/api/v1/submissions/{query}")
        for query in ("", *filters[:4], "?page_size=100")
    ]
    found.append(Address("page: submissions ?mine=1", "/submissions/?mine=1", one))
    return [*found, *_of_people(one, newest("popular").agent), *_of_comparisons()]


def _of_people(one: str, agent: str) -> Iterator[Address]:
    api, named = f"/api/v1/users/{one}/", quote(agent)
    yield Address("page: person", f"/users/{one}/")
    yield Address("page: agent", f"/users/{one}/agent/?name={named}")
    yield Address("page: records of a person", f"/records/?owner={one}")
    yield Address("API: person", api)
    yield Address("API: agents", f"{api}agents/")
    yield Address("API: entries of an agent", f"{api}entries/?agent={named}")


def _of_comparisons() -> Iterator[Address]:
    from leaderboard.models import Standing  # noqa: PLC0415 - needs Django

    for board, size in (("popular", "31"), ("wide", "1,000"), ("widest", "10,000")):
        best = Standing.objects.filter(board__slug=board).order_by("-score")[:2]
        query = "&".join(f"entry={one}" for one in best.values_list("submission", flat=True))
        query += "&entry=level:Oz&entry=virtual-best"
        yield Address(f"page: comparison on {size} programs", f"/compare/?{query}")
        yield Address(f"API: comparison on {size} programs", f"/api/v1/compare/?{query}")


_PAGES: Final = (
    "boards submissions queue environments datasets datasets/wide-v0 datasets/widest-v0 "
    "datasets/widest-v0/777 datasets/popular-v0/7 records records/feed runners docs docs/submitting"
)
_LISTS: Final = (
    "boards queue environments datasets records runners datasets/wide-v0 datasets/widest-v0/benchmarks "
    "datasets/popular-v0/benchmarks/7/results"
)


def _of_boards() -> Iterator[Address]:
    from django.utils import timezone  # noqa: PLC0415 - needs Django

    for slug, pages in (("popular", (1, 2, 30, 59)), ("wide", (1,)), ("widest", (1,))):
        for number in pages:
            yield Address(f"page: board {slug}, page {number}", f"/boards/{slug}/?page={number}")
    for query in (
        *("sort=-own_items", "sort=agent&page=100", "sort=-contribution", "effort=many", "text=nobody"),
        *("owner=owner93&sort=score", f"as_of={timezone.now():%Y-%m-%d}"),
    ):
        yield Address(f"page: board popular ?{query}", f"/boards/popular/?{query}")
    for slug in ("popular", "widest"):
        yield Address(f"page: board {slug}, program by program", f"/boards/{slug}/programs/?page=9")
    yield Address("API: board popular, program by program", "/api/v1/boards/popular/programs/")
    yield Address("page: board popular, every entry", "/boards/popular/?all=1")
    yield Address("page: board popular, every entry, page 235", "/boards/popular/?all=1&page=235")
    standings = "/api/v1/boards/popular/standings/"
    yield Address("API: board popular", "/api/v1/boards/popular/")
    yield Address("API: standings, first page", standings)
    yield Address("API: standings, every entry, 100 rows", f"{standings}?all=1&page_size=100")
    yield Address("API: standings, every entry, deep", f"{standings}?all=1&cursor=bz01ODAw")


def _of_submission(one: Submission, what: str) -> list[Address]:
    own, api = f"/submissions/{one.pk}/", f"/api/v1/submissions/{one.pk}/"
    return [
        Address(f"page: submission {what}", own),
        Address(f"page: its progress, {what}", f"{own}progress/"),
        Address(f"page: item of one {what}", f"{own}items/7/"),
        Address(f"API: submission {what}", api),
        Address(f"API: items of one {what}", f"{api}items/"),
        Address(f"API: item of one {what}", f"{api}items/7/"),
    ]


def pages(asked: Sequence[Address], repeats: int) -> None:
    clients = {owner: _client(owner) for owner in {one.owner for one in asked}}
    queries = {one: _queries(clients[one.owner], one.path) for one in asked}
    cookies = {owner: client.cookies.output([], "", ";").strip() for owner, client in clients.items()}
    taken: dict[Address, list[Cost]] = {one: [] for one in asked}
    os.environ[_KEEPING] = "0"
    with WebServer() as server:
        warm_up = min(_WARM_UP, repeats)
        for turn in range(repeats + warm_up):
            for one in asked:
                cost = server.ask(one.path, cookies[one.owner])
                if turn >= warm_up:
                    taken[one].append(cost)
    print(f"pages and lists over HTTP: p50 and p99 of {repeats}; processor time of web server + PostgreSQL")
    met = 0
    lasts = {
        one.name: sorted(cost.wall for cost in taken[one])[math.ceil(repeats * 0.99) - 1] for one in asked
    }
    for one in asked:
        last = lasts[one.name]
        times = last / lasts[WITHOUT_ROWS]
        met += times <= AIM_TIMES
        busy = " + ".join(
            f"{statistics.median(process):4.1f}"
            for process in zip(*(cost.busy for cost in taken[one]), strict=True)
        )
        remarks = f"p99 {last:6.1f}, {times:4.1f} x; processor {busy}; {queries[one]:2} queries"
        median = statistics.median(cost.wall for cost in taken[one])
        show(one.name, median, f"{remarks}; {aim(times, AIM_TIMES)}")
    print(f"  {met} of {len(asked)} meet the aim")


def visitors(repeats: int) -> None:
    # Popular pages, of a server that keeps answers and of one that does not.
    print("the same page for many visitors, the median: kept for 2 s while no data change, and made anew")
    for path in ("/", "/boards/popular/", "/boards/popular/programs/", "/queue/"):
        taken = []
        for seconds in ("0", "2"):
            os.environ[_KEEPING] = seconds
            with WebServer() as server:
                for _ in range(_WARM_UP):
                    server.ask(path)
                taken.append(statistics.median(server.ask(path).wall for _ in range(repeats)))
        anew, kept = taken
        show(path, kept, f"{anew:.1f} ms anew; {anew / kept:.1f} times as many visitors")


def _client(owner: str) -> Client:
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django
    from django.test import Client  # noqa: PLC0415 - as above

    client = Client()
    if owner:
        client.force_login(User.objects.get(username=owner))
    return client


def _queries(client: Client, path: str) -> int:
    # Of a page that is made anew, after one that fills caches.
    from django.conf import settings  # noqa: PLC0415 - needs Django

    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 0
    client.get(path)
    with counted_queries() as queries:
        response = client.get(path)
    if response.status_code != HTTPStatus.OK:
        raise SystemExit(f"{path}: {response.status_code} {response.content[:500]!r}")
    return len(queries)


OWNERS: Final = 200
QUEUED_SUBMISSIONS: Final = 80  # the newest submissions, two thirds of whose replays wait
ACTIONS: Final = 24
HARDWARE_CLASS: Final = "x86_64-cpu"


@dataclass(frozen=True)
class Part:
    name: str
    programs: int
    share: float  # of all submissions


PARTS: Final = (
    Part("popular", 31, 0.60),
    Part("middle", 61, 0.348),
    Part("wide", 1_000, 0.05),
    Part("widest", 10_000, 0.001),
    Part("quiet", 31, 0.001),
)


def seed(submissions: int) -> dict[str, Board]:
    # A hundred times as many items as submissions, which are 1,000 or more.
    from django.db import connection  # noqa: PLC0415 - needs Django

    from leaderboard.boards.services import rebuild_boards  # noqa: PLC0415 - as above

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

# It stays live for as long as a database is kept.
_RUNNER: Final = """
INSERT INTO runner_runner (name, hardware_class, fingerprint, versions, processes, started_at, seen_at)
VALUES ('celery@host', %s, '{"cpu": "a processor", "cores": 2, "kernel": "6.1"}', '{}', 2, now(),
        now() + interval '10 years')
"""

# Every fourth is of a new agent, in letters: numbers do not tell agents apart. One of 50 is withdrawn.
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

# One row for each item. One of ten submissions repeats the one before, and shares its replays.
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
INSERT INTO leaderboard_find (state_sha256, metric, owner_id, program_sha256, ratio, item_id, own,
    submitted_at, found_at, opens_at)
SELECT item.state_sha256, 'ir_instructions', submission.owner_id, program.sha256, item.ratio, item.id, true,
       submission.created, item.decided_at, item.decided_at + interval '30 days'
FROM leaderboard_submissionitem AS item
JOIN leaderboard_submission AS submission ON submission.id = submission_id
JOIN datasets_benchmark AS program ON program.id = item.benchmark_id
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

_OF_A_BOARD: Final = (_SUBMISSIONS, _WANTED, _VERIFICATIONS, _EVENTS, _ITEMS, _FINDS, _RECORDS, _DEMANDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--submissions", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    print(f"web, {os.cpu_count()} processors, Python {platform.python_version()}, with its own PostgreSQL")
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f}")
    with scratch_database(given.keep):
        from leaderboard.models import Board  # noqa: PLC0415 - needs Django

        if not Board.objects.filter(slug=PARTS[0].name).exists():
            show("filling the database", milliseconds(lambda: seed(given.submissions)) / 1000, unit="s ")
        print("; ".join(f"{number:,} {name}" for name, number in counts().items()))
        pages(addresses(), given.repeats)
        visitors(given.repeats)
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
