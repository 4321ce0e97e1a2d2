"""Read boards: rows, references, leaders, programs, the best of all entries, and the file for export.

The virtual best is kept benchmark by benchmark (``BestResult``), so that a page adds up rows of one index. Of
a board's benchmarks and entries only some are read beside each other, so that the cost does not depend on the
board.
"""

from __future__ import annotations

import math
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import _lru_cache_wrapper, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar
from urllib.parse import urlencode

import numpy as np
from django.db.models import QuerySet
from django.http import HttpRequest
from numpy.typing import NDArray

from datasets.models import Baseline, Benchmark
from leaderboard.boards import ranking
from leaderboard.boards.ranking import BOARD_ORDER, SCORE_DIGITS, BoardScale
from leaderboard.boards.standings import BoardChoice, PendingEntries, RankedRows, listed_boards, standings
from leaderboard.models import UNOPTIMISED_LEVEL, BestResult, Board, EntryFigures, Standing, SubmissionItem
from optarena import limits
from optarena.actions import action_description
from optarena.datasets.citing import bibtex_entry, escape_bibtex
from optarena.errors import UnknownName
from optarena.measuring.estimates import Estimate
from optarena.specs import EnvironmentSpec, Metric, board_specs, environment_spec, environment_specs
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.board import compared_words, ratio, saving
from optarena.specs.rewards import level_order, level_text
from runner.database import read_rows

if TYPE_CHECKING:
    from leaderboard.compare.queries import Column


Read = TypeVar("Read")
# A reference that is not a level of the compiler: where levels are named, and on pages.
MEASURED_REFERENCE: Final = "reference"
_UNNAMED: Final = "Reference"
_THE_REFERENCE: Final = "the reference"
_KEPT_ROWS: Final = 128
# Each may be of ten thousand benchmarks, some megabytes.
_KEPT_SCALES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    # All that the references of a board depend on.
    version: int
    manifest_sha256: str
    env_id: str
    metric: str
    baseline_level: str
    benchmarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRow:
    # One of the compiler's own levels, or the best entry of a coarser board.
    label: str
    level: str
    score: float
    mean_improvement: float
    total: int
    board: str = ""
    page: str = ""

    # By definition, or recorded exactly.
    score_interval = None

    @property
    def saving(self) -> float:
        return saving(self.score)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    standing: EntryFigures | None = None
    reference: ReferenceRow | None = None


def board_metric(board: Board) -> Metric:
    return environment_spec(board.environment_version.env_id).metric(board.metric)


def board_reference(board: Board) -> Metric | None:
    # None where values are recorded.
    if not board.reference_metric:
        return None
    return environment_spec(board.environment_version.env_id).metric(board.reference_metric)


def board_places(board: Board) -> Mapping[str, int]:
    # From 0, in the board's order.
    return _recorded(board, _places)


@lru_cache(_KEPT_SCALES)
def _places(compared: _Comparison) -> Mapping[str, int]:
    uris = compared.benchmarks or _stored(compared.version).values_list("uri", flat=True)
    return MappingProxyType({uri: place for place, uri in enumerate(uris)})


def board_size(board: Board) -> int:
    """The number of benchmarks that a score is the mean of."""
    if board.reference_metric:
        return len(board.benchmarks) or _recorded(board, _stored_number)
    return _recorded(board, _compared_number)


@lru_cache(_KEPT_ROWS)
def _stored_number(compared: _Comparison) -> int:
    return _stored(compared.version).count()


@lru_cache(_KEPT_ROWS)
def _compared_number(compared: _Comparison) -> int:
    return len(_scale.__wrapped__(compared).benchmarks)


def stored_benchmarks(board: Board) -> QuerySet[Benchmark]:
    return _stored(board.dataset_version_id)


def _stored(version: int) -> QuerySet[Benchmark]:
    return Benchmark.objects.filter(version_id=version, kind=Benchmark.Kind.STORED).order_by("position")


