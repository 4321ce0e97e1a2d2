"""Boards, their rows, and the compiler's own levels that they compare with."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from datasets.models import Baseline, Benchmark
from leaderboard import ranking
from leaderboard.models import UNOPTIMISED_LEVEL, Board
from leaderboard.totals import BoardScale
from optarena.actions import action_description
from optarena.specs import EnvironmentSpec, Metric, environment_spec
from optarena.specs.board import ratio
from optarena.specs.rewards import level_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet
    from numpy.typing import NDArray

    from leaderboard.models import EntryFigures

_OPTION: Final = re.compile(r"O[0-9a-z]{1,4}")
_KEPT_ROWS: Final = 128
_KEPT_SCALES: Final = 8
"""Each may be of ten thousand benchmarks, some megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    """All that the references of a board depend on."""

    version: int
    manifest_sha256: str
    env_id: str
    metric: str
    baseline_level: str
    benchmarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRow:
    """One of the compiler's own levels on a board, or the best entry of a coarser board.

    Attributes:
        label: Its name for people.
        level: The level; empty for an entry.
        score: Its score.
        mean_improvement: Its mean improvement over the baseline.
        total: The number of benchmarks.
        board: The board of an entry; empty for a level.
        page: The page of an entry; empty for a level.
    """

    label: str
    level: str
    score: float
    mean_improvement: float
    total: int
    board: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """A line of a board: a standing, or a reference."""

    standing: EntryFigures | None = None
    reference: ReferenceRow | None = None


def board_metric(board: Board) -> Metric:
    """The metric that a board compares, with its direction."""
    return environment_spec(board.environment_version.env_id).metric(board.metric)


def board_reference(board: Board) -> Metric | None:
    """The metric of the same replay that a board compares with; None where values are recorded."""
    if not board.reference_metric:
        return None
    return environment_spec(board.environment_version.env_id).metric(board.reference_metric)


def board_places(board: Board) -> Mapping[str, int]:
    """All benchmarks that a board compares: the place of each in its order from 0, by URI."""
    read = _kept_places if board.dataset_version.frozen else _recorded_places
    return read(_comparison(board))


def _recorded_places(compared: _Comparison) -> Mapping[str, int]:
    uris = compared.benchmarks or _stored(compared.version).values_list("uri", flat=True)
    return MappingProxyType({uri: place for place, uri in enumerate(uris)})


@dataclass(frozen=True, slots=True)
class BoardFloor:
    """What a board gives an entry without any verified result.

    Attributes:
        total: Number of benchmarks.
        logs: The sum of the logarithms of the ratios that they count then.
    """

    total: int
    logs: float


def board_floor(board: Board) -> BoardFloor:
    """What a board gives for nothing; read once in the life of a process where it never changes."""
    if board.reference_metric:
        listed = len(board.benchmarks)
        return BoardFloor(listed or stored_benchmarks(board).count(), 0.0)
    read = _kept_floor if board.dataset_version.frozen else _recorded_floor
    return read(_comparison(board))


def _recorded_floor(compared: _Comparison) -> BoardFloor:
    scale = _recorded_scale(compared)
    return BoardFloor(len(scale.benchmarks), math.fsum(map(scale.floor, scale.benchmarks)))


def stored_benchmarks(board: Board) -> QuerySet[Benchmark]:
    """The stored benchmarks of a board's dataset, in its order."""
    return _stored(board.dataset_version_id)


def _stored(version: int) -> QuerySet[Benchmark]:
    return Benchmark.objects.filter(version_id=version, kind=Benchmark.Kind.STORED).order_by("position")


def board_scale(board: Board, *, uris: Collection[str] | None = None) -> BoardScale:
    """What items count on a board: for all of its benchmarks, or for some."""
    if board.reference_metric:
        lower = board_metric(board).lower_is_better
        return BoardScale(
            benchmarks=_compared(board, uris), baselines={}, references=None, lower_is_better=lower
        )
    if uris is not None:
        return _recorded_scale(_comparison(board), uris)
    # Only a frozen version keeps its values for ever; so below.
    read = _kept_scale if board.dataset_version.frozen else _recorded_scale
    return read(_comparison(board))


def _compared(board: Board, uris: Collection[str] | None) -> frozenset[str]:
    """The benchmarks of a board, or those of them that are asked for."""
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
    """For each benchmark, or some, by URI in the dataset's order, its value at every level, or at some."""
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


