"""Entries, references and the best of everybody beside each other: who is ahead on which program, and why."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from leaderboard import comparing
from leaderboard.comparing import Duel, Result
from leaderboard.models import BestResult, Board, Submission, SubmissionItem
from leaderboard.selectors.boards import (
    board_benchmarks,
    board_metric,
    recorded_levels,
    reference_rows,
)
from leaderboard.selectors.standings import get_board
from leaderboard.selectors.submissions import add_figures
from leaderboard.selectors.virtual_best import virtual_best
from optarena.documents.places import shown
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs.board import ratio
from optarena.specs.uri import BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leaderboard.models import Standing
    from leaderboard.selectors.boards import ReferenceRow

FEWEST, MOST = 2, 4
VIRTUAL_BEST: Final = "virtual-best"
LEVEL_PREFIX: Final = "level:"
Kind = Literal["submission", "level", "virtual-best"]
Verdict = SubmissionItem.Verdict
_HOW: Final = (
    f"Give {FEWEST} to {MOST} of these: the id of a submission, `{LEVEL_PREFIX}` and a level, "
    f"`{VIRTUAL_BEST}`."
)
_COLUMNS: Final = ("submission_id", "position", "verdict", "value", "ratio", "log_variance", "log_freedom")


class Cell(NamedTuple):
    """What one column has for one program.

    Attributes:
        value: The measured value; None where the program is not verified.
        result: Its ratio; None likewise.
        verdict: The verdict on the item; empty where there is none.
        submission, position: The item behind it, where there is one.
    """

    value: float | None = None
    result: Result | None = None
    verdict: str = ""
    submission: uuid.UUID | None = None
    position: int | None = None


@dataclass(frozen=True, kw_only=True)
class Column:
    """One of those that are compared.

    Attributes:
        letter: A for the first.
        choice: What stands for it in an address.
        kind: What it is.
        label: Its name for people.
        submission: The submission, of that kind.
        score: Its score on the board; None where it has none.
        cells: What it has, by the URI of the program.
    """

    letter: str
    choice: str
    kind: Kind
    label: str
    submission: Submission | None
    score: float | None
    cells: Mapping[str, Cell]

    @property
    def standing(self) -> Standing | None:
        """The standing of a submission, with its rank."""
        return getattr(self.submission, "standing", None)

    @cached_property
    def results(self) -> dict[str, Result]:
        """Its results, by the URI of the program."""
        return {uri: cell.result for uri, cell in self.cells.items() if cell.result is not None}


class ProgramRow(NamedTuple):
    """One program: what each column has, and the place of the only one that no competing one is ahead of."""

    uri: str
    cells: tuple[Cell, ...]
    winner: int | None

    @property
    def name(self) -> str:
        """The program's name."""
        return BenchmarkUri.parse(self.uri).path


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Columns beside each other.

    Attributes:
        board: The board.
        columns: Those that are compared.
        rows: The board's programs that any of them has, in the board's order.
    """

    board: Board
    columns: tuple[Column, ...]
    rows: tuple[ProgramRow, ...]

    @property
    def wins(self) -> list[int]:
        """On how many programs each column is the only one that no other is ahead of."""
        return [sum(row.winner == place for row in self.rows) for place in range(len(self.columns))]

    @cached_property
    def common(self) -> list[str]:
        """The programs that all columns have."""
        return [row.uri for row in self.rows if all(row.uri in one.results for one in self.columns)]

    @property
    def means(self) -> list[float | None]:
        """The geometric mean of each column's ratios over the programs that all of them have."""
        return [
            comparing.geometric_mean([column.results[uri] for uri in self.common]) for column in self.columns
        ]

    @property
    def pairs(self) -> list[tuple[int, int, Duel]]:
        """Each pair of columns, by their places, with wins, ties and losses of the first."""
        exact = self.board.exact
        return [
            (one, other, comparing.pair(self.columns[one].results, self.columns[other].results, exact=exact))
            for one in range(len(self.columns))
            for other in range(one + 1, len(self.columns))
        ]

    def row_of(self, program: str) -> ProgramRow:
        """The row of a program, by its name or URI.

        Raises:
            InvalidInput: None of the columns has it.
        """
        for row in self.rows:
            if program in (row.uri, row.name):
                return row
        remedy = "Take the name or URI of a program that the comparison lists."
        raise InvalidInput(
            "No compared entry has this program.", field="program", value=shown(program), remedy=remedy
        )

    def first_difference(self) -> ProgramRow | None:
        """The first program on which one column is ahead, or else the first that any has."""
        return next((row for row in self.rows if row.winner is not None), next(iter(self.rows), None))


