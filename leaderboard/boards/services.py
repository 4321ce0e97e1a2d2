"""Write boards and their standings: load a board, check what it compares, keep the figures of entries.

Only the entries of which an item got a verdict are written; places and ranks are computed when somebody reads
(``boards.standings``). An item that ends changes the totals of its entry by what it counts itself. The totals
are exact, so the figures are those that a rebuild gives. Every writer holds the board's row lock until its
transaction ends, and a reader sees an entry's figures and the best of its agent change together.
"""

from __future__ import annotations

import itertools
import re
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import BooleanField, Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.utils import timezone

from datasets.models import Baseline, Benchmark, DatasetVersion
from datasets.selectors import find_benchmark
from leaderboard.boards import ranking
from leaderboard.boards.queries import board_scale
from leaderboard.boards.ranking import ENTRY_PREFERENCE, BoardScale, Counted, Totals
from leaderboard.boards.standings import first_missing
from leaderboard.common.rows import update_rows
from leaderboard.models import UNOPTIMISED_LEVEL, Board, Standing, Submission, SubmissionItem
from leaderboard.people.agent_names import family
from leaderboard.records import services as record_services
from optarena import limits
from optarena.datasets import datasets
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import (
    BoardSpec,
    EnvironmentSpec,
    Metric,
    board_specs,
    environment_spec,
    portable_board_specs,
    withdrawn_board_specs,
)
from optarena.specs.benchmark import BenchmarkUri
from runner import conf
from runner.database import read_rows
from runner.errors import UnknownDeviceError
from runner.models import EnvironmentVersion
from runner.queue.wakeups import sync_environment_versions


def metric_of(spec: EnvironmentSpec, field: str, name: str) -> Metric:
    found = next((one for one in spec.metrics if one.name == name), None)
    if found is None:
        message = f"Environment {spec.slug} has no metric {name}."
        remedy = f"Metrics: {', '.join(one.name for one in spec.metrics)}."
        raise UnknownName(message, field=field, value=name, remedy=remedy)
    return found


def check_comparison(definition: BoardSpec, spec: EnvironmentSpec, dataset: DatasetVersion) -> None:
    if bool(definition.baseline_level) == bool(definition.reference_metric):
        raise InvalidInput(
            f"Board {definition.slug} has the baseline level {definition.baseline_level!r} and the reference "
            f"metric {definition.reference_metric!r}.",
            field="reference_metric",
            value=definition.reference_metric,
            remedy="Name exactly one of the two, which stands for a ratio of 1.",
        )
    try:
        conf.hardware_class(definition.device)
    except UnknownDeviceError as error:
        message = f"Board {definition.slug} needs a device that no runner has. {error}"
        raise InvalidInput(
            message, field="device", value=definition.device, remedy="Name one of these devices."
        ) from error
    uris = _benchmarks(definition, dataset)
    if not definition.reference_metric:
        _check_baselines(definition, dataset, uris)
        return
    metric = metric_of(spec, "metric", definition.metric)
    reference = metric_of(spec, "reference_metric", definition.reference_metric)
    if (metric.unit, metric.lower_is_better) != (reference.unit, reference.lower_is_better):
        raise InvalidInput(
            f"Board {definition.slug} compares {metric.name} with {reference.name}, which has another unit "
            "or direction.",
            field="reference_metric",
            value=reference.name,
            remedy=f"Name a metric in {metric.unit}.",
        )