def level_values(board: Board, level: str, uris: Collection[str]) -> dict[str, tuple[float, float]]:
    """A level's value and ratio to the baseline, for those of some benchmarks where both are recorded."""
    return dict(_level_values(_comparison(board), level, uris))


def level_logs(board: Board, level: str) -> NDArray[np.float64]:
    """The logarithms of a level's ratios to the baseline, in the board's order; NaN without one.

    Shape (benchmarks,). The array is kept, and cannot be written to.
    """
    read = _kept_logs if board.dataset_version.frozen else _recorded_logs
    return read(_comparison(board), level)


def _recorded_logs(compared: _Comparison, level: str) -> NDArray[np.float64]:
    places = _recorded_places(compared)
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


def _recorded_scale(compared: _Comparison, uris: Collection[str] | None = None) -> BoardScale:
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


_kept_places: Final = lru_cache(maxsize=_KEPT_SCALES)(_recorded_places)
_kept_logs: Final = lru_cache(maxsize=_KEPT_ROWS)(_recorded_logs)
_kept_scale: Final = lru_cache(maxsize=_KEPT_SCALES)(_recorded_scale)
_kept_floor: Final = lru_cache(maxsize=_KEPT_ROWS)(_recorded_floor)


def level_text(level: str) -> str:
    """A level as people write it: optimisation levels are compiler options, others are names."""
    return f"-{level}" if _OPTION.fullmatch(level) else level


def reference_rows(board: Board) -> list[ReferenceRow]:
    """The compiler's own levels, from the dataset's manifest, scored like a submission, best first.

    A board whose replays measure their own reference has none.
    """
    if board.reference_metric:
        return []
    score = _kept_levels if board.dataset_version.frozen else _scored_levels
    return list(score(_comparison(board)))


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


_kept_levels: Final = lru_cache(maxsize=_KEPT_ROWS)(_scored_levels)


def reference_names(board: Board) -> list[str]:
    """The names of the references that a board shows: the compiler with its level, and the level alone."""
    if board.reference_metric:
        return []
    names = _kept_names if board.dataset_version.frozen else _recorded_names
    return list(names(_comparison(board)))


def _recorded_names(compared: _Comparison) -> tuple[str, ...]:
    recorded = Baseline.objects.filter(metric=compared.metric)
    if compared.benchmarks:
        recorded = recorded.filter(benchmark__uri=compared.benchmarks[0])
    else:
        recorded = recorded.filter(benchmark__version_id=compared.version, benchmark__position=0)
    spec = environment_spec(compared.env_id)
    levels = level_order(recorded.values_list("level", flat=True))
    return tuple(name for level in levels for name in (_label(spec, level), level_text(level)))


_kept_names: Final = lru_cache(maxsize=_KEPT_ROWS)(_recorded_names)


def _label(spec: EnvironmentSpec, level: str) -> str:
    return f"{_compiler(spec)} {level_text(level)}".strip()


def _compiler(spec: EnvironmentSpec) -> str:
    """The compiler's name without its version."""
    return spec.compiler.partition(" ")[0]


def board_rows(rows: Iterable[EntryFigures], references: Sequence[ReferenceRow]) -> Iterator[BoardRow]:
    """Standings with the references among them by score; incomplete and further rows stay at the end.

    A reference follows the submissions that reach its score.
    """
    waiting = list(references)
    for standing in rows:
        score = standing.score if standing.leading else None
        while waiting and (score is None or waiting[0].score > score):
            yield BoardRow(reference=waiting.pop(0))
        yield BoardRow(standing=standing)
    yield from (BoardRow(reference=reference) for reference in waiting)


def action_rows(spec: EnvironmentSpec) -> list[dict[str, Any]]:
    """An environment's action table as plain rows."""
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
    """An environment's action spaces as plain rows, the first one first."""
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
    """The open boards by environment, with slug and title: those of one environment, or all."""
    rows = Board.objects.filter(state=Board.State.OPEN).select_related("environment_version").order_by("slug")
    if env_id is not None:
        rows = rows.filter(environment_version__env_id=env_id)
    found: dict[str, list[Board]] = {}
    for board in rows.only("slug", "title", "environment_version__env_id"):
        found.setdefault(board.environment_version.env_id, []).append(board)
    return found