def compare(choices: Sequence[str], *, slug: str = "") -> Comparison:
    """Compare what these choices stand for.

    Args:
        choices: Two to four: ids of submissions, levels with their prefix, or the virtual best.
        slug: The board, where no submission says it.

    Raises:
        InvalidDocument: With every problem.
    """
    problems: list[Problem] = list(_number_problems(choices))
    submissions = _submissions(choices, problems)
    board = _board(slug, submissions, problems)
    if problems or board is None:
        raise InvalidDocument(problems)
    columns = _columns(choices, submissions, board, problems)
    if problems:
        raise InvalidDocument(problems)
    return Comparison(board=board, columns=columns, rows=tuple(_rows(board, columns)))


def submissions_named(choices: Sequence[str]) -> dict[str, Submission]:
    """The submissions that stand behind these choices, by choice; those of no submission are left out."""
    ids = {choice: key for choice in choices if (key := _id_of(choice)) is not None}
    related = ("board__dataset_version", "board__environment_version", "owner", "standing")
    found = Submission.objects.select_related(*related).in_bulk(list(ids.values())) if ids else {}
    return {choice: found[key] for choice, key in ids.items() if key in found}


def _number_problems(choices: Sequence[str]) -> Iterator[Problem]:
    if not FEWEST <= len(choices) <= MOST:
        message = f"{len(choices)} entries are given; {FEWEST} to {MOST} can be compared."
        yield Problem(field="entry", value=str(len(choices)), message=message, remedy=_HOW)
    for choice in sorted({one for one in choices if choices.count(one) > 1}):
        message = "This entry is given more than once."
        yield Problem(field="entry", value=shown(choice), message=message, remedy="Give it once.")


def _submissions(choices: Sequence[str], problems: list[Problem]) -> dict[str, Submission]:
    """The submissions among the choices, by their choice."""
    wanted = [
        choice
        for choice in dict.fromkeys(choices[: MOST + 1])
        if choice != VIRTUAL_BEST and not choice.startswith(LEVEL_PREFIX)
    ]
    found = submissions_named(wanted)
    for choice in wanted:
        if choice in found:
            continue
        message, remedy = "There is no such submission.", "Take an id from /api/v1/submissions/."
        if _id_of(choice) is None:
            message, remedy = "This names neither a submission nor anything else to compare.", _HOW
        problems.append(Problem(field="entry", value=shown(choice), message=message, remedy=remedy))
    add_figures(list(found.values()))
    return found


def _id_of(choice: str) -> uuid.UUID | None:
    """The id that a choice is, as addresses write it: in two spellings it would be compared with itself."""
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
        remedy = "Name a board of /api/v1/boards/ in `board`."
        problems.append(Problem(field="board", value=shown(slug), message=message, remedy=remedy))
    if board is not None and slug and board.slug != slug:
        message = f"The entries are of the board {board.slug}."
        problems.append(Problem(field="board", value=shown(slug), message=message, remedy="Leave it out."))
    return board


def _columns(
    choices: Sequence[str],
    submissions: Mapping[str, Submission],
    board: Board,
    problems: list[Problem],
) -> tuple[Column, ...]:
    cells = _cells_of_items(board, submissions)
    levels = {one.level: one for one in reference_rows(board)}
    columns = []
    for letter, choice in zip("ABCD", choices, strict=False):
        level = choice.removeprefix(LEVEL_PREFIX)
        if choice in submissions:
            columns.append(_of_submission(letter, choice, submissions[choice], cells))
        elif choice == VIRTUAL_BEST:
            columns.append(_of_virtual_best(letter, board))
        elif level in levels:
            columns.append(_of_level(letter, board, levels[level]))
        else:
            known = ", ".join(f"{LEVEL_PREFIX}{one}" for one in levels) or "none"
            message, remedy = f"The board {board.slug} has no level {shown(level)!r}.", f"Levels: {known}."
            problems.append(Problem(field="entry", value=shown(choice), message=message, remedy=remedy))
    return tuple(columns)


