"""Read records, how the best results rose over time, and who found a sequence first."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, QuerySet, Window
from django.db.models.functions import Coalesce
from django.utils import timezone

from datasets.site.charts import Bin, bins_of
from leaderboard.boards.queries import board_metric
from leaderboard.boards.ranking import BOARD_ORDER, ratio_interval
from leaderboard.boards.standings import UNSHOWN_OF_A_BOARD, BoardChoice
from leaderboard.common.addresses import submission_address
from leaderboard.models import Board, BoardRecord, Find, Standing, SubmissionItem
from optarena.specs import Metric
from optarena.specs.results import MISMATCH
from runner.database import read_rows

Verdict = SubmissionItem.Verdict
_FIRST: Final = "first_find"
_READABLE: Final = "is_readable"
ITEM_ERROR: Final = ("item__log_ratio", "item__log_variance", "item__log_freedom")
# Of equal results, as `verdicts` compares them, the one that was submitted first.
_FIRST_FINDS: Final = """
SELECT item.id, first.id FROM leaderboard_submissionitem AS item
JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
JOIN leaderboard_board AS board ON board.id = submission.board_id
LEFT JOIN runner_verification AS replay ON replay.id = item.verification_id
CROSS JOIN LATERAL (
    SELECT find.id FROM (
        (SELECT id, submitted_at FROM leaderboard_find
         WHERE own AND item_id IS NOT NULL AND state_sha256 = item.state_sha256
         ORDER BY submitted_at, id LIMIT 1)
        UNION ALL
        (SELECT id, submitted_at FROM leaderboard_find
         WHERE board.exact AND own AND item_id IS NOT NULL AND program_sha256 = replay.benchmark_sha256
            AND metric = board.metric AND ratio = item.ratio
         ORDER BY submitted_at, id LIMIT 1)) AS find
    ORDER BY submitted_at, id LIMIT 1) AS first
WHERE item.id = ANY(%s) AND item.state_sha256 <> ''
"""
_REACHED: Final = """
SELECT item.id FROM leaderboard_submissionitem AS item
JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
JOIN leaderboard_board AS board ON board.id = submission.board_id
JOIN runner_verification AS replay ON replay.id = item.verification_id
WHERE item.id = ANY(%s) AND EXISTS (
    SELECT FROM leaderboard_find AS find
    WHERE find.owner_id = %s AND find.program_sha256 = replay.benchmark_sha256
        AND find.metric = board.metric AND find.ratio >= item.ratio AND find.item_id IS NOT NULL)
