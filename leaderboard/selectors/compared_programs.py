"""The programs of a comparison: what each column has is read for those that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np

from leaderboard.models import BestResult, SubmissionItem
from leaderboard.selectors.boards import board_places, level_values
from optarena.specs.benchmark import BenchmarkUri

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from leaderboard.comparing import Results
    from leaderboard.models import Board, Standing, Submission

Kind = Literal["submission", "level", "virtual-best"]
_VERIFIED = SubmissionItem.Verdict.VERIFIED
_OF_ITEM = ("submission_id", "position", "verdict", "value", "ratio")


class Cell(NamedTuple):
    """What one column has for one program.

    Attributes:
        value: The measured value; None where the program is not verified.
        ratio: Its ratio to the board's reference; None likewise.
        verdict: The verdict on the item; empty where there is none.
        submission, position: The item behind it, where there is one.
    """

    value: float | None = None
    ratio: float | None = None
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
        score: Its score on the board; None where it has none.
        results: Its results, in the board's order of programs.
        is_there: For which of these programs it has anything, verified or not.
        submission: The submission, of that kind.
        level: The compiler's level, of that kind.
    """

    letter: str
    choice: str
    kind: Kind
    label: str
    score: float | None
    results: Results
    is_there: NDArray[np.bool_]
    submission: Submission | None = None
    level: str = ""

    @property
    def standing(self) -> Standing | None:
        """The standing of a submission, with its rank."""
        return getattr(self.submission, "standing", None)


class ProgramRow(NamedTuple):
    """One program: what each column has, and the place of the only one that no competing one is ahead of."""

    uri: str
    cells: tuple[Cell, ...]
    winner: int | None

    @property
    def name(self) -> str:
        """The program's name."""
        return BenchmarkUri.parse(self.uri).path


class ComparedPrograms(Sequence[ProgramRow]):
    """The board's programs that any column has, in the board's order; a slice reads its rows.

    Args:
        board: The board.
        columns: Those that are compared.
        winners: For each program of the board the place of the only column ahead, or -1.
    """

    def __init__(self, board: Board, columns: Sequence[Column], winners: NDArray[np.intp]) -> None:
        self._board = board
        self._columns = columns
        self._winners = winners
        self._uris = tuple(board_places(board))
        self._shown = np.flatnonzero(np.logical_or.reduce([column.is_there for column in columns]))
        """The places of the programs in the board's order."""

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
        """Where a program is, by its name or URI; None if no column has it."""
        for index, place in enumerate(self._shown.tolist()):
            uri = self._uris[place]
            if uri == program or (program in uri and BenchmarkUri.parse(uri).path == program):
                return index
        return None

    def first_difference(self) -> int | None:
        """The first program on which one column is ahead, or else the first one; None if there is none."""
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
        """What each column has for these programs, by URI."""
        submissions = [one.submission.pk for one in self._columns if one.submission is not None]
        items = SubmissionItem.objects.filter(submission__in=submissions, benchmark_uri__in=uris)
        rows = items.order_by().values_list("benchmark_uri", *_OF_ITEM) if submissions else ()
        own: dict[uuid.UUID, dict[str, Cell]] = {}
        for uri, *rest in rows:
            own.setdefault(rest[0], {})[uri] = _cell(*rest)
        return [
            own.get(one.submission.pk, {})
            if one.submission is not None
            else self._of_level(one, uris)
            if one.kind == "level"
            else self._of_virtual_best(uris)
            for one in self._columns
        ]

    def _of_level(self, column: Column, uris: Sequence[str]) -> dict[str, Cell]:
        found = level_values(self._board, column.level, uris)
        return {uri: Cell(value=value, ratio=ratio) for uri, (value, ratio) in found.items()}

    def _of_virtual_best(self, uris: Sequence[str]) -> dict[str, Cell]:
        rows = BestResult.objects.filter(board=self._board, benchmark_uri__in=uris).order_by()
        found = rows.values_list("benchmark_uri", *(f"item__{name}" for name in _OF_ITEM))
        return {uri: _cell(*rest) for uri, *rest in found}


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
