"""Compare entries program by program, and the best results of compilers across boards.

A program is the same where its name and its workloads are. Boards can be compared if they have the same exact
metric, of which less is better, and are of different compilers.
"""

from __future__ import annotations

import itertools
import math
import uuid
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, Literal, NamedTuple, overload

import numpy as np
from django.db.models import Case, QuerySet, Sum, When
from numpy.typing import NDArray

from datasets.models import Benchmark
from leaderboard.boards import queries as board_queries
from leaderboard.boards.standings import get_board
from leaderboard.compare import alignments
from leaderboard.compare.alignments import Duel, Results
from leaderboard.models import BestResult, Board, Standing, Submission, SubmissionItem
from leaderboard.submissions.queries import add_figures
from optarena.documents.places import quote_value
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import EnvironmentSpec, Metric, environment_spec, environment_specs
from optarena.specs.benchmark import BenchmarkUri, workloads_digest
from runner.database import read_rows

Kind = Literal["submission", "level", "virtual-best"]
_VERIFIED = SubmissionItem.Verdict.VERIFIED
_OF_ITEM = ("submission_id", "position", "verdict", "value", "ratio")


class Cell(NamedTuple):
    # Value and ratio are None where the program is not verified.
    value: float | None = None
    ratio: float | None = None
    verdict: str = ""
    submission: uuid.UUID | None = None
    position: int | None = None


@dataclass(frozen=True, kw_only=True)
class Column:
    letter: str
    # What stands for it in an address.
    choice: str
    kind: Kind
    label: str
    score: float | None
    # In the board's order of programs.
    results: Results
    # For which of these programs it has anything, verified or not.
    is_there: NDArray[np.bool_]
    submission: Submission | None = None
    level: str = ""

    @property
    def standing(self) -> Standing | None:
        return getattr(self.submission, "standing", None)

    @property
    def score_interval(self) -> tuple[float, float] | None:
        return None if self.standing is None else self.standing.score_interval


class ProgramRow(NamedTuple):
    uri: str
    cells: tuple[Cell, ...]
    # The place of the only column that no competing one is ahead of.
    winner: int | None

    @property
    def name(self) -> str:
        return BenchmarkUri.parse(self.uri).path


class ComparedPrograms(Sequence[ProgramRow]):
    """The programs that any column has, in the board's order; a slice reads its rows."""

    def __init__(self, board: Board, columns: Sequence[Column], winners: NDArray[np.intp]) -> None:
        self._board = board
        self._columns = columns
        self._winners = winners
        self._uris = tuple(board_queries.board_places(board))
        # The places of the programs in the board's order.
        self._shown = np.flatnonzero(np.logical_or.reduce([column.is_there for column in columns]))

    def __len__(self) -> int:
        return len(self._shown)

    @overload
    def __getitem__(self, index: int) -> ProgramRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[ProgramRow]: ...
    def __getitem__(self, index: int | slice) -> ProgramRow | list[ProgramRow]:
        if isinstance(index, int):
            return self._read(self._shown[[index]])[0]
        return self._read(self._shown[index])

    def place_of(self, program: str) -> int | None:
        for index, place in enumerate(self._shown.tolist()):
            uri = self._uris[place]
            if uri == program or (program in uri and BenchmarkUri.parse(uri).path == program):
                return index
        return None

    def first_difference(self) -> int | None:
        # Or else the first program.
        return int((self._winners[self._shown] >= 0).argmax()) if len(self) else None

    def _read(self, places: NDArray[np.intp]) -> list[ProgramRow]:
        uris = [self._uris[place] for place in places.tolist()]
        columns, empty = self._cells(uris), Cell()
        winners = self._winners[places].tolist()
        return [
            ProgramRow(uri, tuple(cells.get(uri, empty) for cells in columns), None if ahead < 0 else ahead)
            for uri, ahead in zip(uris, winners, strict=True)
        ]

    def _cells(self, uris: Sequence[str]) -> list[Mapping[str, Cell]]:
        submissions = [one.submission.pk for one in self._columns if one.submission is not None]
        items = SubmissionItem.objects.filter(submission__in=submissions, benchmark_uri__in=uris)
        rows = items.order_by().values_list("benchmark_uri", *_OF_ITEM) if submissions else ()
        own: dict[uuid.UUID, dict[str, Cell]] = {}
        for uri, *rest in rows:
            own.setdefault(rest[0], {})[uri] = _cell(*rest)
        cells: list[Mapping[str, Cell]] = []
        for one in self._columns:
            if one.submission is not None:
                cells.append(own.get(one.submission.pk, {}))
            elif one.kind == "level":
                levels = board_queries.level_values(self._board, one.level, uris).items()
                cells.append({uri: Cell(value=value, ratio=ratio) for uri, (value, ratio) in levels})
            else:
                best = BestResult.objects.filter(board=self._board, benchmark_uri__in=uris).order_by()
                found = best.values_list("benchmark_uri", *(f"item__{name}" for name in _OF_ITEM))
                cells.append({uri: _best_cell(*rest) for uri, *rest in found})
        return cells