def _benchmarks(definition: BoardSpec, dataset: DatasetVersion) -> Sequence[str]:
    if not definition.benchmarks:
        stored = dataset.benchmarks.filter(kind=Benchmark.Kind.STORED).order_by("position")
        uris = list(stored.values_list("uri", flat=True))
        if not uris:
            message = f"Board {definition.slug} lists no benchmark, and {dataset.name} has ranges only."
            remedy = "List the members of its ranges that the board compares."
            raise InvalidInput(message, field="benchmarks", remedy=remedy)
        return uris
    for uri in definition.benchmarks:
        found = find_benchmark(uri)
        if found is None or found.version_id != dataset.pk or uri != str(BenchmarkUri.parse(uri)):
            message = f"Board {definition.slug} lists {uri}, which is not a benchmark of {dataset.name}."
            remedy = "List canonical URIs of the board's own dataset."
            raise InvalidInput(message, field="benchmarks", value=uri, remedy=remedy)
        if found.is_generated:
            # Their hashes identify verifications, and are known only once a program was generated.
            message = f"Board {definition.slug} lists {uri}, whose program is generated."
            remedy = "Use stored programs: publish the generated ones as a dataset."
            raise InvalidInput(message, field="benchmarks", value=uri, remedy=remedy)
    if len(set(definition.benchmarks)) < len(definition.benchmarks):
        raise InvalidInput(
            f"Board {definition.slug} lists a benchmark twice.", field="benchmarks", remedy="List each once."
        )
    return definition.benchmarks


def _check_baselines(definition: BoardSpec, dataset: DatasetVersion, uris: Sequence[str]) -> None:
    for level in (UNOPTIMISED_LEVEL, definition.baseline_level):
        recorded = Baseline.objects.filter(
            benchmark__version=dataset, metric=definition.metric, level=level
        ).values_list("benchmark__uri", flat=True)
        there = set(recorded)
        lacking = next((uri for uri in uris if uri not in there), None)
        if lacking is not None:
            raise InvalidInput(
                f"Board {definition.slug} compares {definition.metric} with level {level}, for which "
                f"{lacking} has no baseline.",
                field="baseline_level",
                value=level,
                remedy="Add it to the dataset's manifest, as a new version, or choose another level.",
            )


# What an open board may change: the one applies to later verdicts, the other hides ranks.
_CHANGEABLE: Final = ("plausible_ratio", "open_after_days", "provisional")


def board_definitions() -> tuple[BoardSpec, ...]:
    instead: dict[str, str] = settings.OPTARENA_BOARD_DATASETS
    found = (replace(one, dataset=instead.get(one.dataset, one.dataset)) for one in board_specs())
    return tuple(map(_shortened, found))