"""
_FIND_COLUMNS: Final = (
    *("submitted_at", "found_at", "owner__username"),
    *("item__submission_id", "item__position"),
)
# Verdicts after which an item may still be verified.
_OPEN: Final = (Verdict.PENDING, Verdict.QUARANTINED)


def add_finds(items: Sequence[SubmissionItem]) -> Sequence[SubmissionItem]:
    first = dict(_rows(_FIRST_FINDS, [[item.pk for item in items if item.state_sha256]]))
    found = Find.objects.filter(pk__in=set(first.values())).select_related("owner", "item")
    by_id = {find.pk: find for find in found.only(*_FIND_COLUMNS)} if first else {}
    for item in items:
        vars(item)[_FIRST] = by_id.get(first.get(item.pk, 0))
    return items


def first_find(item: SubmissionItem) -> Find | None:
    # None if the item has no credit, or no find stands.
    if _FIRST not in vars(item):
        add_finds([item])
    found: Find | None = vars(item)[_FIRST]
    return found


def add_reading(
    items: Sequence[SubmissionItem], viewer: User | AnonymousUser | None
) -> Sequence[SubmissionItem]:
    """Look up once which items a viewer may read; ``may_read_actions`` then asks nothing."""
    now, closed = timezone.now(), []
    for item in items:
        is_open = item.opens_at is not None and item.opens_at <= now
        is_above_all = viewer is not None and (viewer.is_staff or viewer.pk == item.submission.owner_id)
        may_read = is_above_all or (is_open and (item.own is not None or is_over(item)))
        vars(item)[_READABLE] = may_read
        if item.own is not None and not may_read:
            closed.append(item)
    if closed and viewer is not None and viewer.pk:
        reached = {pk for (pk,) in _rows(_REACHED, [[item.pk for item in closed], viewer.pk])}
        for item in closed:
            vars(item)[_READABLE] = item.pk in reached
    return items


def may_read_actions(item: SubmissionItem, viewer: User | AnonymousUser | None) -> bool:
    """Whether a viewer may read an item's sequence; nothing that tells it may be shown otherwise.

    Its owner and reviewers always may; so may those who have reached something at least as good on its
    program, and everybody once it is open. One that failed for good opens likewise.
    """
    if _READABLE not in vars(item):
        add_reading([item], viewer)
    return bool(vars(item)[_READABLE])


def why_closed(item: SubmissionItem, viewer: User | AnonymousUser | None) -> str:
    # Empty if the viewer may read it.
    if may_read_actions(item, viewer):
        return ""
    if item.opens_at is None:
        return "Only its owner can read its sequence: it is not verified."
    return (
        f"Its sequence opens on {item.opens_at:%Y-%m-%d}; before that, whoever has verified a result at "
        "least as good can read it."
    )


def is_over(item: SubmissionItem) -> bool:
    # It failed for good. If only the claim was refuted, the result is good, and nobody's find yet. Details of
    # failures may name actions, too.
    undecided = item.verdict in _OPEN or item.reason.startswith("infra:") or item.reason == MISMATCH
    return not undecided and item.verdict not in {Verdict.WITHDRAWN, Verdict.VERIFIED}


def _rows(query: str, given: Sequence[Any]) -> list[tuple[Any, ...]]:
    return read_rows(query, given) if given[0] else []


_BINS: Final = 12
# Told in full; a chart has all.
RECORDS_OF_RESULTS: Final = 10
_RESULTS: Final = """
WITH found AS MATERIALIZED (
    SELECT submission.board_id AS board, item.id, item.ratio, item.decided_at, item.state_sha256
    FROM leaderboard_submissionitem AS item
    JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
    WHERE item.benchmark_uri = %(uri)s AND item.verdict = 'verified'
), summary AS (
    SELECT board, count(*) AS verified, min(ratio) AS low, max(ratio) AS high FROM found GROUP BY board
), distinct_states AS (
    -- By hashes; count(DISTINCT) would sort.
    SELECT board, count(*) AS states FROM (SELECT DISTINCT board, state_sha256 FROM found) AS one GROUP BY 1
), bests AS (
    SELECT DISTINCT ON (board) board, found.id AS best FROM found JOIN summary USING (board)
    WHERE ratio = high ORDER BY board, decided_at, found.id
), counted AS (
    -- The greatest value belongs to the last bin.
    SELECT board, least(width_bucket(ratio, low, high, %(bins)s), %(bins)s) AS bin, count(*) AS number
    FROM found JOIN summary USING (board) WHERE low < high GROUP BY 1, 2
)
SELECT board, best, verified, states, low, high, array_agg(bin), array_agg(number)
FROM summary JOIN distinct_states USING (board) JOIN bests USING (board) LEFT JOIN counted USING (board)
GROUP BY 1, 2, 3, 4, 5, 6
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkResults:
    board: Board
    metric: Metric
    # The earliest of several. It may be a copy: of measured results the luckiest one is the best.
    best: SubmissionItem
    first_by: Find | None
    verified: int
    # Final states.
    distinct: int
    bins: tuple[Bin, ...]
    # The best ratio from each moment on, by all records that stand.
    history: tuple[tuple[datetime, float], ...]
    records: tuple[BoardRecord, ...]


def list_records(*, board: Board | None = None, uri: str = "", owner: str = "") -> QuerySet[BoardRecord]:
    found = BoardRecord.objects.filter(item__verdict=Verdict.VERIFIED, item__own=True)
    found = found.select_related("board", "item__submission__owner", "item__benchmark")
    found = found.defer("item__actions", "item__submission__description", "board__benchmarks")
    if board is not None:
        found = found.filter(board=board)
    if uri:
        found = found.filter(benchmark_uri=uri)
    if not owner:
        return found.order_by("-at", "-pk")
    # Not by the index of all records: of one owner there may be few, far from its beginning.
    found = found.filter(item__submission__owner__username=owner)
    return found.order_by(Coalesce("at", "at").desc(), "-pk")


