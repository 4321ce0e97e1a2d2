"""Boards, their rows, and the compiler's own levels that they compare with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import (
    Case,
    Count,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce, Rank, RowNumber

from datasets.models import Baseline, Benchmark
from leaderboard import ranking
from leaderboard.models import BOARD_ORDER, UNOPTIMISED_LEVEL, Board, Standing
from optarena.specs import EnvironmentSpec, Metric, environment_spec
from optarena.specs.rewards import level_order

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from django.db.models import QuerySet

_OPTION: Final = re.compile(r"O[0-9a-z]{1,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRow:
    """One of the compiler's own levels on a board."""

    label: str
    level: str
    score: float
    mean_improvement: float
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """A line of a board: a standing, or a reference."""

    standing: Standing | None = None
    reference: ReferenceRow | None = None


def board_metric(board: Board) -> Metric:
    """The metric that a board compares, with its direction."""
    return environment_spec(board.environment_version.env_id).metric(board.metric)


def board_reference(board: Board) -> Metric | None:
    """The metric of the same replay that a board compares with; None where values are recorded."""
    if not board.reference_metric:
        return None
    return environment_spec(board.environment_version.env_id).metric(board.reference_metric)


def board_benchmarks(board: Board) -> tuple[str, ...]:
    """The URIs of all benchmarks that a board compares, in its order."""
    if board.benchmarks:
        return tuple(board.benchmarks)
    stored = Benchmark.objects.filter(version_id=board.dataset_version_id, kind=Benchmark.Kind.STORED)
    return tuple(stored.order_by("position").values_list("uri", flat=True))


def board_levels(board: Board, *, only: Collection[str] | None = None) -> dict[str, dict[str, float]]:
    """For each benchmark of a board, by URI in the dataset's order, its value at every level, or at some."""
    rows = (
        Baseline.objects.filter(benchmark__version_id=board.dataset_version_id, metric=board.metric)
        .order_by("benchmark__position", "benchmark_id")
        .values_list("benchmark__uri", "level", "value")
    )
    if board.benchmarks:
        rows = rows.filter(benchmark__uri__in=board.benchmarks)
    if only is not None:
        rows = rows.filter(level__in=only)
    levels: dict[str, dict[str, float]] = {}
    for uri, level, value in rows:
        levels.setdefault(uri, {})[level] = float(value)
    return levels


def board_references(
    board: Board, levels: Mapping[str, Mapping[str, float]] | None = None
) -> dict[str, ranking.Reference]:
    """The recorded values that each benchmark of a board is compared with, by URI."""
    compared = (board.baseline_level, UNOPTIMISED_LEVEL)
    return {
        uri: ranking.Reference(baseline=values[board.baseline_level], unoptimised=values[UNOPTIMISED_LEVEL])
        for uri, values in (board_levels(board, only=compared) if levels is None else levels).items()
        if board.baseline_level in values and UNOPTIMISED_LEVEL in values
    }


def level_text(level: str) -> str:
    """A level as people write it: optimisation levels are compiler options, others are names."""
    return f"-{level}" if _OPTION.fullmatch(level) else level


def reference_rows(board: Board) -> list[ReferenceRow]:
    """The compiler's own levels, from the dataset's manifest, scored like a submission, best first.

    A board whose replays measure their own reference has none.
    """
    if board.reference_metric:
        return []
    levels = board_levels(board)
    references = board_references(board, levels)
    spec = environment_spec(board.environment_version.env_id)
    lower = spec.metric(board.metric).lower_is_better
    rows = []
    for level in level_order(name for values in levels.values() for name in values):
        if level == UNOPTIMISED_LEVEL:
            continue
        values = {uri: row[level] for uri, row in levels.items() if level in row}
        score = ranking.score_board(references, values, lower_is_better=lower)
        if score.complete and score.score is not None and score.mean_improvement is not None:
            rows.append(
                ReferenceRow(
                    label=f"{_compiler(spec)} {level_text(level)}".strip(),
                    level=level,
                    score=score.score,
                    mean_improvement=score.mean_improvement,
                    total=score.total,
                )
            )
    return sorted(rows, key=lambda row: -row.score)