def board_scale(board: Board, *, uris: Collection[str] | None = None) -> BoardScale:
    if board.reference_metric:
        lower = board_metric(board).lower_is_better
        return BoardScale(
            benchmarks=_compared(board, uris), baselines={}, references=None, lower_is_better=lower
        )
    # Of some benchmarks it is not kept.
    return _scale.__wrapped__(_comparison(board), uris) if uris is not None else _recorded(board, _scale)


def _compared(board: Board, uris: Collection[str] | None) -> frozenset[str]:
    if uris is None or board.benchmarks:
        compared = frozenset(board_places(board))
        return compared if uris is None else compared.intersection(uris)
    stored = Benchmark.objects.filter(
        version_id=board.dataset_version_id, kind=Benchmark.Kind.STORED, uri__in=uris
    )
    return frozenset(stored.values_list("uri", flat=True))


def _comparison(board: Board) -> _Comparison:
    return _Comparison(
        version=board.dataset_version_id,
        manifest_sha256=board.dataset_version.manifest_sha256,
        env_id=board.environment_version.env_id,
        metric=board.metric,
        baseline_level=board.baseline_level,
        benchmarks=tuple(board.benchmarks),
    )


def _levels(
    compared: _Comparison, *, only: Collection[str] | None = None, uris: Collection[str] | None = None
) -> dict[str, dict[str, float]]:
    # By URI in the dataset's order, then by level.
    rows = (
        Baseline.objects.filter(benchmark__version_id=compared.version, metric=compared.metric)
        .order_by("benchmark__position", "benchmark_id")
        .values_list("benchmark__uri", "level", "value")
    )
    if compared.benchmarks:
        rows = rows.filter(benchmark__uri__in=compared.benchmarks)
    if only is not None:
        rows = rows.filter(level__in=only)
    if uris is not None:
        rows = rows.filter(benchmark__uri__in=uris)
    levels: dict[str, dict[str, float]] = {}
    for uri, level, value in rows:
        levels.setdefault(uri, {})[level] = float(value)
    return levels


def level_values(board: Board, level: str, uris: Collection[str]) -> Mapping[str, tuple[float | None, float]]:
    # The value, and its ratio to the baseline, where both are recorded. Where replays measure their own
    # reference, its value is that of the best replay.
    if board.reference_metric:
        best = BestResult.objects.filter(board=board, benchmark_uri__in=uris).order_by()
        column = f"item__verification__metrics__{board.reference_metric}"
        return dict.fromkeys(uris, (None, 1.0)) | {
            uri: (value, 1.0) for uri, value in best.values_list("benchmark_uri", column)
        }
    return dict(_level_values(_comparison(board), level, uris))


def level_logs(board: Board, level: str) -> NDArray[np.float64]:
    # Shape (benchmarks,), in the board's order; NaN without a value. The array is kept, and cannot be written
    # to.
    if board.reference_metric:
        return np.zeros(len(board_places(board)))
    return _recorded(board, _logs, level)


@lru_cache(_KEPT_ROWS)
def _logs(compared: _Comparison, level: str) -> NDArray[np.float64]:
    places = _places.__wrapped__(compared)
    logs = np.full(len(places), np.nan)
    for uri, (_, one) in _level_values(compared, level):
        if uri in places:
            logs[places[uri]] = math.log(one)
    logs.flags.writeable = False
    return logs


def _level_values(
    compared: _Comparison, level: str, uris: Collection[str] | None = None
) -> Iterator[tuple[str, tuple[float, float]]]:
    baseline = compared.baseline_level
    lower = environment_spec(compared.env_id).metric(compared.metric).lower_is_better
    for uri, values in _levels(compared, only={level, baseline}, uris=uris).items():
        if level in values and baseline in values:
            achieved = values[level]
            yield (
                uri,
                (achieved, ratio(baseline=values[baseline], achieved=achieved, lower_is_better=lower)),
            )