@dataclass(frozen=True)
class NewestRecords:
    # Only keys are read of the list; a slice has the records.
    listed: QuerySet[BoardRecord]
    most: int

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, part: slice) -> list[BoardRecord]:
        found = list_records().in_bulk(self._keys[part])
        return [found[key] for key in self._keys[part] if key in found]

    @cached_property
    def _keys(self) -> list[int]:
        return list(self.listed.values_list("pk", flat=True)[: self.most])


def better_records(number: int, *, among: int) -> list[BoardRecord]:
    # Than the reference, by more than chance explains; a first result is a record, too.
    newest = list_records().values_list("pk", "item__ratio", *ITEM_ERROR)[:among]
    better = [key for key, ratio, *error in newest if ratio_interval(ratio or 0.0, *error)[0] > 1][:number]
    return list(list_records().filter(pk__in=better))


def newest_records_of(owner: User, number: int) -> tuple[list[BoardRecord], int]:
    listed = list_records(owner=owner.username).annotate(total=Window(Count("pk")))
    rows = list(listed.values_list("pk", "total")[:number])
    records = list_records().filter(pk__in=[key for key, _ in rows])
    return list(records), rows[0][1] if rows else 0


def benchmark_results(uri: str) -> list[BenchmarkResults]:
    rows = {board: row for board, *row in read_rows(_RESULTS, {"uri": uri, "bins": _BINS})}
    if not rows:
        return []
    known = Board.objects.filter(pk__in=rows).select_related("dataset_version", "environment_version")
    boards = list(known.defer(*UNSHOWN_OF_A_BOARD).order_by("slug"))
    best = (
        SubmissionItem.objects.select_related("submission__owner", "benchmark")
        .defer("submission__description")
        .in_bulk([row[0] for row in rows.values()])
    )
    add_finds(list(best.values()))
    for board in boards:
        best[rows[board.pk][0]].submission.board = board
    history, records = _records(uri)
    return [
        BenchmarkResults(
            board=board,
            metric=board_metric(board),
            best=best[rows[board.pk][0]],
            first_by=first_find(best[rows[board.pk][0]]),
            verified=rows[board.pk][1],
            distinct=rows[board.pk][2],
            bins=_bins(*rows[board.pk][3:]),
            history=tuple(history[board.pk]),
            records=tuple(records[board.pk]),
        )
        for board in boards
    ]


def _records(uri: str) -> tuple[dict[int, list[tuple[datetime, float]]], dict[int, list[BoardRecord]]]:
    rows = list(list_records(uri=uri).order_by("at", "pk").values_list("board_id", "pk", "at", "item__ratio"))
    history, keys = defaultdict(list), defaultdict(list)
    for board, key, at, ratio in rows:
        history[board].append((at, ratio or 0.0))
        keys[board].append(key)
    newest = {key for of_board in keys.values() for key in of_board[-RECORDS_OF_RESULTS:]}
    records = defaultdict(list)
    for record in list_records().filter(pk__in=newest).order_by("at", "pk"):
        records[record.board_id].append(record)
    return history, records


def _bins(low: float, high: float, places: Sequence[int | None], numbers: Sequence[int]) -> tuple[Bin, ...]:
    # None where all ratios are equal.
    if low == high:
        return ()
    counts, step = dict(zip(places, numbers, strict=True)), (high - low) / _BINS
    edges = [
        (low + step * one, low + step * (one + 1), float(counts.get(one + 1, 0))) for one in range(_BINS)
    ]
    return bins_of(edges, "{:.4f}".format)


