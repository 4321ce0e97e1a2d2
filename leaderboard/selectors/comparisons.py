"""Entries, references and the best of everybody beside each other: who is ahead on which program, and why."""

from __future__ import annotations

import itertools
import uuid
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from django.db import connection

from leaderboard import comparing
from leaderboard.comparing import Duel, Results
from leaderboard.models import Board, Submission
from leaderboard.selectors.boards import board_places, level_logs, reference_rows
from leaderboard.selectors.compared_programs import Column, ComparedPrograms
from leaderboard.selectors.standings import get_board
from leaderboard.selectors.submissions import add_figures
from leaderboard.selectors.virtual_best import virtual_best
from optarena.documents.places import shown
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from leaderboard.models import Standing
    from leaderboard.selectors.boards import ReferenceRow

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


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Columns beside each other.

    Attributes:
        board: The board.
        columns: Those that are compared.
        winners: For each program of the board the place of the only column that no competing one is ahead
            of, or -1; shape (programs,).
    """

    board: Board
    columns: tuple[Column, ...]
    winners: NDArray[np.intp]

    @cached_property
    def rows(self) -> ComparedPrograms:
        """The board's programs that any of the columns has, in the board's order."""
        return ComparedPrograms(self.board, self.columns, self.winners)

    @property
    def wins(self) -> list[int]:
        """On how many programs each column is the only one that no other is ahead of."""
        return [int((self.winners == place).sum()) for place in range(len(self.columns))]

    @cached_property
    def _in_common(self) -> NDArray[np.bool_]:
        shared: NDArray[np.bool_] = np.logical_and.reduce([one.results.given for one in self.columns])
        return shared

    @property
    def common(self) -> int:
        """The number of programs for which all columns have a result."""
        return int(self._in_common.sum())

    @property
    def means(self) -> list[float | None]:
        """Each column's geometric mean over the programs that all of them have."""
        return [comparing.geometric_mean(one.results.logs[self._in_common]) for one in self.columns]

    @property
    def pairs(self) -> list[tuple[int, int, Duel]]:
        """Each pair of columns, by their places, with wins, ties and losses of the first."""
        exact, results = self.board.exact, [one.results for one in self.columns]
        return [
            (one, other, comparing.pair(results[one], results[other], exact=exact))
            for one, other in itertools.combinations(range(len(results)), 2)
        ]

    def place_of(self, program: str) -> int | None:
        """Where a program is, by its name or URI; without one, where the first difference is.

        Returns:
            None where nothing is asked for and nobody has anything.

        Raises:
            InvalidInput: None of the columns has it.
        """
        if not program:
            return self.rows.first_difference()
        place = self.rows.place_of(program)
        if place is None:
            remedy = "Take the name or URI of a program that the comparison lists."
            raise InvalidInput(
                "No compared entry has this program.", field="program", value=shown(program), remedy=remedy
            )
        return place


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
    return Comparison(board=board, columns=columns, winners=_winners(board, columns))


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
    levels = {one.level: one for one in reference_rows(board)}
    columns = []
    for letter, choice in zip("ABCD", choices, strict=False):
        level = choice.removeprefix(LEVEL_PREFIX)
        if choice in submissions:
            columns.append(_of_submission(letter, choice, submissions[choice], board))
        elif choice == VIRTUAL_BEST:
            columns.append(_of_virtual_best(letter, board))
        elif level in levels:
            columns.append(_of_level(letter, board, levels[level]))
        else:
            known = ", ".join(f"{LEVEL_PREFIX}{one}" for one in levels) or "none"
            message, remedy = f"The board {board.slug} has no level {shown(level)!r}.", f"Levels: {known}."
            problems.append(Problem(field="entry", value=shown(choice), message=message, remedy=remedy))
    return tuple(columns)


def _of_submission(letter: str, choice: str, submission: Submission, board: Board) -> Column:
    standing: Standing | None = getattr(submission, "standing", None)
    results, is_there = _results(board, _OF_SUBMISSION, submission.pk)
    return Column(
        letter=letter,
        choice=choice,
        kind="submission",
        label=f"{submission.agent} by {submission.owner.username}",
        score=standing.score if standing is not None and not standing.pending else None,
        results=results,
        is_there=is_there,
        submission=submission,
    )


def _of_virtual_best(letter: str, board: Board) -> Column:
    best = virtual_best(board, ())
    rows = _OF_EVERYBODY if board.exact else _OF_EVERYBODY_MEASURED
    results, is_there = _results(board, rows, board.pk)
    return Column(
        letter=letter,
        choice=VIRTUAL_BEST,
        kind="virtual-best",
        label="Virtual best",
        score=None if best is None else best.score,
        results=results,
        is_there=is_there,
    )


def _of_level(letter: str, board: Board, row: ReferenceRow) -> Column:
    logs = level_logs(board, row.level)
    unknown = np.full(len(logs), np.nan)
    results = Results(logs, unknown, unknown)
    return Column(
        letter=letter,
        choice=f"{LEVEL_PREFIX}{row.level}",
        kind="level",
        label=row.label,
        score=row.score,
        results=results,
        is_there=results.given,
        level=row.level,
    )


def _results(board: Board, rows: str, key: uuid.UUID | int) -> tuple[Results, NDArray[np.bool_]]:
    """The results of the items that a query selects, and for which programs there is one.

    A text and bytes of all of them are read: rows of 10,000 items would take far longer.
    """
    numbers = _NUMBERS[:1] if board.exact else _NUMBERS
    sent = "".join(f", string_agg(float8send(coalesce({one}, 'NaN')), '')" for one in numbers)
    query = f"SELECT string_agg(benchmark_uri, E'\\n'){sent} FROM ({rows}) AS row"  # noqa: S608 # of constants
    with connection.cursor() as cursor:
        cursor.execute(query, [key])
        uris, *given = cursor.fetchone()
    places = board_places(board)
    # Behind the last program there is a place for items of others, which are left out.
    at = [places.get(uri, len(places)) for uri in uris.split("\n")] if uris else []
    arrays = np.full((len(_NUMBERS), len(places) + 1), np.nan)
    for array, values in zip(arrays, given, strict=False):
        array[at] = np.frombuffer(values or b"", dtype=">f8")
    is_there = np.zeros(len(places) + 1, dtype=bool)
    is_there[at] = True
    return Results(*arrays[:, :-1]), is_there[:-1]


def _winners(board: Board, columns: Sequence[Column]) -> NDArray[np.intp]:
    # The virtual best equals somebody everywhere: beside two others it would leave nobody ahead.
    competing = [
        place for place, one in enumerate(columns) if one.kind != "virtual-best" or len(columns) == FEWEST
    ]
    found = comparing.winners([columns[place].results for place in competing], exact=board.exact)
    return np.where(found < 0, -1, np.array(competing)[found])