def _of_submission(
    letter: str, choice: str, submission: Submission, cells: Mapping[uuid.UUID, Mapping[str, Cell]]
) -> Column:
    standing: Standing | None = getattr(submission, "standing", None)
    return Column(
        letter=letter,
        choice=choice,
        kind="submission",
        label=f"{submission.agent} by {submission.owner.username}",
        submission=submission,
        score=standing.score if standing is not None and not standing.pending else None,
        cells=cells.get(submission.pk, {}),
    )


def _of_virtual_best(letter: str, board: Board) -> Column:
    rows = BestResult.objects.filter(board=board).order_by()
    items = rows.values_list("benchmark_uri", *(f"item__{name}" for name in _COLUMNS))
    best = virtual_best(board, ())
    return Column(
        letter=letter,
        choice=VIRTUAL_BEST,
        kind="virtual-best",
        label="Virtual best",
        submission=None,
        score=None if best is None else best.score,
        cells={uri: _cell(*rest, exact=board.exact) for uri, *rest in items},
    )


def _of_level(letter: str, board: Board, row: ReferenceRow) -> Column:
    recorded = recorded_levels(board, {row.level, board.baseline_level})
    lower = board_metric(board).lower_is_better
    cells = {
        uri: Cell(
            value=values[row.level],
            result=Result(
                ratio(
                    baseline=values[board.baseline_level], achieved=values[row.level], lower_is_better=lower
                )
            ),
        )
        for uri, values in recorded.items()
        if row.level in values and board.baseline_level in values
    }
    return Column(
        letter=letter,
        choice=f"{LEVEL_PREFIX}{row.level}",
        kind="level",
        label=row.label,
        submission=None,
        score=row.score,
        cells=cells,
    )


def _cells_of_items(board: Board, submissions: Mapping[str, Submission]) -> dict[uuid.UUID, dict[str, Cell]]:
    """What submissions have, by submission and URI."""
    found: dict[uuid.UUID, dict[str, Cell]] = {}
    items = SubmissionItem.objects.filter(submission__in=[one.pk for one in submissions.values()])
    rows = items.order_by().values_list("benchmark_uri", *_COLUMNS) if submissions else ()
    for uri, *rest in rows:
        found.setdefault(rest[0], {})[uri] = _cell(*rest, exact=board.exact)
    return found


def _cell(  # noqa: PLR0913, PLR0917 - the columns of a row
    submission: uuid.UUID,
    position: int,
    verdict: str,
    value: float | None,
    ratio: float | None,
    variance: float | None,
    freedom: float | None,
    *,
    exact: bool,
) -> Cell:
    is_verified = verdict == Verdict.VERIFIED and ratio is not None
    error = None if exact or variance is None or freedom is None else (variance, freedom)
    return Cell(
        value=value if is_verified else None,
        result=Result(ratio, error) if is_verified and ratio is not None else None,
        verdict=verdict,
        submission=submission,
        position=position,
    )


def _rows(board: Board, columns: Sequence[Column]) -> Iterator[ProgramRow]:
    # The virtual best equals somebody everywhere: beside two others it would leave nobody ahead.
    competing = [
        place for place, one in enumerate(columns) if one.kind != "virtual-best" or len(columns) == FEWEST
    ]
    empty = Cell()
    for uri in board_benchmarks(board):
        cells = tuple([column.cells.get(uri, empty) for column in columns])
        if any(cell is not empty for cell in cells):
            ahead = comparing.winner([cells[place].result for place in competing], exact=board.exact)
            yield ProgramRow(uri, cells, None if ahead is None else competing[ahead])