def _shortened(board: BoardSpec) -> BoardSpec:
    sizes: dict[str, int] = settings.OPTARENA_BOARD_PROGRAMS
    if board.slug not in sizes:
        return board
    programs = board.benchmarks or tuple(datasets().find(board.dataset, elsewhere=False).uris())
    every = max(1, len(programs) // sizes[board.slug])  # neighbours are alike: sizes ascend
    return replace(board, benchmarks=programs[::every][: sizes[board.slug]])


def board_datasets() -> tuple[str, ...]:
    compared = [board.dataset for board in board_definitions()]
    drawn_from = [board.dataset for board in portable_board_specs()]
    return tuple(dict.fromkeys([*compared, *drawn_from]))


def load_boards(*, definitions: Sequence[BoardSpec] | None = None) -> list[Board]:
    # A board whose dataset, environment, benchmarks, metric or reference has changed is frozen under a slug
    # that names its dataset if that has changed, else its environment's version. A new board takes its slug,
    # or an earlier frozen one that compares the same. A board without submissions is changed in place.
    sync_environment_versions()
    wanted = (*board_definitions(), *withdrawn_board_specs()) if definitions is None else definitions
    owned = {one.slug for one in wanted}
    found = [
        withdraw_boards(definition=one, owned=owned) if one.withdrawn else [load_board(definition=one)]
        for one in wanted
    ]
    return list(itertools.chain.from_iterable(found))


@transaction.atomic
def load_board(*, definition: BoardSpec) -> Board:
    wanted = _wanted(definition)
    board = Board.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    if board is not None and all(getattr(board, name) == value for name, value in wanted.items()):
        if any(getattr(board, name) != getattr(definition, name) for name in _CHANGEABLE):
            for name in _CHANGEABLE:
                setattr(board, name, getattr(definition, name))
            board.save(update_fields=_CHANGEABLE)
        return board
    if board is not None and board.submissions.exists():
        _retire(board, wanted)
        board = None
    board = _retired(definition.slug, wanted, instead=board) or board or Board(slug=definition.slug)
    board.title = definition.title
    board.description = definition.description
    for name in _CHANGEABLE:
        setattr(board, name, getattr(definition, name))
    for name, value in wanted.items():
        setattr(board, name, value)
    board.save()
    return board


@transaction.atomic
def withdraw_boards(*, definition: BoardSpec, owned: Collection[str]) -> list[Board]:
    # With those that it has replaced, but for the slugs `owned` by other definitions. Returns what it has
    # changed. Without a submission, nobody misses the board; its full lock keeps others from adding one.
    slug, closed = definition.slug, Q(withdrawn=definition.withdrawn, state=Board.State.FROZEN)
    retired = Q(slug__startswith=f"{slug}-", state=Board.State.FROZEN) & ~Q(slug__in=owned)
    rows = Board.objects.select_related("dataset_version", "environment_version").exclude(closed)
    found = []
    for board in rows.select_for_update(of=("self",)).filter(Q(slug=slug) | retired):
        if board.slug != slug and not _is_retired(board, slug):
            continue
        if not board.submissions.exists():
            board.delete()
            continue
        board.withdrawn, board.state = definition.withdrawn, Board.State.FROZEN
        board.save(update_fields=["withdrawn", "state"])
        found.append(board)
    return found


def loaded_dataset(name: str) -> DatasetVersion:
    """The dataset of this name."""
    found = DatasetVersion.objects.filter(name=name).first()
    if found is None:
        remedy = f"Run `manage.py load_dataset {name}` first."
        raise UnknownName(f"Dataset {name} is not loaded.", field="dataset", value=name, remedy=remedy)
    return found


def free_slug(boards: QuerySet[Any], slug: str) -> str:
    """A slug that none of the boards has: this one, or one with a number behind it."""
    names = itertools.chain([slug], (f"{slug}-{number}" for number in itertools.count(2)))
    return next(name for name in names if not boards.filter(slug=name).exists())


def _wanted(definition: BoardSpec) -> dict[str, Any]:
    # The fields that make a board's results comparable: a change of one needs a new board.
    spec = environment_spec(definition.environment)
    dataset = loaded_dataset(definition.dataset)
    metric = metric_of(spec, "metric", definition.metric)
    check_comparison(definition, spec, dataset)
    return {
        "dataset_version": dataset,
        "environment_version": EnvironmentVersion.objects.get(env_id=spec.slug, digest=spec.digest),
        "metric": metric.name,
        "exact": metric.exact,
        "baseline_level": definition.baseline_level,
        "reference_metric": definition.reference_metric,
        "benchmarks": list(definition.benchmarks),
        "device": definition.device,
    }


def _retire(board: Board, wanted: Mapping[str, Any]) -> None:
    digest = f"{board.slug}-{board.environment_version.digest[:8]}"
    named = f"{board.slug}-{board.dataset_version.name}"
    is_named = board.dataset_version != wanted["dataset_version"] and len(named) <= limits.RETIRED_SLUG_LENGTH
    slug = named if is_named else digest
    # Without a new version of either, something else has changed, and perhaps before now.
    board.slug = free_slug(Board.objects.all(), slug)
    board.state = Board.State.FROZEN
    board.save(update_fields=["slug", "state"])


def _is_retired(board: Board, slug: str) -> bool:
    # By its name, as `_retire` makes it.
    ends = (board.dataset_version.name, board.environment_version.digest[:8])
    name = rf"{re.escape(slug)}-({'|'.join(map(re.escape, ends))})(-[0-9]+)?"
    return re.fullmatch(name, board.slug) is not None


def _retired(slug: str, wanted: Mapping[str, Any], *, instead: Board | None) -> Board | None:
    # `instead` has the slug now and no submission: it is deleted.
    rows = Board.objects.select_for_update(no_key=True).filter(**wanted, state=Board.State.FROZEN)
    found = next((row for row in rows.order_by("-pk") if _is_retired(row, slug)), None)
    if found is None:
        return None
    if instead is not None:
        instead.delete()
    found.slug, found.state = slug, Board.State.OPEN
    return found


_PERIOD_COLUMNS: Final = (
    *("agent_group", "rank_group", "best_of_owner", "score", "mean_improvement", "total"),
    *("verified", "copied", "records", "effective_actions", "submitted_at"),
    *("log_variance", "log_freedom", "missing"),
)


def _columns(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in _PERIOD_COLUMNS)


# An entry's first period begins with the last of its verdicts: that is now, but for what a rebuild mends.
# Where it ends the period of its agent's former best, it begins when that ends: of two bests of one agent at
# a moment, both would have a rank. All times are the database's, as those of verdicts are.
_WRITE_PERIODS: Final = f"""
WITH present AS (
    SELECT * FROM leaderboard_standing
    WHERE board_id = %(board)s AND submission_id = ANY(%(submissions)s) AND pending = 0
), closed AS (
    UPDATE leaderboard_standingperiod AS former SET until = statement_timestamp()
    WHERE former.until IS NULL AND former.submission_id = ANY(%(submissions)s) AND NOT EXISTS (
        SELECT 1 FROM present WHERE present.submission_id = former.submission_id
            AND ({_columns("present")}) IS NOT DISTINCT FROM ({_columns("former")}))
    RETURNING former.submission_id, former.rank_group, former.best_of_owner
)
INSERT INTO leaderboard_standingperiod (board_id, submission_id, since, {", ".join(_PERIOD_COLUMNS)})
SELECT present.board_id, present.submission_id,
    CASE WHEN EXISTS (SELECT 1 FROM leaderboard_standingperiod AS former
                      WHERE former.submission_id = present.submission_id)
              OR present.best_of_owner AND EXISTS (
                  SELECT 1 FROM closed
                  WHERE closed.rank_group = present.rank_group AND closed.best_of_owner)
             THEN statement_timestamp()
         ELSE coalesce((SELECT max(decided_at) FROM leaderboard_submissionitem AS item
                        WHERE item.submission_id = present.submission_id), statement_timestamp()) END,
    {_columns("present")}
FROM present
WHERE present.submission_id IN (SELECT submission_id FROM closed) OR NOT EXISTS (
    SELECT 1 FROM leaderboard_standingperiod AS former
    WHERE former.submission_id = present.submission_id AND former.until IS NULL)
"""  # noqa: S608 - of our own constants
_DIFFERING: Final = f"""
SELECT coalesce(present.submission_id, former.submission_id)
FROM (SELECT * FROM leaderboard_standing WHERE board_id = %(board)s AND pending = 0) AS present
FULL JOIN (
    SELECT * FROM leaderboard_standingperiod WHERE board_id = %(board)s AND until IS NULL) AS former
    ON former.submission_id = present.submission_id
WHERE present.submission_id IS NULL OR former.submission_id IS NULL
    OR ({_columns("present")}) IS DISTINCT FROM ({_columns("former")})
"""  # noqa: S608 - of our own constants


def write_periods(*, board: Board, submission_ids: Collection[uuid.UUID]) -> None:
    # The standings are stored already, and the caller holds the board's lock. An entry with replays left, or
    # without a standing, gets no new period.
    if not submission_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(_WRITE_PERIODS, {"board": board.pk, "submissions": sorted(submission_ids)})


def entries_with_wrong_periods(board: Board) -> set[uuid.UUID]:
    # A restored backup of single tables may leave them.
    return {submission for (submission,) in read_rows(_DIFFERING, {"board": board.pk})}


Verdict = SubmissionItem.Verdict

_BATCH: Final = 1_000
# The columns of exact sums, and their names in totals.
_EXACT: Final = {
    "log_total": "logs",
    "improvement_total": "improvements",
    "variance_total": "variances",
    "share_total": "shares",
}
_NUMBERS: Final = ("estimated", "verified", "copied", "records", "pending", "effective_actions")
_SUMS: Final = (*_EXACT, "estimated")
_COUNTS: Final = (
    *("score", "mean_improvement", "log_variance", "log_freedom"),
    *("verified", "copied", "records", "pending", "effective_actions", "missing"),
)
# They depend on the entry alone, not on others.
_ENTRY_COLUMNS: Final = ("agent_group", "rank_group", "total", "submitted_at", *_COUNTS)
_CHANGING: Final = (*_COUNTS, *_SUMS, "built_at", "ranked_at")


def lock_boards(*, board_ids: Collection[int]) -> dict[int, Board]:
    # By ascending id: the last locks that any transaction takes.
    boards = (
        Board.objects.select_for_update(no_key=True, of=("self",))
        .filter(pk__in=board_ids)
        .select_related("environment_version", "dataset_version")
        .order_by("pk")
    )
    return {board.pk: board for board in boards}


def error_of(item: SubmissionItem) -> tuple[float, float] | None:
    if item.log_variance is None or item.log_freedom is None:
        return None
    return item.log_variance, item.log_freedom


def counted(item: SubmissionItem) -> Counted:
    return Counted(
        uri=item.benchmark_uri,
        pending=item.verdict == Verdict.PENDING,
        verified=item.verdict == Verdict.VERIFIED,
        value=item.value,
        log_ratio=item.log_ratio,
        effective_actions=item.effective_actions,
        error=error_of(item),
        copied=item.own is False,
        record=item.is_record and item.own is True,
    )


def add(
    *, board: Board, submission: Submission, items: Collection[SubmissionItem], scale: BoardScale
) -> None:
    # The caller holds the board's lock; `scale` is of all its benchmarks.
    sums = scale.nothing()
    for item in items:
        scale.count(counted(item), sums)
    now = timezone.now()
    row = _row(board, submission, sums, scale, now)
    verified = [item for item in items if item.verdict == Verdict.VERIFIED]
    # Measured boards of a whole dataset have no order here.
    order = board.benchmarks or scale.references
    row.missing = _missing(board, row, order, verified)
    row.save(force_insert=True)
    concerned = _elect(board, [submission.pk]) - {submission.pk}
    if not row.pending:
        concerned.add(submission.pk)
    write_periods(board=board, submission_ids=concerned)
    record_services.write_bests(board=board, items=verified, benchmarks=scale.benchmarks)


def change(
    *, board: Board, items: Collection[SubmissionItem], former: Mapping[int, Counted], scale: BoardScale
) -> None:
    # The caller holds the board's lock. The cost depends on these items, not on others of their entries, nor
    # on the board's other entries. `former` is what each counted before, by its id.
    changed = {item.submission_id for item in items}
    stored = Standing.objects.filter(board=board, submission__in=changed)
    rows = {row.submission_id: row for row in stored}
    sums = {
        key: Totals(
            **{name: ranking.read_exact_sum(getattr(row, column)) for column, name in _EXACT.items()},
            **{name: getattr(row, name) for name in _NUMBERS},
        )
        for key, row in rows.items()
    }
    for item in items:
        if item.submission_id in sums:
            scale.count(former[item.pk], sums[item.submission_id], -1)
            scale.count(counted(item), sums[item.submission_id])
    now = timezone.now()
    ended = {key for key, row in rows.items() if not row.pending}
    for key, row in rows.items():
        _write(row, sums[key], scale, now)
        row.missing = _missing(board, row)
    update_rows(list(rows.values()), _CHANGING, batch_size=_BATCH)
    # An entry whose replays were and are not over has no period.
    ended |= {key for key, row in rows.items() if not row.pending}
    write_periods(board=board, submission_ids=ended | _elect(board, changed))
    record_services.write_bests(board=board, items=items, benchmarks=scale.benchmarks)


def remove(*, board: Board, submission: Submission) -> None:
    # Under the board's lock.
    concerned = _elect(board, [submission.pk], gone=[submission.pk])
    write_periods(board=board, submission_ids={submission.pk, *concerned})
    record_services.forget_bests(board=board, submission=submission)


# The best entry of each group concerned, and the one that is marked. One after the other, both by an index:
# entries with replays left come after all that have ended.
_ELECTION: Final = """
SELECT DISTINCT coalesce(({}), ({})), ({})
FROM leaderboard_standing AS concerned CROSS JOIN (SELECT %s::uuid[] AS gone) AS given
WHERE concerned.board_id = %s AND concerned.submission_id = ANY(%s::uuid[])
"""


@cache
def _election() -> tuple[str, tuple[Any, ...]]:
    # Django takes longer to write it than PostgreSQL to answer.
    board, group = RawSQL("concerned.board_id", ()), RawSQL("concerned.rank_group", ())
    others = Standing.objects.filter(board_id=board, rank_group=group).order_by()
    stays = RawSQL("NOT submission_id = ANY(given.gone)", (), BooleanField())
    preferred = others.filter(stays).order_by(*ENTRY_PREFERENCE)
    parts = (preferred.filter(pending=0), preferred, others.filter(best_of_owner=True))
    written = [part.values_list("submission_id")[:1].query.sql_with_params() for part in parts]
    values = itertools.chain.from_iterable(values for _, values in written)
    return _ELECTION.format(*(sql for sql, _ in written)), tuple(values)


def _elect(
    board: Board, submission_ids: Collection[uuid.UUID], gone: Collection[uuid.UUID] = ()
) -> set[uuid.UUID]:
    # Drops the rows of withdrawn entries, and marks the best entry of every group concerned. Returns those
    # that are the best now and were not, and those that were.
    sql, values = _election()
    elected = read_rows(sql, (*values, list(gone), board.pk, list(submission_ids)))
    changed = [pair for pair in elected if pair[0] != pair[1]]
    if gone:
        Standing.objects.filter(board=board, submission__in=gone).delete()
    if changed:  # in this order: the database lets an agent have only one
        rows = Standing.objects.filter(board=board)
        rows.filter(submission__in=[former for _, former in changed]).update(best_of_owner=False)
        rows.filter(submission__in=[best for best, _ in changed]).update(best_of_owner=True)
    return {one for pair in changed for one in pair if one is not None}


@transaction.atomic
def rebuild_boards(*, board_ids: Collection[int], write: bool = True) -> dict[int, set[uuid.UUID]]:
    # Returns for each board the submissions whose standings, last periods or best results differed, those
    # that should not exist included.
    boards = lock_boards(board_ids=board_ids)
    return {pk: _rebuild(board, write=write) for pk, board in boards.items()}


def _rebuild(board: Board, *, write: bool) -> set[uuid.UUID]:
    rows = _computed(board, Submission.objects.filter(board=board, withdrawn_at__isnull=True))
    best: dict[str, uuid.UUID] = {}
    for row in sorted(rows, key=_preference):
        best.setdefault(row.rank_group, row.submission_id)
    wanted = {row.submission_id: row for row in rows}
    stored = {row.submission_id: row for row in Standing.objects.filter(board=board)}
    for key, row in wanted.items():
        row.best_of_owner = best[row.rank_group] == key
        row.ranked_at = stored[key].ranked_at if key in stored else None
    differing = {key for key in wanted.keys() | stored.keys() if _differ(wanted.get(key), stored.get(key))}
    if write and differing:
        Standing.objects.filter(board=board, submission__in=differing).delete()
        Standing.objects.bulk_create(
            (row for row in rows if row.submission_id in differing), batch_size=_BATCH
        )
    undated = entries_with_wrong_periods(board)
    if write:
        # Entries are rankable since the last of their verdicts.
        last = SubmissionItem.objects.filter(submission=OuterRef("submission"), decided_at__isnull=False)
        decided = Subquery(last.order_by("-decided_at").values("decided_at")[:1])
        Standing.objects.filter(board=board, ranked_at=None, rankable=True).update(ranked_at=decided)
        write_periods(board=board, submission_ids=undated)
    return (
        differing
        | undated
        | record_services.rebuild(board=board, benchmarks=board_scale(board).benchmarks, write=write)
    )


def _differ(wanted: Standing | None, stored: Standing | None) -> bool:
    if wanted is None or stored is None:
        return True
    names = ("best_of_owner", *_ENTRY_COLUMNS, *_SUMS)
    return any(getattr(wanted, name) != getattr(stored, name) for name in names)


def _is_rankable(row: Standing) -> bool:
    # As `ranking.RANKABLE`.
    return row.score is not None and row.score > 0 and row.complete and not row.is_collection


def _preference(row: Standing) -> tuple[Any, ...]:
    # As `ranking.ENTRY_PREFERENCE`; the score of an entry with replays left is of some benchmarks only.
    order = (row.submitted_at, row.effective_actions)
    return row.pending > 0, not _is_rankable(row), row.score is None, -(row.score or 0.0), *order


def _computed(board: Board, submissions: QuerySet[Submission]) -> list[Standing]:
    scale = board_scale(board)
    start = scale.nothing()
    sums: dict[uuid.UUID, Totals] = defaultdict(lambda: replace(start))
    items = SubmissionItem.objects.filter(submission__in=submissions)
    verified = items.filter(verdict=Verdict.VERIFIED).values_list(
        *("submission_id", "benchmark_uri", "value", "log_ratio", "effective_actions"),
        *("own", "is_record", "log_variance", "log_freedom"),
    )
    for submission_id, uri, value, log_ratio, actions, own, is_record, *error in verified.iterator():
        item = Counted(
            uri,
            pending=False,
            verified=True,
            value=value,
            log_ratio=log_ratio,
            effective_actions=actions,
            error=None if None in error else tuple(error),
            copied=own is False,
            record=is_record and own is True,
        )
        scale.count(item, sums[submission_id])
    waiting = items.filter(verdict=Verdict.PENDING).order_by().values_list("submission_id")
    for submission_id, number in waiting.annotate(number=Count("id")):
        sums[submission_id].pending = number
    now = timezone.now()
    ordered = submissions.only("owner_id", "agent", "created", "baseline_command").order_by("created", "pk")
    rows = [_row(board, one, sums[one.pk], scale, now) for one in ordered]
    for row in rows:
        row.missing = _missing(board, row)
    return rows


def _missing(
    board: Board, row: Standing, order: Iterable[str] | None = None, verified: Iterable[SubmissionItem] = ()
) -> list[str]:
    # The first benchmarks, in an order without a query. Nothing while replays are left: nobody knows then.
    if row.pending or row.verified == row.total:
        return []
    if order is None:
        return first_missing(board, row.submission_id)
    there = {item.benchmark_uri for item in verified}
    return list(islice((uri for uri in order if uri not in there), limits.MAX_MISSING_NAMED))


def _row(board: Board, submission: Submission, sums: Totals, scale: BoardScale, now: datetime) -> Standing:
    row = Standing(
        board=board,
        submission_id=submission.pk,
        agent_group=f"{submission.owner_id} {family(submission.agent)}",
        rank_group=rank_group(submission),
        total=len(scale.benchmarks),
        submitted_at=submission.created,
    )
    _write(row, sums, scale, now)
    return row


def _write(row: Standing, sums: Totals, scale: BoardScale, now: datetime) -> None:
    score = scale.score(sums, benchmarks=row.total)
    row.score, row.mean_improvement = score.score, score.mean_improvement
    row.log_variance, row.log_freedom = sums.error(benchmarks=row.total) or (None, None)
    for name in _NUMBERS:
        setattr(row, name, getattr(sums, name))
    for column, name in _EXACT.items():
        setattr(row, column, ranking.exact_sum_text(getattr(sums, name)))
    row.built_at = now
    if row.ranked_at is None and _is_rankable(row):
        row.ranked_at = now


def regroup(*, board: Board, submission: Submission) -> None:
    # Under the board's lock.
    row = Standing.objects.filter(board=board, submission=submission).first()
    former = row and row.rank_group
    if row is None or former == rank_group(submission):
        return
    Standing.objects.filter(pk=row.pk).update(rank_group=rank_group(submission), best_of_owner=False)
    left = Standing.objects.filter(board=board, rank_group=former).values_list("submission_id", flat=True)[:1]
    concerned = {submission.pk} | _elect(board, [*left]) | _elect(board, [submission.pk])
    write_periods(board=board, submission_ids=concerned)


def rank_group(submission: Submission) -> str:
    # An owner has one rank, and each baseline: one owner submits them all.
    baseline = f" baseline {family(submission.agent)}" if submission.baseline_command else ""
    return f"{submission.owner_id}{baseline}"