_MOST_EFFORTS: Final = 40
# Of so many of the best entries those are shown that report their effort.
_COMPARED: Final = 80
# An index has the times and scores of all entries that can have a rank; nothing else is read of them.
_NOW: Final = """
SELECT ranked_at, score, submission_id{error} FROM leaderboard_standing
WHERE board_id = %(board)s AND rankable AND ranked_at IS NOT NULL
"""
# Standings change, and go; the periods of a moment stay as they are.
_PAST: Final = """
SELECT ranked_at, score, submission_id{error} FROM (
    SELECT score, submission_id, until, rankable, log_variance, log_freedom,
        min(since) FILTER (WHERE rankable) OVER (PARTITION BY submission_id) AS ranked_at
    FROM leaderboard_standingperiod WHERE board_id = %(board)s AND since <= %(until)s) AS period
WHERE rankable AND (until IS NULL OR until > %(until)s)
"""
_RISES: Final = """
SELECT last.ranked_at, last.score, last.submission_id, submission.agent, owner.username FROM (
    SELECT * FROM (
        SELECT ranked_at, score, submission_id,
            max(score) OVER (ORDER BY ranked_at, score DESC, submission_id
                             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS former
        FROM ({entries}) AS entry) AS rise
    WHERE former IS NULL OR score > former ORDER BY ranked_at DESC LIMIT %(shown)s) AS last
JOIN leaderboard_submission AS submission ON submission.id = last.submission_id
JOIN auth_user AS owner ON owner.id = submission.owner_id
ORDER BY last.ranked_at DESC
"""
_MEASURED: Final = """
SELECT entry.ranked_at, entry.score, entry.submission_id, submission.agent, owner.username,
    ln(entry.score), entry.log_variance, entry.log_freedom
FROM ({entries}) AS entry
JOIN leaderboard_submission AS submission ON submission.id = entry.submission_id
JOIN auth_user AS owner ON owner.id = submission.owner_id
WHERE entry.log_freedom IS NOT NULL
ORDER BY entry.ranked_at, entry.score DESC, entry.submission_id
"""


@dataclass(frozen=True, slots=True)
class Rise:
    # An entry that was better than all before it, when it was verified.
    at: datetime
    score: float
    submission: uuid.UUID
    agent: str
    owner: str

    @property
    def page(self) -> str:
        return submission_address("leaderboard:submission", self.submission)


def best_over_time(board: Board, *, until: datetime | None = None) -> list[Rise]:
    # Oldest first; the last ones if there are many. Those that were withdrawn or refuted until the moment are
    # left out, as if they had never been, and the scores are those of that moment.
    error = "" if board.exact else ", log_variance, log_freedom"
    entries = (_NOW if until is None else _PAST).format(error=error)
    given = {"board": board.pk, "until": until, "shown": _MOST_EFFORTS}
    rows = read_rows((_RISES if board.exact else _MEASURED).format(entries=entries), given)
    if board.exact:
        return [Rise(*row) for row in reversed(rows)]
    return list(_measured_rises(rows))[-_MOST_EFFORTS:]


def _measured_rises(rows: Iterable[Sequence[Any]]) -> Iterator[Rise]:
    # The interval of each score is wholly above that of the rise before.
    best, high = 0.0, 0.0
    for at, score, *entry, log, variance, freedom in rows:
        if score <= best:
            continue
        low, upper = ratio_interval(score, log, variance, freedom)
        if low > high:
            best, high = score, upper
            yield Rise(at, score, *entry)


@dataclass(frozen=True, slots=True)
class Effort:
    score: float
    agent: str
    compilations: int


def efforts(board: Board, choice: BoardChoice) -> list[Effort]:
    # Filters hold for them. Of a moment in the past there are none.
    if choice.as_of is not None:
        return []
    rows = Standing.objects.filter(board=board, pending=0, leading=True, rankable=True)
    first = choice.filtered(rows).order_by(*BOARD_ORDER).values("submission_id")[:_COMPARED]
    found = Standing.objects.filter(
        board=board, submission__in=first, submission__compilations__isnull=False
    ).order_by(*BOARD_ORDER)
    shown = ("score", "submission__agent", "submission__compilations")
    return [Effort(*row) for row in found.values_list(*shown)]