def _references(
    compared: _Comparison, levels: Mapping[str, Mapping[str, float]]
) -> dict[str, ranking.Reference]:
    baseline = compared.baseline_level
    return {
        uri: ranking.Reference(baseline=values[baseline], unoptimised=values[UNOPTIMISED_LEVEL])
        for uri, values in levels.items()
        if baseline in values and UNOPTIMISED_LEVEL in values
    }


@lru_cache(_KEPT_SCALES)
def _scale(compared: _Comparison, uris: Collection[str] | None = None) -> BoardScale:
    baseline = compared.baseline_level
    levels = _levels(compared, only=(baseline, UNOPTIMISED_LEVEL), uris=uris)
    references = MappingProxyType(_references(compared, levels))
    return BoardScale(
        benchmarks=references.keys(),
        baselines=MappingProxyType(
            {uri: values[baseline] for uri, values in levels.items() if baseline in values}
        ),
        references=references,
        lower_is_better=environment_spec(compared.env_id).metric(compared.metric).lower_is_better,
    )


def _recorded(board: Board, read: _lru_cache_wrapper[Read], *more: str) -> Read:
    # Only a frozen version keeps its values for ever.
    found: Read = (read if board.dataset_version.frozen else read.__wrapped__)(_comparison(board), *more)
    return found


def reference_name(board: Board) -> str:
    # What a ratio of 1 stands for. Boards whose compiler is not installed stand in lists, too.
    try:
        metric = board_reference(board)
    except UnknownName:
        return _THE_REFERENCE
    level = board.baseline_level if metric is None else metric.level
    return level_text(level) if level else _THE_REFERENCE


def reference_rows(board: Board) -> list[ReferenceRow]:
    # From the dataset's manifest, scored like a submission, best first. Where each replay measures its own
    # reference, that is the only one, and by definition its ratios are 1.
    metric = board_reference(board)
    if metric is None:
        return list(_recorded(board, _scored_levels))
    spec = environment_spec(board.environment_version.env_id)
    level = metric.level or MEASURED_REFERENCE
    label = _label(spec, level) if metric.level else _UNNAMED
    return [ReferenceRow(label=label, level=level, score=1.0, mean_improvement=0.0, total=board_size(board))]


@lru_cache(_KEPT_ROWS)
def _scored_levels(compared: _Comparison) -> tuple[ReferenceRow, ...]:
    levels = _levels(compared)
    references = _references(compared, levels)
    spec = environment_spec(compared.env_id)
    lower = spec.metric(compared.metric).lower_is_better
    rows = []
    for level in level_order(name for values in levels.values() for name in values):
        if level == UNOPTIMISED_LEVEL:
            continue
        values = {uri: row[level] for uri, row in levels.items() if level in row}
        score = ranking.score_board(references, values, lower_is_better=lower)
        if score.complete and score.score is not None and score.mean_improvement is not None:
            rows.append(
                ReferenceRow(
                    label=_label(spec, level),
                    level=level,
                    score=score.score,
                    mean_improvement=score.mean_improvement,
                    total=score.total,
                )
            )
    return tuple(sorted(rows, key=lambda row: -row.score))


def reference_names(board: Board) -> list[str]:
    # The compiler with its level, and the level alone.
    metric = board_reference(board)
    if metric is not None:
        spec = environment_spec(board.environment_version.env_id)
        return [_label(spec, metric.level), level_text(metric.level)] if metric.level else [_UNNAMED]
    return list(_recorded(board, _recorded_names))


@lru_cache(_KEPT_ROWS)
def _recorded_names(compared: _Comparison) -> tuple[str, ...]:
    recorded = Baseline.objects.filter(metric=compared.metric)
    if compared.benchmarks:
        recorded = recorded.filter(benchmark__uri=compared.benchmarks[0])
    else:
        recorded = recorded.filter(benchmark__version_id=compared.version, benchmark__position=0)
    spec = environment_spec(compared.env_id)
    levels = level_order(recorded.values_list("level", flat=True))
    return tuple(name for level in levels for name in (_label(spec, level), level_text(level)))


