"""The same programs by different compilers: the best verified value of each, board beside board.

A program is the same where its name and its workloads are. Boards can be compared if they have the same exact
metric, of which less is better, and are of different compilers.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.models import Case, Sum, When

from datasets.models import Benchmark
from leaderboard.models import BestResult, Board
from leaderboard.selectors.boards import board_metric
from optarena.specs import environment_spec, environment_specs
from optarena.specs.benchmark import workloads_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from optarena.specs import EnvironmentSpec, Metric

_UNKNOWN: Final = ("", workloads_digest(()))
"""Hashes of workloads that do not say that two programs are the same: none is known, or there are none."""
# Of the programs that every board has verified: how often each board has the least, and how much more than
# the least it has.
_SUMS: Final = """
WITH found AS (
    SELECT benchmark.name, benchmark.workloads_sha256, best.board_id, item.value,
        min(item.value) OVER program AS least, count(*) OVER program AS boards
    FROM leaderboard_bestresult best
    JOIN datasets_benchmark benchmark ON benchmark.uri = best.benchmark_uri
    JOIN leaderboard_submissionitem item ON item.id = best.item_id
    WHERE best.board_id = ANY(%(boards)s) AND NOT benchmark.workloads_sha256 = ANY(%(unknown)s)
    WINDOW program AS (PARTITION BY benchmark.name, benchmark.workloads_sha256)
)
SELECT board_id, count(*), count(*) FILTER (WHERE value = least), sum(ln(value / least))
FROM found WHERE boards = %(all)s GROUP BY board_id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossBoard:
    """One of the boards.

    Attributes:
        board: The board.
        compiler: Its compiler.
        common: Programs that every board has verified.
        least: On how many of these it has the least value; several boards may have the same.
        more: How many times the least value it has of them, the geometric mean; None without any.
    """

    board: Board
    compiler: str
    common: int = 0
    least: int = 0
    more: float | None = None


@dataclass(frozen=True, slots=True)
class AcrossCell:
    """What a board has of a program.

    Attributes:
        board: The board.
        uri: The program's URI there; empty if the board's dataset does not have it.
        best: The best verified result; None if there is none.
        is_least: Whether it is the least value of all boards.
    """

    board: Board
    uri: str
    best: BestResult | None
    is_least: bool


@dataclass(frozen=True, slots=True)
class AcrossProgram:
    """One program by all compilers."""

    name: str
    cells: tuple[AcrossCell, ...]


@dataclass(frozen=True, slots=True)
class MetricAcross:
    """A metric, and the boards that can be compared by it."""

    metric: Metric
    boards: tuple[Board, ...]


def metrics_across(boards: Iterable[Board]) -> list[MetricAcross]:
    """The metrics by which those of some boards that are open can be compared, by their names."""
    installed = _installed()
    found: dict[str, list[tuple[str, Board]]] = {}
    metrics: dict[str, Metric] = {}
    for board in boards:
        spec = installed.get(board.environment_version.env_id)
        if spec is None or board.state != Board.State.OPEN:
            continue
        metric = spec.metric(board.metric)
        if metric.exact and metric.lower_is_better:
            found.setdefault(metric.name, []).append((spec.compiler, board))
            metrics.setdefault(metric.name, metric)
    return [
        MetricAcross(metrics[name], tuple(board for _, board in pairs))
        for name, pairs in sorted(found.items())
        if len({compiler for compiler, _ in pairs}) > 1
    ]


class Across:
    """The programs that several boards have, in the order of their names; sliced into pages.

    Attributes:
        metric: The metric.
        boards: The boards, with what each of them reaches.
    """

    def __init__(self, boards: Sequence[Board]) -> None:
        self.metric = board_metric(boards[0])
        self.boards = _reached(boards)
        self._compared = boards

    def __len__(self) -> int:
        return self._names().count()

    def __getitem__(self, part: slice) -> list[AcrossProgram]:
        names = list(self._names()[part])
        uris = self._uris(names)
        rows = BestResult.objects.filter(board__in=self._compared, benchmark_uri__in=uris.values()).order_by()
        rows = rows.select_related("item", "submission__owner")
        bests = {(row.board_id, row.benchmark_uri): row for row in rows}
        return [self._program(name, workloads, uris, bests) for name, workloads in names]

    def _names(self) -> QuerySet[Benchmark, tuple[str, str]]:
        """Those that two boards have: by datasets of their own, or by the same one."""
        boards = Counter(board.dataset_version_id for board in self._compared)
        stored = Benchmark.objects.filter(version__in=boards, kind=Benchmark.Kind.STORED)
        named = stored.exclude(workloads_sha256__in=_UNKNOWN).values("name", "workloads_sha256")
        times = Sum(Case(*(When(version=version, then=number) for version, number in boards.items())))
        common = named.annotate(times=times).filter(times__gt=1)
        return common.order_by("name", "workloads_sha256").values_list("name", "workloads_sha256")

    def _uris(self, names: Sequence[tuple[str, str]]) -> dict[tuple[int, str, str], str]:
        versions = {board.dataset_version_id for board in self._compared}
        rows = Benchmark.objects.filter(version__in=versions, name__in={name for name, _ in names})
        listed = rows.order_by().values_list("version_id", "name", "workloads_sha256", "uri")
        return {(version, name, workloads): uri for version, name, workloads, uri in listed}

    def _program(
        self,
        name: str,
        workloads: str,
        uris: Mapping[tuple[int, str, str], str],
        bests: Mapping[tuple[int, str], BestResult],
    ) -> AcrossProgram:
        found = []
        for board in self._compared:
            uri = uris.get((board.dataset_version_id, name, workloads), "")
            found.append((board, uri, bests.get((board.pk, uri))))
        values = [best.item.value for _, _, best in found if best and best.item.value is not None]
        least = min(values, default=None) if len(values) > 1 else None
        return AcrossProgram(
            name,
            tuple(
                AcrossCell(board, uri, best, best is not None and best.item.value == least)
                for board, uri, best in found
            ),
        )


def across(metric: str) -> Across | None:
    """What open boards of different compilers have of the same programs; None if no two can be compared."""
    rows = Board.objects.filter(metric=metric, state=Board.State.OPEN).order_by("slug")
    installed = _installed()
    found = rows.select_related("environment_version", "dataset_version")
    boards = [board for board in found if board.environment_version.env_id in installed]
    return Across(boards) if metrics_across(boards) else None


def _installed() -> dict[str, EnvironmentSpec]:
    """The environments of this server by name; boards of others stay readable."""
    return {spec.slug: spec for spec in environment_specs()}


def _reached(boards: Sequence[Board]) -> list[AcrossBoard]:
    given: dict[str, Any] = {
        "boards": [board.pk for board in boards],
        "all": len(boards),
        "unknown": list(_UNKNOWN),
    }
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, given)
        sums = {row[0]: row[1:] for row in cursor.fetchall()}
    found = []
    for board in boards:
        compiler = environment_spec(board.environment_version.env_id).compiler
        common, least, logs = sums.get(board.pk, (0, 0, 0.0))
        more = math.exp(logs / common) if common else None
        found.append(AcrossBoard(board=board, compiler=compiler, common=common, least=least, more=more))
    return found