def _cell(
    submission: uuid.UUID, position: int, verdict: str, value: float | None, ratio: float | None
) -> Cell:
    is_verified = verdict == _VERIFIED
    return Cell(
        value=value if is_verified else None,
        ratio=ratio if is_verified else None,
        verdict=verdict,
        submission=submission,
        position=position,
    )


def _best_cell(
    submission: uuid.UUID, position: int, verdict: str, value: float | None, ratio: float | None
) -> Cell:
    if ratio is not None and ratio < 1.0:
        return Cell(ratio=1.0)
    return _cell(submission, position, verdict, value, ratio)


FEWEST, MOST = 2, 4
VIRTUAL_BEST: Final = "virtual-best"
LEVEL_PREFIX: Final = "level:"
_HOW: Final = (
    f"Give {FEWEST} to {MOST} of these: the id of a submission, `{LEVEL_PREFIX}` and a level, "
    f"`{VIRTUAL_BEST}`."
)


_OF_SUBMISSION: Final = """
SELECT benchmark_uri, CASE WHEN verdict = 'verified' THEN log_ratio END AS log, log_variance, log_freedom
FROM leaderboard_submissionitem WHERE submission_id = %s
"""
_OF_EVERYBODY: Final = (
    "SELECT benchmark_uri, log_ratio AS log FROM leaderboard_bestresult WHERE board_id = %s"
)
_OF_EVERYBODY_MEASURED: Final = """
SELECT best.benchmark_uri, best.log_ratio AS log, item.log_variance, item.log_freedom
FROM leaderboard_bestresult AS best JOIN leaderboard_submissionitem AS item ON item.id = best.item_id
WHERE best.board_id = %s
"""
_NUMBERS: Final = ("log", "log_variance", "log_freedom")
# Of the reference itself: errors of ratios to it are theirs.
_REFERENCE: Final = (0.0, 0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    board: Board
    columns: tuple[Column, ...]
    # For each program of the board the place of the only column that no competing one is ahead of, or -1.
    winners: NDArray[np.intp]

    @cached_property
    def rows(self) -> ComparedPrograms:
        return ComparedPrograms(self.board, self.columns, self.winners)

    @property
    def wins(self) -> list[int | None]:
        # Of the programs that all have; None for a column that is left out.
        counts = Counter(self.winners[self._in_common].tolist())
        competing = _competing(self.columns)
        return [counts[place] if place in competing else None for place in range(len(self.columns))]

    @cached_property
    def _in_common(self) -> NDArray[np.bool_]:
        shared: NDArray[np.bool_] = np.logical_and.reduce([one.results.given for one in self.columns])
        return shared

    @property
    def common(self) -> int:
        return int(self._in_common.sum())

    @property
    def means(self) -> list[float | None]:
        return [alignments.geometric_mean(one.results.logs[self._in_common]) for one in self.columns]

    @property
    def pairs(self) -> list[tuple[int, int, Duel]]:
        exact, results = self.board.exact, [one.results for one in self.columns]
        return [
            (one, other, alignments.count_duel(results[one], results[other], exact=exact))
            for one, other in itertools.combinations(range(len(results)), 2)
        ]

    def place_of(self, program: str) -> int | None:
        # Without a program, where the first difference is.
        if not program:
            return self.rows.first_difference()
        place = self.rows.place_of(program)
        if place is None:
            remedy = "Take the name or URI of a program that the comparison lists."
            message = "No compared entry has this program."
            raise InvalidInput(message, field="program", value=quote_value(program), remedy=remedy)
        return place


def compare(choices: Sequence[str], *, slug: str = "") -> Comparison:
    problems: list[Problem] = list(_number_problems(choices))
    submissions = submissions_named(choices[: MOST + 1])
    problems += unknown_entries(choices[: MOST + 1], submissions)
    add_figures(list(submissions.values()))
    board = _board(slug, submissions, problems)
    if problems or board is None:
        raise InvalidDocument(problems)
    columns = _columns(choices, submissions, board, problems)
    if problems:
        raise InvalidDocument(problems)
    return Comparison(board=board, columns=columns, winners=_winners(board, columns))


def submissions_named(choices: Sequence[str]) -> dict[str, Submission]:
    ids = {choice: key for choice in choices if (key := _id_of(choice)) is not None}
    related = ("board__dataset_version", "board__environment_version", "owner", "standing")
    found = Submission.objects.select_related(*related).in_bulk(list(ids.values())) if ids else {}
    return {choice: found[key] for choice, key in ids.items() if key in found}


def _number_problems(choices: Sequence[str]) -> Iterator[Problem]:
    if not FEWEST <= len(choices) <= MOST:
        message = f"{FEWEST} to {MOST} entries can be compared, not {len(choices)}."
        yield Problem(field="entry", value=str(len(choices)), message=message, remedy=_HOW)
    for choice in sorted({one for one in choices if choices.count(one) > 1}):
        message = "This entry is given more than once."
        yield Problem(field="entry", value=quote_value(choice), message=message, remedy="Give it once.")


def unknown_entries(choices: Sequence[str], found: Container[str]) -> Iterator[Problem]:
    # ``found`` are those that are submissions. Which levels there are depends on the board.
    for choice in dict.fromkeys(choices):
        if choice in found or choice == VIRTUAL_BEST or choice.startswith(LEVEL_PREFIX):
            continue
        message, remedy = "There is no such submission.", "Take an id from /api/v1/submissions/."
        if _id_of(choice) is None:
            message, remedy = "This names neither a submission nor anything else to compare.", _HOW
        yield Problem(field="entry", value=quote_value(choice), message=message, remedy=remedy)


def _id_of(choice: str) -> uuid.UUID | None:
    # As addresses write it: in two spellings it would be compared with itself.
    try:
        found = uuid.UUID(choice)
    except ValueError:
        return None
    return found if str(found) == choice else None


def _board(slug: str, submissions: Mapping[str, Submission], problems: list[Problem]) -> Board | None:
    boards = {one.board_id: one.board for one in submissions.values()}
    if len(boards) > 1:
        named = " and ".join(sorted(one.slug for one in boards.values()))
        message = f"These entries are of different boards: {named}."
        remedy = "Compare entries of one board; their ratios have one meaning only there."
        problems.append(Problem(field="entry", value=named, message=message, remedy=remedy))
        return None
    board = next(iter(boards.values()), None) or (get_board(slug) if slug else None)
    if board is None and not problems:
        message = (
            f"There is no board {slug!r}." if slug else "No submission among these says which board is meant."
        )
        remedy = "Name a board of /api/v1/boards/ in `board`, or in a command with --board."
        problems.append(Problem(field="board", value=quote_value(slug), message=message, remedy=remedy))
    if board is not None and slug and board.slug != slug:
        message = f"The entries are of the board {board.slug}."
        problems.append(
            Problem(field="board", value=quote_value(slug), message=message, remedy="Leave it out.")
        )
    return board


def _columns(
    choices: Sequence[str], submissions: Mapping[str, Submission], board: Board, problems: list[Problem]
) -> tuple[Column, ...]:
    levels = {one.level: one for one in board_queries.reference_rows(board)}
    columns = []
    for letter, choice in zip("ABCD", choices, strict=False):
        column = partial(Column, letter=letter, choice=choice)
        level = choice.removeprefix(LEVEL_PREFIX)
        if choice in submissions:
            one = submissions[choice]
            standing: Standing | None = getattr(one, "standing", None)
            score = None if standing is None else standing.score
            results, is_there = _results(board, _OF_SUBMISSION, one.pk)
            label = f"{one.agent} by {one.owner.username}"
            columns.append(
                column(
                    kind="submission",
                    label=label,
                    score=score,
                    results=results,
                    is_there=is_there,
                    submission=one,
                )
            )
        elif choice == VIRTUAL_BEST:
            best = board_queries.virtual_best(board, ())
            rows = _OF_EVERYBODY if board.exact else _OF_EVERYBODY_MEASURED
            results, is_there = _results(board, rows, board.pk)
            # Where none reaches the reference, that is the best.
            below = results.logs < 0.0
            results = Results(
                *(np.where(below, of, one) for of, one in zip(_REFERENCE, results, strict=True))
            )
            score = None if best is None else best.score
            columns.append(
                column(
                    kind="virtual-best", label="Virtual best", score=score, results=results, is_there=is_there
                )
            )
        elif level in levels:
            row, logs = levels[level], board_queries.level_logs(board, level)
            results = Results(logs, *(np.full(len(logs), error) for error in _REFERENCE[1:]))
            columns.append(
                column(
                    choice=f"{LEVEL_PREFIX}{level}",
                    kind="level",
                    label=row.label,
                    score=row.score,
                    results=results,
                    is_there=results.given,
                    level=level,
                )
            )
        else:
            known = ", ".join(f"{LEVEL_PREFIX}{one}" for one in levels) or "none"
            message = f"The board {board.slug} has no level {quote_value(level)!r}."
            remedy = f"Levels: {known}."
            problems.append(Problem(field="entry", value=quote_value(choice), message=message, remedy=remedy))
    return tuple(columns)


def _results(board: Board, rows: str, key: uuid.UUID | int) -> tuple[Results, NDArray[np.bool_]]:
    # A text and bytes of all of them are read: rows of 10,000 items would take far longer.
    numbers = _NUMBERS[:1] if board.exact else _NUMBERS
    sent = "".join(f", string_agg(float8send(coalesce({one}, 'NaN')), '')" for one in numbers)
    query = f"SELECT string_agg(benchmark_uri, E'\\n'){sent} FROM ({rows}) AS row"  # noqa: S608 # of constants
    [(uris, *given)] = read_rows(query, [key])
    places = board_queries.board_places(board)
    # Behind the last program there is a place for items of others, which are left out.
    at = [places.get(uri, len(places)) for uri in uris.split("\n")] if uris else []
    arrays = np.full((len(_NUMBERS), len(places) + 1), np.nan)
    for array, values in zip(arrays, given, strict=False):
        array[at] = np.frombuffer(values or b"", dtype=">f8")
    is_there = np.zeros(len(places) + 1, dtype=bool)
    is_there[at] = True
    return Results(*arrays[:, :-1]), is_there[:-1]


def _competing(columns: Sequence[Column]) -> list[int]:
    # The virtual best equals somebody everywhere: beside two others it would leave nobody ahead.
    return [
        place for place, one in enumerate(columns) if one.kind != "virtual-best" or len(columns) == FEWEST
    ]


def _winners(board: Board, columns: Sequence[Column]) -> NDArray[np.intp]:
    competing = _competing(columns)
    found = alignments.winners([columns[place].results for place in competing], exact=board.exact)
    return np.where(found < 0, -1, np.array(competing)[found])


# Hashes of workloads that do not say that two programs are the same: none is known, or there are none.
_UNKNOWN: Final = ("", workloads_digest(()))
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
    board: Board
    compiler: str
    common: int = 0
    # On how many of the common programs it has the least value; several boards may have the same.
    least: int = 0
    # How many times the least value it has of them, the geometric mean.
    more: float | None = None


@dataclass(frozen=True, slots=True)
class AcrossCell:
    board: Board
    # Empty if the board's dataset does not have it.
    uri: str
    best: BestResult | None
    # Of all boards.
    is_least: bool


@dataclass(frozen=True, slots=True)
class AcrossProgram:
    name: str
    cells: tuple[AcrossCell, ...]


@dataclass(frozen=True, slots=True)
class MetricAcross:
    metric: Metric
    boards: tuple[Board, ...]


def metrics_across(boards: Iterable[Board]) -> list[MetricAcross]:
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
    def __init__(self, boards: Sequence[Board]) -> None:
        self.metric = board_queries.board_metric(boards[0])
        self.boards = _reached(boards)
        self._compared = boards

    def __len__(self) -> int:
        return self._names().count()

    def __getitem__(self, part: slice) -> list[AcrossProgram]:
        names = list(self._names()[part])
        versions = {board.dataset_version_id for board in self._compared}
        stored = Benchmark.objects.filter(version__in=versions, name__in={name for name, _ in names})
        listed = stored.order_by().values_list("version_id", "name", "workloads_sha256", "uri")
        uris = {(version, name, workloads): uri for version, name, workloads, uri in listed}
        rows = BestResult.objects.filter(board__in=self._compared, benchmark_uri__in=uris.values()).order_by()
        rows = rows.select_related("item", "submission__owner")
        bests = {(row.board_id, row.benchmark_uri): row for row in rows}
        programs = []
        for name, workloads in names:
            found = []
            for board in self._compared:
                uri = uris.get((board.dataset_version_id, name, workloads), "")
                found.append((board, uri, bests.get((board.pk, uri))))
            values = [best.item.value for _, _, best in found if best and best.item.value is not None]
            least = min(values, default=None) if len(values) > 1 else None
            cells = (
                AcrossCell(board, uri, best, best is not None and best.item.value == least)
                for board, uri, best in found
            )
            programs.append(AcrossProgram(name, tuple(cells)))
        return programs

    def _names(self) -> QuerySet[Benchmark, tuple[str, str]]:
        # Those that two boards have: by datasets of their own, or by the same one.
        boards = Counter(board.dataset_version_id for board in self._compared)
        stored = Benchmark.objects.filter(version__in=boards, kind=Benchmark.Kind.STORED)
        named = stored.exclude(workloads_sha256__in=_UNKNOWN).values("name", "workloads_sha256")
        times = Sum(Case(*(When(version=version, then=number) for version, number in boards.items())))
        common = named.annotate(times=times).filter(times__gt=1)
        return common.order_by("name", "workloads_sha256").values_list("name", "workloads_sha256")


def across(metric: str) -> Across | None:
    # None if no two boards can be compared.
    rows = Board.objects.filter(metric=metric, state=Board.State.OPEN, puzzle=None).order_by("slug")
    installed = _installed()
    found = rows.select_related("environment_version", "dataset_version")
    boards = [board for board in found if board.environment_version.env_id in installed]
    return Across(boards) if metrics_across(boards) else None


def _installed() -> dict[str, EnvironmentSpec]:
    # Boards of other environments stay readable.
    return {spec.slug: spec for spec in environment_specs()}


def _reached(boards: Sequence[Board]) -> list[AcrossBoard]:
    given: dict[str, Any] = {
        "boards": [board.pk for board in boards],
        "all": len(boards),
        "unknown": list(_UNKNOWN),
    }
    sums = {row[0]: row[1:] for row in read_rows(_SUMS, given)}
    found = []
    for board in boards:
        compiler = environment_spec(board.environment_version.env_id).compiler
        common, least, logs = sums.get(board.pk, (0, 0, 0.0))
        more = math.exp(logs / common) if common else None
        found.append(AcrossBoard(board=board, compiler=compiler, common=common, least=least, more=more))
    return found