def _compiler(spec: EnvironmentSpec) -> str:
    """The compiler's name without its version."""
    return spec.compiler.partition(" ")[0]


def list_boards() -> QuerySet[Board]:
    """All boards, each with its leader (rank 1) in ``leaders`` and the number of its entries."""
    best_first = F("score").desc(nulls_last=True)
    leaders = (
        _competing()
        .filter(board__exact=True)
        .annotate(place=Window(Rank(), partition_by="board", order_by=best_first))
        .filter(place=1)
        .prefetch_related("submission__owner")
        .order_by(*BOARD_ORDER)
    )
    ranked = Count("standings", filter=Q(standings__leading=True, exact=True))
    return (
        Board.objects.select_related("dataset_version", "environment_version")
        .annotate(entries=Count("standings"), ranked=ranked)
        .prefetch_related(Prefetch("standings", queryset=leaders, to_attr="leaders"))
        .order_by("slug")
    )


def standings(board: Board, *, every_entry: bool = False) -> QuerySet[Standing]:
    """The rows of a board in order, with ``position`` and ``rank``: the best of each agent, or every entry.

    One statement reads and ranks them, so that all rows are from the same moment.
    """
    position = Window(RowNumber(), order_by=BOARD_ORDER)
    # Rows of equal scores share a rank; all rows that have one stand before those that have none.
    competition = Case(When(leading=True, then=Window(Rank(), order_by=BOARD_ORDER[:3])))
    rank = Value(None, IntegerField()) if board.provisional else competition
    # Joins would be carried through the ranking of the whole board, although only one page is read.
    rows = Standing.objects.filter(board=board).prefetch_related("submission__owner")
    rows = rows.annotate(position=position, rank=rank)  # type: ignore[no-redef] # declared for readers of rows
    if not every_entry:
        # A plain condition would leave out the others before they are counted.
        rows = rows.annotate(listed=Case(When(best_of_agent=True, then=position))).filter(listed__gt=0)
    return rows.order_by("position")


def with_rank(rows: QuerySet[Standing]) -> QuerySet[Standing]:
    """Standings of any boards with their ``rank``: one more than the number of better ones that compete."""
    better = _competing().filter(board=OuterRef("board"), score__gt=OuterRef("score")).order_by()
    number = better.values("board").annotate(number=Count("*")).values("number")
    rank = Case(When(leading=True, board__exact=True, then=Coalesce(Subquery(number), 0) + 1))
    return rows.annotate(rank=rank)  # type: ignore[no-redef] # as above


def _competing() -> QuerySet[Standing]:
    """The entries that compete for a rank; the second condition is implied, and uses the index."""
    return Standing.objects.filter(leading=True, rankable=True)


def board_rows(rows: Sequence[Standing], references: Sequence[ReferenceRow]) -> list[BoardRow]:
    """Standings with the references among them by score; incomplete and further rows stay at the end.

    A reference follows the submissions that reach its score.
    """
    waiting = list(references)
    merged: list[BoardRow] = []
    for standing in rows:
        score = standing.score if standing.complete and standing.best_of_agent else None
        while waiting and (score is None or waiting[0].score > score):
            merged.append(BoardRow(reference=waiting.pop(0)))
        merged.append(BoardRow(standing=standing))
    return [*merged, *(BoardRow(reference=reference) for reference in waiting)]


def action_rows(spec: EnvironmentSpec) -> list[dict[str, Any]]:
    """An environment's action table as plain rows."""
    actions = getattr(spec.action_table, "actions", ())
    described = {action.index: action for action in actions}
    sentences = getattr(spec.action_table, "descriptions", ())
    return [
        {
            "index": index,
            "name": name,
            "pipeline": getattr(described.get(index), "pipeline", ""),
            "level": getattr(described.get(index), "level", ""),
            "description": sentences[index]
            if sentences
            else getattr(described.get(index), "description", ""),
        }
        for index, name in enumerate(spec.action_table.names)
    ]
