"""Read standings: what a reader may choose, the ranked rows, why an entry has none, how robust ranks are."""

from __future__ import annotations

import math
import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import combinations, count, islice, pairwise
from typing import Any, Final, cast

import numpy as np
from django.contrib.auth.models import User
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import (
    Case,
    Count,
    Expression,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Lower
from numpy.typing import NDArray

from leaderboard.boards.ranking import BOARD_ORDER, EFFORT_CLASSES, MOST_COMPARED, UNREPORTED, rank_intervals
from leaderboard.common.middleware import flag
from leaderboard.models import (
    BestResult,
    Board,
    EntryFigures,
    Standing,
    StandingPeriod,
    Submission,
    SubmissionItem,
)
from optarena import limits
from optarena.documents.places import quote_value
from optarena.errors import InvalidDocument, InvalidInput, Problem, UnknownName
from optarena.measuring.estimates import Estimate
from optarena.specs import unknown_name
from optarena.specs.benchmark import BenchmarkUri
from runner.database import database_now, read_rows

_SHOWN: Final = 100


def unknown_filters(*, board: str | None, owner: str | None) -> list[Problem]:
    # An empty list would look like a true answer. Names of users are not suggested: there may be many, and
    # they are nobody's vocabulary.
    problems = []
    if board is not None and not Board.objects.filter(slug=board).exists():
        problems.append(Problem.of(unknown_board(board), value=board[:_SHOWN]))
    if owner is not None and not User.objects.filter(username=owner).exists():
        message = "There is no user of this name."
        remedy = "Give the user name as submissions show it, in the same upper and lower case."
        problems.append(Problem(field="owner", value=owner[:_SHOWN], message=message, remedy=remedy))
    return problems


CHOICES: Final = ("all", "effort", "trained", "owner", "text", "sort", "as_of")
_EFFORTS: Final = (*(one.slug for one in EFFORT_CLASSES), UNREPORTED)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_CONTRIBUTION: Final = "contribution"


def _if_complete(name: str) -> Case:
    # The figures of other entries are not shown, and so do not order them.
    return Case(When(verified=F("total"), then=F(name)), output_field=FloatField())


_COLUMNS: Final[dict[str, Expression | F]] = {
    "agent": Lower("submission__agent"),
    "owner": Lower("submission__owner__username"),
    "score": _if_complete("score"),
    "mean_improvement": _if_complete("mean_improvement"),
    "verified": F("verified"),
    "own_items": F("verified") - F("copied"),
    "effort": F("submission__compilations"),
    "walltime_seconds": F("submission__walltime_seconds"),
    "effective_actions": F("effective_actions"),
    "created": F("submitted_at"),
}
# Without a choice a board is in the order of ranks.
SORTABLE: Final = ("rank", *_COLUMNS, _CONTRIBUTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChoice:
    # Not only the best of each owner.
    every_entry: bool = False
    effort: str = ""
    # Whether the agents saw the programs in training; None for both.
    trained: bool | None = None
    owner: str = ""
    text: str = ""
    # A column of SORTABLE, with a minus before it for descending order; empty for the ranks.
    sort: str = ""
    # None for now.
    as_of: datetime | None = None
    # As the parameters were given, for addresses.
    given: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_filtered(self) -> bool:
        return bool(self.effort or self.owner or self.text) or self.trained is not None

    @property
    def is_in_order(self) -> bool:
        return not self.is_filtered and not self.sort

    def filtered(self, rows: QuerySet[Standing]) -> QuerySet[Standing]:
        rows = self.narrowed(rows)
        # Of a class of effort all: an owner's best may be in another one.
        return rows if self.every_entry or self.effort else rows.filter(best_of_owner=True)

    def narrowed(self, rows: QuerySet[Standing]) -> QuerySet[Standing]:
        # The best of their agents or not.
        wanted = Q()
        if self.effort:
            wanted &= _of_effort(self.effort)
        if self.trained is not None:
            wanted &= Q(submission__trained_on_test_set=self.trained)
        if self.owner:
            wanted &= Q(submission__owner__username=self.owner)
        if self.text:
            wanted &= Q(submission__agent__icontains=self.text) | Q(
                submission__description__icontains=self.text
            )
        return rows.filter(wanted)

    def ordered(self, rows: QuerySet[Standing]) -> QuerySet[Standing]:
        # Those without a value stand last.
        column, down = self.sort.removeprefix("-"), self.sort.startswith("-")
        if not column:
            return rows.order_by(*BOARD_ORDER)
        if column == _CONTRIBUTION:
            # How much the logarithm of the virtual best's score falls without an entry, times the benchmarks.
            own = BestResult.objects.filter(
                board=OuterRef("board"), submission=OuterRef("submission"), own=True
            ).order_by()
            summed = own.values("submission").annotate(gain=Sum(F("log_ratio") - F("log_without")))
            gain = Subquery(summed.values("gain"), output_field=FloatField())
            rows = rows.annotate(sort_key=Coalesce(gain, 0.0))
        else:
            rows = rows.annotate(sort_key=_COLUMNS[column])
        first = F("sort_key").desc(nulls_last=True) if down else F("sort_key").asc(nulls_last=True)
        return rows.order_by(first, *BOARD_ORDER)


def _of_effort(name: str) -> Q:
    if name == UNREPORTED:
        return Q(submission__compilations=None)
    [one] = (one for one in EFFORT_CLASSES if one.slug == name)
    wanted = Q(submission__compilations__gte=one.least)
    return wanted if one.most is None else wanted & Q(submission__compilations__lte=one.most)


def choice_of(given: Mapping[str, str]) -> BoardChoice:
    named = {name: given[name] for name in CHOICES if given.get(name) or (name == "all" and name in given)}
    read: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in named.items():
        try:
            read["every_entry" if name == "all" else name] = _READERS[name](text)
        except InvalidInput as error:
            problems.append(Problem.of(error, field=name, value=quote_value(text)))
    problems.extend(unknown_filters(board=None, owner=read.get("owner")))
    if not problems and read.get("as_of") and read.get("sort", "").endswith(_CONTRIBUTION):
        problems.append(_CONTRIBUTIONS_ARE_OF_NOW)
    if problems:
        raise InvalidDocument(problems)
    return BoardChoice(**read, given=named)


_CONTRIBUTIONS_ARE_OF_NOW: Final = Problem(
    field="sort",
    value=_CONTRIBUTION,
    message="Contributions of a past moment are not known.",
    remedy="Leave out either `as_of` or `sort`.",
)


def _read_text(text: str) -> str:
    if len(text) > limits.FILTER_LENGTH:
        raise InvalidInput("The text is too long.", remedy=f"Give at most {limits.FILTER_LENGTH} characters.")
    return text


def _read_effort(text: str) -> str:
    if text not in _EFFORTS:
        raise unknown_name("class of effort", text, _EFFORTS)
    return text


def _read_sort(text: str) -> str:
    if text == "rank":
        return ""
    column = text.removeprefix("-")
    if column not in SORTABLE or text == "-rank":
        error = unknown_name("column", text if text == "-rank" else column, SORTABLE)
        raise InvalidInput(error.message, remedy=f"{error.remedy} A minus before it turns the order round.")
    return text


def _read_moment(text: str) -> datetime:
    # A day is its beginning, and UTC is meant where no zone is given. The database does not know all zones
    # that can be written, nor moments that are before the year 1 in UTC.
    remedy = "Give a day such as 2026-11-23, or a moment such as 2026-11-23T18:00:00Z."
    try:
        if _DAY.fullmatch(text):
            moment = datetime.combine(date.fromisoformat(text), time(), UTC)
        else:
            moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput("This is neither a day nor a moment in ISO 8601.", remedy=remedy) from error
    if moment > database_now():  # which wrote when everything happened
        raise InvalidInput("This moment is in the future.", remedy="Give one that has passed.")
    return moment


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "all": partial(flag, "all"),
    "effort": _read_effort,
    "trained": partial(flag, "trained"),
    "owner": _read_text,
    "text": _read_text,
    "sort": _read_sort,
    "as_of": _read_moment,
}


# The number of entries between two scores: each entry of a board is counted once for a whole page.
_BETTER: Final = """
SELECT wanted.board, wanted.score, (
    SELECT count(*) FROM {} AS one
    WHERE one.board_id = wanted.board AND one.leading AND one.rankable
        AND one.score > wanted.score AND one.score <= wanted.above {}
) FROM unnest(%s::bigint[], %s::float8[], %s::float8[]) AS wanted (board, score, above)
JOIN leaderboard_board AS board ON board.id = wanted.board AND board.exact AND NOT board.provisional
    AND board.withdrawn = ''
"""
_NOW: Final = ("leaderboard_standing", "AND one.pending = 0")
_THEN: Final = ("leaderboard_standingperiod", "AND since <= %s AND (until IS NULL OR until > %s)")
_PART: Final = 200
_UNRANKED: Final = (None, None)
UNSHOWN_OF_A_BOARD: Final = (
    "dataset_version__manifest",
    "dataset_version__statistics",
    "environment_version__spec",
)
_EVERYTHING: Final = BoardChoice()
_SUMS: Final = ("log_total", "improvement_total", "variance_total", "share_total")
_UNREAD: Final = (
    *(f"submission__{name}" for name in ("description", "url", "content_sha256", "withdrawn_at")),
    *(f"submission__owner__{name}" for name in ("password", "last_login", "date_joined", "email")),
)


@dataclass(frozen=True, slots=True)
class RankedRows:
    # Entries with replays left are not among them. A slice is read by one statement, so that its rows are
    # from one moment. Each row gets its `position` among these rows, from 1, and its `rank` on the whole
    # board.
    board: Board
    choice: BoardChoice = _EVERYTHING

    def __len__(self) -> int:
        return self._all.count()

    def __iter__(self) -> Iterator[Standing]:
        rows = self._shown(self._all, start=0).iterator(_PART)
        if self.choice.is_in_order:
            yield from self._placed(rows, start=0)
            return
        for start in count(step=_PART):
            part = list(islice(rows, _PART))
            yield from self._placed(part, start=start)
            if len(part) < _PART:
                return

    def __getitem__(self, part: slice) -> list[Standing]:
        start = part.start or 0
        rows = self._all
        if self.choice.is_in_order:
            # Only the index is read of the rows before the page.
            chosen = rows.values("submission_id")[start : part.stop]
            rows = self._rows.filter(submission__in=chosen).order_by(*BOARD_ORDER)
            return list(self._placed(self._shown(rows, start=start), start=start))
        return list(self._placed(list(self._shown(rows, start=start)[start : part.stop]), start=start))

    @property
    def _rows(self) -> QuerySet[Standing]:
        if self.choice.as_of is None:
            return Standing.objects.filter(board=self.board, pending=0)
        # Periods have the columns of standings.
        held = Q(until=None) | Q(until__gt=self.choice.as_of)
        periods = StandingPeriod.objects.filter(held, board=self.board, since__lte=self.choice.as_of)
        return cast("QuerySet[Standing]", periods)

    @property
    def _all(self) -> QuerySet[Standing]:
        return self.choice.ordered(self.choice.filtered(self._rows))

    def _shown(self, rows: QuerySet[Standing], *, start: int) -> QuerySet[Standing]:
        if self.choice.is_in_order:
            first = self._all.values("score")[start : start + 1]
            better = self._rows.filter(leading=True, rankable=True, score__gt=Subquery(first)).order_by()
            number = Subquery(better.values("board").annotate(number=Count("*")).values("number"))
            rows = rows.annotate(better=Coalesce(number, 0) if start else Value(0, IntegerField()))
        unread = _UNREAD if self.choice.as_of else (*_SUMS, *_UNREAD)
        return rows.select_related("submission__owner").defer(*unread)

    def _placed(self, rows: Iterable[Standing], *, start: int) -> Iterator[Standing]:
        # Equal scores share a rank, and rows that have one stand first.
        if not self.board.exact:
            ranked = self._ranked_by_intervals(rows)
        elif self.choice.is_in_order:
            ranked = self._ranked_in_order(rows, start)
        else:
            ranked = self._ranked_by_counting(rows)
        for position, row in enumerate(ranked, start=start + 1):
            row.position = position
            row.board = self.board
            yield row if row.complete else without_score(row)

    def _ranked_in_order(self, rows: Iterable[Standing], start: int) -> Iterator[Standing]:
        before = None
        for position, row in enumerate(rows, start=start + 1):
            if not row.leading or self.board.unranked:
                row.rank = None
            elif before is None:
                row.rank = 1 + row.better  # type: ignore[attr-defined] # annotated
            else:
                row.rank = before.rank if before.score == row.score else position
            row.rank_high = row.rank
            before = row
            yield row

    def _ranked_by_counting(self, rows: Iterable[Standing]) -> Iterator[Standing]:
        listed = list(rows)
        scores = {row.score for row in listed if row.leading and row.score is not None}
        better = _better_entries({self.board.pk: scores}, as_of=self.choice.as_of) if scores else {}
        for row in listed:
            number = better.get((self.board.pk, row.score)) if row.leading else None
            row.rank = row.rank_high = None if number is None else 1 + number
            yield row

    def _ranked_by_intervals(self, rows: Iterable[Standing]) -> Iterator[Standing]:
        intervals = board_intervals(self.board, self._rows)
        for row in rows:
            row.rank, row.rank_high = intervals.get(row.submission_id, _UNRANKED)
            yield row


def standings(board: Board, choice: BoardChoice = _EVERYTHING) -> RankedRows:
    return RankedRows(board, choice)


@dataclass(frozen=True, slots=True)
class PendingEntries:
    # They have no score until all replays have ended. The filters of a choice hold for them; of a moment in
    # the past there are none.
    board: Board
    choice: BoardChoice = _EVERYTHING

    def __len__(self) -> int:
        return self._all.count()

    def __iter__(self) -> Iterator[Standing]:
        return map(without_score, self._all.iterator(_PART))

    def __getitem__(self, part: slice) -> list[Standing]:
        return [without_score(row) for row in self._all[part]]

    @property
    def _all(self) -> QuerySet[Standing]:
        if self.choice.as_of is not None:
            return Standing.objects.none()
        rows = self.choice.narrowed(Standing.objects.filter(board=self.board, pending__gt=0))
        rows = rows.order_by("-submitted_at", "submission_id")
        return rows.select_related("submission__owner").defer(*_SUMS, *_UNREAD)


def add_others(board: Board, rows: Sequence[EntryFigures]) -> None:
    # How many entries of its owner stand behind each row.
    behind = Standing.objects.filter(
        board=board, rank_group__in=[row.rank_group for row in rows], best_of_owner=False, pending=0
    )
    counted = dict(behind.order_by().values_list("rank_group").annotate(number=Count("pk")))
    for row in rows:
        vars(row)["others"] = counted.get(row.rank_group, 0)


def without_score(row: Standing) -> Standing:
    # Unsaved: of an entry with replays left, or without a verified result for each benchmark, the figures say
    # more about what is missing than about what is there.
    row.score = row.mean_improvement = row.log_variance = row.log_freedom = None
    row.rank = row.rank_high = None
    return row


def set_figures(rows: Collection[Standing]) -> None:
    # The ranks, and no score where an entry is not complete.
    set_ranks(rows)
    for row in rows:
        if row.pending or not row.complete:
            without_score(row)


def set_ranks(rows: Collection[Standing]) -> None:
    # One more than the number of better ones that compete; where scores are measured, the ends of the
    # interval.
    scores: dict[int, set[float]] = defaultdict(set)
    measured = {}
    for row in rows:
        if row.leading and row.log_freedom is not None:
            measured[row.board_id] = row.submission.board
        elif row.leading and row.score is not None:
            scores[row.board_id].add(row.score)
    better = _better_entries(scores)
    intervals = {pk: board_intervals(board) for pk, board in measured.items()}
    for row in rows:
        if row.board_id in intervals:
            row.rank, row.rank_high = intervals[row.board_id].get(row.submission_id, _UNRANKED)
            continue
        number = better.get((row.board_id, row.score)) if row.leading else None
        row.rank = row.rank_high = None if number is None else 1 + number


def board_intervals(board: Board, rows: QuerySet[Standing] | None = None) -> dict[uuid.UUID, tuple[int, int]]:
    # Of the first entries only. Without `rows` those of now.
    if board.exact or board.unranked:
        return {}
    rows = Standing.objects.filter(board=board) if rows is None else rows
    rows = rows.filter(leading=True, rankable=True, log_freedom__isnull=False).order_by(*BOARD_ORDER)
    figures = rows.values_list("submission_id", "score", "log_variance", "log_freedom")[:MOST_COMPARED]
    scores = {
        pk: Estimate(math.log(score), variance, freedom)
        for pk, score, variance, freedom in figures
        if score and variance and freedom
    }
    return dict(zip(scores, rank_intervals(tuple(scores.values())), strict=True))


def _better_entries(
    scores: Mapping[int, Collection[float]], *, as_of: datetime | None = None
) -> dict[tuple[int, float | None], int]:
    asked = [
        (board, score, above)
        for board, wanted in scores.items()
        for above, score in pairwise([math.inf, *sorted(wanted, reverse=True)])
    ]
    columns = [[row[number] for row in asked] for number in range(3)]
    moment = [] if as_of is None else [as_of, as_of]
    rows = read_rows(_BETTER.format(*(_THEN if moment else _NOW)), [*moment, *columns])
    between = {(board, score): number for board, score, number in rows}
    found: dict[tuple[int, float | None], int] = {}
    for board, score, above in asked:
        if (board, score) in between:
            found[board, score] = between[board, score] + found.get((board, above), 0)
    return found


def get_board(slug: str) -> Board | None:
    return boards_with_versions().filter(slug=slug).first()


def unknown_board(slug: str) -> UnknownName:
    known = listed_boards().order_by("slug").values_list("slug", flat=True)
    return unknown_name("board", slug, list(known))


def boards_with_versions() -> QuerySet[Board]:
    # Without what may be long and no page of a board shows.
    boards = Board.objects.select_related("dataset_version", "environment_version")
    return boards.defer(*UNSHOWN_OF_A_BOARD)


def listed_boards() -> QuerySet[Board]:
    # Those of puzzles, one a day, have a list of their own.
    return boards_with_versions().filter(puzzle=None)


def why_unranked(submission: Submission) -> str:
    # `add_figures` has looked up the standing.
    if submission.withdrawn_at is not None:
        return "It was withdrawn."
    standing: Standing | None = getattr(submission, "standing", None)
    if standing is None:
        return "None of its items has a verdict that counts."
    return why_without_rank(standing, submission.board)


_COLLECTION: Final = (
    "Its owner could read more than half of its results when it was submitted, and none was a record."
)


def why_without_rank(standing: EntryFigures, board: Board) -> str:
    waits = "waits" if standing.pending == 1 else "wait"
    reasons = (
        (standing.rank is not None, ""),
        (bool(board.unranked), f"The board is {board.unranked}"),
        (standing.pending > 0, f"{standing.pending:,} of its items {waits} for a verdict."),
        (not standing.complete, _incomplete(standing)),
        (standing.is_collection, _COLLECTION),
        (not standing.best_of_owner, "Its owner has a better entry."),
        (standing.log_freedom is None, "The error of its score is not known."),
    )
    behind = f"It stands behind the first {MOST_COMPARED:,} entries, and only those are compared."
    return next((why for applies, why in reasons if applies), behind)


def _incomplete(standing: EntryFigures) -> str:
    why = f"{standing.verified:,} of {standing.total:,} benchmarks are verified; a rank needs all."
    names = [BenchmarkUri.parse(uri).path for uri in standing.missing]
    more = standing.total - standing.verified - len(names)
    if not names:
        return why
    return f"{why} Not verified: {', '.join(names)}{f' and {more:,} more' if more else ''}."


_LISTED: Final = "SELECT uri, place FROM unnest(%(listed)s::text[]) WITH ORDINALITY AS listed (uri, place)"
_STORED: Final = """
SELECT uri, position AS place FROM datasets_benchmark WHERE version_id = %(version)s AND kind = 'stored'
"""
_MISSING: Final = """
SELECT one.uri FROM ({}) AS one
WHERE NOT EXISTS (
    SELECT 1 FROM leaderboard_submissionitem AS item
    WHERE item.submission_id = %(submission)s AND item.benchmark_uri = one.uri AND item.verdict = 'verified')
ORDER BY one.place LIMIT %(most)s
"""


def first_missing(board: Board, submission_id: uuid.UUID) -> list[str]:
    given = {
        "listed": board.benchmarks,
        "version": board.dataset_version_id,
        "submission": submission_id,
        "most": limits.MAX_MISSING_NAMED,
    }
    return [uri for (uri,) in read_rows(_MISSING.format(_LISTED if board.benchmarks else _STORED), given)]


MOST_ENTRIES: Final = 10
MOST_PROGRAMS: Final = 1_000
_DECIDING: Final = 5
_EQUAL: Final = 1e-12  # closer values differ by rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """An entry by other averages than the board's; ``improvement`` is papers' arithmetic mean."""

    entry: EntryFigures
    improvement: float
    improvement_place: int
    median: float
    median_place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Robustness:
    """The pairs of a board's first entries with different ranks, and how many of them change places.

    Attributes:
        by_improvement: By the arithmetic mean of the improvements.
        by_median: By the median of the ratios.
        deciding: Programs without which some do, with their number, most first.
        decisive: The number of such programs.
    """

    entries: tuple[Averages, ...]
    pairs: int
    by_improvement: int
    by_median: int
    deciding: tuple[tuple[str, int], ...]
    decisive: int


def robustness(rows: Sequence[EntryFigures]) -> Robustness | None:
    """Compare the first rows of a board; None if fewer than two have ranks, or the programs are too many."""
    ranked = [row for row in rows if row.rank is not None][:MOST_ENTRIES]
    if len(ranked) < 2 or not 1 < ranked[0].total <= MOST_PROGRAMS:  # noqa: PLR2004 - two to compare
        return None
    uris, logs = _logs(ranked)
    if len(uris) < 2:  # noqa: PLR2004 # without one program another must be left
        return None
    # Entries whose ranks overlap share them, in whatever order they stand.
    places = range(len(ranked))
    pairs = [
        (one, other) for one, other in combinations(places, 2) if _last(ranked[one]) < _first(ranked[other])
    ]
    improvements = np.array([row.mean_improvement or 0.0 for row in ranked])
    medians = np.median(logs, axis=1)
    without = (logs.sum(axis=1, keepdims=True) - logs) / (len(uris) - 1)
    changes = {uri: _changed(without[:, number], pairs) for number, uri in enumerate(uris)}
    deciding = sorted(
        ((uri, number) for uri, number in changes.items() if number), key=lambda pair: (-pair[1], pair[0])
    )
    by_improvement, by_median = _places(improvements), _places(medians)
    return Robustness(
        entries=tuple(
            Averages(
                entry=row,
                improvement=float(improvements[place]),
                improvement_place=by_improvement[place],
                median=float(np.exp(medians[place])),
                median_place=by_median[place],
            )
            for place, row in enumerate(ranked)
        ),
        pairs=len(pairs),
        by_improvement=_changed(improvements, pairs),
        by_median=_changed(medians, pairs),
        deciding=tuple(deciding[:_DECIDING]),
        decisive=len(deciding),
    )


def _logs(ranked: Sequence[EntryFigures]) -> tuple[list[str], NDArray[np.float64]]:
    # The programs, and the logarithms of their ratios, of shape (entries, programs).
    rows = (
        SubmissionItem.objects.filter(
            submission__in=[row.submission_id for row in ranked], verdict=SubmissionItem.Verdict.VERIFIED
        )
        .order_by()
        .values("submission_id")
        .annotate(
            uris=ArrayAgg("benchmark_uri", order_by="benchmark_uri"),
            logs=ArrayAgg("log_ratio", order_by="benchmark_uri"),
        )
        .values_list("submission_id", "uris", "logs")
    )
    found = {submission: (uris, logs) for submission, uris, logs in rows}
    # A verdict may have changed since the rows were read.
    entries = [found.get(row.submission_id, ([], [])) for row in ranked]
    uris = entries[0][0]
    if any(one != uris for one, _ in entries):
        return [], np.zeros((0, 0))
    return uris, np.array([logs for _, logs in entries])


def _first(row: EntryFigures) -> int:
    return row.rank or 0


def _last(row: EntryFigures) -> int:
    return row.rank_high or _first(row)


def _changed(values: NDArray[np.float64], pairs: Sequence[tuple[int, int]]) -> int:
    return sum(bool(values[one] < values[other] - _EQUAL) for one, other in pairs)


def _places(values: NDArray[np.float64]) -> list[int]:
    return [1 + int(np.sum(values > one + _EQUAL)) for one in values]