def _label(spec: EnvironmentSpec, level: str) -> str:
    # The compiler's name without its version; another tool's level names the tool.
    text = level_text(level)
    return text if " -" in text else f"{spec.compiler.partition(' ')[0]} {text}".strip()


def board_rows(rows: Iterable[EntryFigures], references: Sequence[ReferenceRow]) -> Iterator[BoardRow]:
    # References by score, each after the submissions that reach it; incomplete rows stay at the end.
    waiting = list(references)
    for standing in rows:
        score = standing.score if standing.leading else None
        while waiting and (score is None or waiting[0].score > score):
            yield BoardRow(reference=waiting.pop(0))
        yield BoardRow(standing=standing)
    yield from (BoardRow(reference=reference) for reference in waiting)


def action_rows(spec: EnvironmentSpec) -> list[dict[str, Any]]:
    actions = getattr(spec.action_table, "actions", ())
    described = {action.index: action for action in actions}
    return [
        {
            "index": index,
            "name": name,
            "pipeline": getattr(described.get(index), "pipeline", ""),
            "level": getattr(described.get(index), "level", ""),
            "description": action_description(spec.action_table, index),
        }
        for index, name in enumerate(spec.action_table.names)
    ]


def action_spaces(spec: EnvironmentSpec) -> list[dict[str, Any]]:
    ranked = spec.ranked_tables
    return [
        {
            "name": table.name,
            "ranked": any(table is one for one in ranked),
            "sizes": list(getattr(table, "sizes", ())),
            "names": list(table.names),
        }
        for table in (spec.action_table, *spec.further_tables)
    ]


def open_boards(env_id: str | None = None) -> dict[str, list[Board]]:
    rows = Board.objects.filter(state=Board.State.OPEN).select_related("environment_version").order_by("slug")
    if env_id is not None:
        rows = rows.filter(environment_version__env_id=env_id)
    found: dict[str, list[Board]] = {}
    for board in rows.only("slug", "title", "environment_version__env_id"):
        found.setdefault(board.environment_version.env_id, []).append(board)
    return found


# An entry whose measured score has no known error has no rank, though it may be complete.
_HAS_RANK: Final = (
    "one.leading AND one.rankable AND one.pending = 0 AND NOT board.provisional AND board.withdrawn = '' "
    "AND (board.exact OR one.log_freedom IS NOT NULL)"
)
# Of measured scores, those that are above 1 by more than the normal distribution explains: fewer are by
# Student's, which PostgreSQL does not know.
_FIGURES: Final = f"""
WITH counted AS (
    SELECT board.id, board.exact, count(*) AS entries, sum(one.verified) AS verified,
        count(*) FILTER (WHERE {_HAS_RANK} AND one.best_of_owner) AS ranked,
        max(one.score) FILTER (WHERE {_HAS_RANK}) AS best
    FROM leaderboard_board AS board JOIN leaderboard_standing AS one ON one.board_id = board.id
    WHERE board.id = ANY(%(boards)s) GROUP BY 1
)
SELECT id, entries, verified, ranked, ARRAY(
    SELECT one.id FROM leaderboard_standing AS one JOIN leaderboard_board AS board ON board.id = one.board_id
    WHERE one.board_id = counted.id AND one.score = counted.best AND {_HAS_RANK}
    ORDER BY one.submitted_at, one.effective_actions, one.submission_id LIMIT %(leaders)s
), ARRAY(
    SELECT ARRAY[one.id, one.score, one.log_variance, one.log_freedom]
    FROM leaderboard_standing AS one JOIN leaderboard_board AS board ON board.id = one.board_id
    WHERE one.board_id = counted.id AND NOT counted.exact AND {_HAS_RANK}
        AND one.score > 1 AND ln(one.score) > 1.9599 * sqrt(one.log_variance)
    ORDER BY one.score DESC, one.submitted_at, one.submission_id LIMIT %(compared)s
) FROM counted
"""  # noqa: S608 # the conditions are from this file


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    board: Board
    # Without those that were withdrawn.
    entries: int
    ranked: int
    verified: int
    # The first of those with the best score.
    leaders: tuple[Standing, ...]
    # Of the entries that are better than the reference, by more than chance explains, the first with the best
    # score: mostly the leaders, or none.
    ahead: tuple[Standing, ...]


def list_boards() -> list[BoardSummary]:
    # The usual board first, and last those without an entry.
    usual = next((spec.slug for spec in board_specs()), "")
    found = board_summaries(list(listed_boards().order_by("slug")))
    return sorted(found, key=lambda one: (one.board.slug != usual, not one.entries))


def board_summaries(boards: Sequence[Board]) -> list[BoardSummary]:
    asked = [board.pk for board in boards]
    given = {"boards": asked, "leaders": limits.MAX_LEADERS, "compared": ranking.MOST_COMPARED}
    found = {pk: figures for pk, *figures in read_rows(_FIGURES, given)}
    nothing = (0, 0, 0, (), ())
    above = {pk: _first_above_reference(figures[-1]) for pk, figures in found.items()}
    keys = {key for *_, leaders, _ in found.values() for key in leaders}.union(above.values()) - {None}
    of_board: dict[int, list[Standing]] = defaultdict(list)
    rows = Standing.objects.filter(pk__in=keys).select_related("submission__owner")
    named = {board.pk: board for board in boards}
    for row in rows.order_by(*BOARD_ORDER):  # of no keys, Django asks nothing
        row.board = named[row.board_id]
        of_board[row.board_id].append(row)
    summaries = []
    for board in boards:
        entries, verified, ranked, first, _ = found.get(board.pk, nothing)
        leaders = tuple(row for row in of_board[board.pk] if row.pk in first)
        if board.exact:
            ahead = tuple(row for row in leaders if (row.score or 0.0) > 1.0)
        else:
            ahead = tuple(row for row in of_board[board.pk] if row.pk == above.get(board.pk))
        summaries.append(
            BoardSummary(
                board=board, entries=entries, ranked=ranked, verified=verified, leaders=leaders, ahead=ahead
            )
        )
    return summaries


def _first_above_reference(measured: Iterable[tuple[float, float, float, float]]) -> int | None:
    # Of keys with their scores and errors; the best score is first.
    for key, score, variance, freedom in measured:
        if Estimate(math.log(score), variance, freedom).interval[0] > 1.0:
            return int(key)
    return None


# Decimals of a share that are more than rounding.
_DIGITS: Final = 9
# Of the entries that are asked for each has a row of its own, and all others have one together.
_SUMS: Final = """
SELECT CASE WHEN %(each)s OR submission_id = ANY(%(asked)s) THEN submission_id END AS one, count(*),
    sum(greatest(log_ratio, 0)), coalesce(sum(log_ratio - log_without) FILTER (WHERE own), 0)
FROM leaderboard_bestresult WHERE board_id = %(board)s GROUP BY 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualBest:
    # Of each benchmark the best verified result, or the reference where none reaches it.
    score: float
    verified: int
    total: int
    # How many of the best values each entry has first; of the entries that were asked for.
    held: Mapping[uuid.UUID, int]
    # How far each entry's finds raise the logarithm of the score.
    gains: Mapping[uuid.UUID, float]

    def gap(self, score: float | None) -> float | None:
        # Negative, or 0; that of another level of the compiler may be above it.
        return None if score is None else round(score / self.score - 1, _DIGITS) + 0.0

    def contribution(self, entry: uuid.UUID) -> float:
        # The share by which the score would be lower without an entry's finds.
        return round(-math.expm1(-self.gains.get(entry, 0.0)), _DIGITS)


def virtual_best(board: Board, entries: Collection[uuid.UUID] | None = None) -> VirtualBest | None:
    # None while nothing is verified. `entries` are those whose contributions are wanted; None for all.
    given: dict[str, Any] = {"board": board.pk, "asked": list(entries or ()), "each": entries is None}
    rows = read_rows(_SUMS, given)
    if not rows:
        return None
    total = board_size(board)
    logs = math.fsum(row[2] for row in rows)
    return VirtualBest(
        score=round(math.exp(logs / total), SCORE_DIGITS),
        verified=sum(row[1] for row in rows),
        total=total,
        held={row[0]: row[1] for row in rows if row[0] is not None},
        gains={row[0]: row[3] / total for row in rows if row[0] is not None},
    )


def references(board: Board) -> list[ReferenceRow]:
    found = [*reference_rows(board), *_levels_measured_beside(board)]
    coarser = _best_coarser_entry(board)
    return sorted(found if coarser is None else [*found, coarser], key=lambda row: -row.score)


def _levels_measured_beside(board: Board) -> Iterator[ReferenceRow]:
    # Levels that each replay measures beside the reference, scored by the best result of each benchmark.
    # They have no values of their own to compare entries with, as the best entry of a coarser board has none.
    if not board.reference_metric:
        return
    spec = environment_spec(board.environment_version.env_id)
    reference = spec.metric(board.reference_metric)
    others = [one for one in spec.metrics if one.level and one != reference]
    if not others:
        return
    bests = BestResult.objects.filter(board=board).values_list("item__verification__metrics", flat=True)
    measured = [values or {} for values in bests]
    total, lower = board_size(board), reference.lower_is_better
    for one in others:
        ratios = [
            ratio(baseline=values[reference.name], achieved=values[one.name], lower_is_better=lower)
            for values in measured
            if one.name in values
        ]
        parts = [ranking.measured_part(math.log(found), lower_is_better=lower) for found in ratios]
        score = ranking.score_of(ranking.sum_of(parts), verified=len(parts), total=total)
        if score.complete and score.score is not None and score.mean_improvement is not None:
            yield ReferenceRow(
                label=_label(spec, one.level),
                level="",
                score=score.score,
                mean_improvement=score.mean_improvement,
                total=total,
            )


def _best_coarser_entry(board: Board) -> ReferenceRow | None:
    # The leader of the open boards that compare the same by actions of this board's first space alone. None
    # where nobody leads such a board, or this one has a single action space too.
    spec = environment_spec(board.environment_version.env_id)
    if not spec.ranks_further_tables or not board.exact:
        return None
    # Their boards take only the actions of this one's first space.
    coarser = [
        one.slug
        for one in environment_specs()
        if one.boardable and not one.ranks_further_tables and one.action_table.name == spec.action_table.name
    ]
    same = ("dataset_version_id", "metric", "baseline_level", "reference_metric", "benchmarks", "device")
    boards = Board.objects.filter(
        state=Board.State.OPEN,
        provisional=False,
        environment_version__env_id__in=coarser,
        **{name: getattr(board, name) for name in same},
    )
    rows = Standing.objects.filter(board__in=boards, leading=True).order_by(*BOARD_ORDER)
    best = rows.select_related("board", "submission__owner").first()
    if best is None or best.score is None or best.mean_improvement is None:
        return None
    return ReferenceRow(
        label=f"{best.submission.agent} by {best.submission.owner.username}",
        level="",
        score=best.score,
        mean_improvement=best.mean_improvement,
        total=best.total,
        board=best.board.slug,
        page=best.submission.get_absolute_url(),
    )


# Shown beside each other.
ENTRIES: Final = 8
_SHOWN_OF_A_BEST: Final = (
    *("benchmark_uri", "log_ratio", "log_without", "own", "item__position", "item__submission_id"),
    *("item__ratio", "item__value", "item__decided_at", "submission__agent", "submission__owner__username"),
)
_SHOWN_OF_AN_ITEM: Final = (
    *("submission_id", "position", "benchmark_uri", "verdict", "reason", "ratio", "value", "own"),
)


@dataclass(frozen=True, slots=True)
class BoardCell:
    entry: EntryFigures
    item: SubmissionItem | None
    # No other of the entries beside it is better.
    is_best: bool

    @property
    def ratio(self) -> float | None:
        is_verified = self.item is not None and self.item.verdict == SubmissionItem.Verdict.VERIFIED
        return self.item.ratio if self.item is not None and is_verified else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProgram:
    uri: str
    best: BestResult | None
    cells: tuple[BoardCell, ...]

    @property
    def name(self) -> str:
        return BenchmarkUri.parse(self.uri).path


@dataclass(frozen=True, slots=True)
class BoardPrograms:
    board: Board
    entries: tuple[EntryFigures, ...]

    def __len__(self) -> int:
        return len(self.board.benchmarks) or stored_benchmarks(self.board).count()

    def __getitem__(self, part: slice) -> list[BoardProgram]:
        if self.board.benchmarks:
            uris = [str(uri) for uri in self.board.benchmarks[part]]
        else:
            uris = list(stored_benchmarks(self.board).values_list("uri", flat=True)[part])
        rows = BestResult.objects.filter(board=self.board, benchmark_uri__in=uris).order_by()
        rows = rows.select_related("item", "submission__owner").only(*_SHOWN_OF_A_BEST)
        best = {row.benchmark_uri: row for row in rows}
        shown = [entry.submission_id for entry in self.entries]
        found = SubmissionItem.objects.filter(submission__in=shown, benchmark_uri__in=uris).order_by()
        items = {(one.submission_id, one.benchmark_uri): one for one in found.only(*_SHOWN_OF_AN_ITEM)}
        return [BoardProgram(uri=uri, best=best.get(uri), cells=self._cells(uri, items)) for uri in uris]

    def _cells(
        self, uri: str, items: Mapping[tuple[uuid.UUID, str], SubmissionItem]
    ) -> tuple[BoardCell, ...]:
        cells = [BoardCell(entry, items.get((entry.submission_id, uri)), False) for entry in self.entries]
        best = max((cell.ratio for cell in cells if cell.ratio is not None), default=None)
        return tuple(replace(cell, is_best=best is not None and cell.ratio == best) for cell in cells)


def programs(board: Board, choice: BoardChoice, *, first: int = 0) -> BoardPrograms:
    return BoardPrograms(board, tuple(RankedRows(board, choice)[first : first + ENTRIES]))


EXPORT_COLUMNS: Final = (
    *("rank", "agent", "owner", "score", "mean_improvement", "verified", "total", "effective_actions"),
    *("compilations", "walltime_seconds", "trained_on_test_set", "submission", "created", "rank_high"),
    *("score_low", "score_high", "own_items", "gap", "contribution", "baseline_command"),
)


def export_rows(board: Board, choice: BoardChoice) -> Iterator[list[object]]:
    # A whole board in the order of its ranks has the references among its rows, and the virtual best first.
    best = None if choice.as_of else virtual_best(board)
    shown = references(board) if choice.is_in_order and not choice.as_of else []
    if best is not None and choice.is_in_order:
        yield ["reference", "virtual best", "", best.score, "", best.verified, best.total, *[""] * 13]
    for row in board_rows(standings(board, choice), shown):
        if row.reference is not None:
            one = row.reference
            label, improvement = spreadsheet_safe(one.label), one.mean_improvement
            yield ["reference", label, "", one.score, improvement, one.total, one.total, *[""] * 13]
        elif row.standing is not None:
            yield _entry_row(row.standing, best)
    for entry in PendingEntries(board, choice):
        yield _entry_row(entry, None)


def _entry_row(standing: EntryFigures, best: VirtualBest | None) -> list[object]:
    submission = standing.submission
    return [
        standing.rank,
        spreadsheet_safe(submission.agent),
        spreadsheet_safe(submission.owner.username),
        standing.score,
        standing.mean_improvement,
        standing.verified,
        standing.total,
        standing.effective_actions,
        submission.compilations,
        submission.walltime_seconds,
        submission.trained_on_test_set,
        submission.pk,
        _utc(submission.created),
        standing.rank_high,
        *(standing.score_interval or ("", "")),
        standing.own_items,
        None if best is None else best.gap(standing.score),
        None if best is None else best.contribution(standing.submission_id),
        spreadsheet_safe(submission.baseline_command),
    ]


def _utc(moment: datetime) -> str:
    # As JSON has it.
    return moment.isoformat().replace("+00:00", "Z")


def spreadsheet_safe(text: str) -> str:
    # A spreadsheet must not run it as a formula.
    return f"'{text}" if text[:1] in "=+-@" and text else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Permalink:
    # The one that is asked for, or when the rows were read.
    moment: datetime
    address: str
    bibtex: str


def permalink(request: HttpRequest, board: Board, choice: BoardChoice, moment: datetime) -> Permalink:
    """What to cite of the standings that a request shows: those of a moment by the database's clock."""
    moment = moment.astimezone(UTC)
    query = {name: text for name, text in choice.given.items() if name != "as_of"}
    query["as_of"] = _utc(moment)
    address = request.build_absolute_uri(f"{board.get_absolute_url()}?{urlencode(query)}")
    environment, dataset = board.environment_version, board.dataset_version
    note = (
        f"Standings of {moment:%Y-%m-%d %H:%M:%S} UTC. Environment {environment.env_id}, version "
        f"{environment.digest}. Dataset {dataset.name}, manifest sha256 {dataset.manifest_sha256}"
    )
    fields = {
        "key": board.slug,
        "title": f"{{{escape_bibtex(f'OptArena leaderboard: {board.title}')}}}",
        "howpublished": f"\\url{{{address}}}",
        "year": f"{moment:%Y}",
        "month": f"{moment.month}",
        "note": escape_bibtex(note),
    }
    bibtex = bibtex_entry(f"optarena-{board.slug}-{moment:%Y-%m-%d}", fields)
    return Permalink(moment=moment, address=address, bibtex=bibtex)


Tone = Literal["better", "worse", "even"]


class Against(NamedTuple):
    tone: Tone
    # `4.0 % smaller`, and with the name of the reference.
    short: str
    text: str


def against_reference(board: Board, entry: EntryFigures | ReferenceRow | Column | None) -> Against | None:
    """Compare a score with that of the board's reference.

    None without a score or its error, and where the board's compiler is not installed.
    """
    if entry is None or entry.score is None:
        return None
    try:
        metric = board_metric(board)
    except UnknownName:
        return None
    interval = (entry.score, entry.score) if board.exact else entry.score_interval
    return compared(entry.score, interval, metric=metric, reference=reference_name(board))


def compared(
    score: float, interval: tuple[float, float] | None, *, metric: Metric, reference: str
) -> Against | None:
    """Compare a score with 1, which must be outside of its interval to be told apart."""
    if interval is None:
        return None
    if interval[0] < interval[1] and interval[0] <= 1.0 <= interval[1]:
        return Against("even", "not told apart", f"not told apart from {reference}")
    words = compared_words(score, metric)
    tone: Tone = "even" if score == 1.0 else "better" if score > 1.0 else "worse"
    return Against(tone, words.rpartition(" ")[0], f"{words} {reference}")


def against_text(board: Board, entry: EntryFigures | ReferenceRow | Column | None) -> str:
    found = against_reference(board, entry)
    return "" if found is None else found.text
