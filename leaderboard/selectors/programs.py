"""A board benchmark by benchmark: what the virtual best is made of, beside what some entries reach.

Of both benchmarks and entries only some are read, so that the cost does not depend on the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from leaderboard.models import BestResult, SubmissionItem
from leaderboard.selectors.boards import stored_benchmarks
from leaderboard.selectors.standings import RankedRows
from optarena.specs.benchmark import BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leaderboard.models import Board, EntryFigures
    from leaderboard.selectors.choices import BoardChoice

ENTRIES: Final = 8
"""Entries that are shown beside each other."""
_SHOWN_OF_A_BEST: Final = (
    *(
        "benchmark_uri",
        "log_ratio",
        "log_without",
        "own",
        "item__position",
        "item__submission_id",
        "item__ratio",
    ),
    *("item__value", "item__decided_at", "submission__agent", "submission__owner__username"),
)
_SHOWN_OF_AN_ITEM: Final = (
    *("submission_id", "position", "benchmark_uri", "verdict", "reason", "ratio", "value", "own"),
)


@dataclass(frozen=True, slots=True)
class BoardCell:
    """What one entry has of one benchmark.

    Attributes:
        entry: The entry.
        item: Its item; None if it submitted none.
        is_best: Whether no other of the entries beside it is better.
    """

    entry: EntryFigures
    item: SubmissionItem | None
    is_best: bool

    @property
    def ratio(self) -> float | None:
        """The verified ratio; None where there is none."""
        is_verified = self.item is not None and self.item.verdict == SubmissionItem.Verdict.VERIFIED
        return self.item.ratio if self.item is not None and is_verified else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProgram:
    """One benchmark of a board.

    Attributes:
        uri: Its URI.
        best: The best verified result; None if there is none.
        cells: What each of the entries has of it, in their order.
    """

    uri: str
    best: BestResult | None
    cells: tuple[BoardCell, ...]

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return BenchmarkUri.parse(self.uri).path


@dataclass(frozen=True, slots=True)
class BoardPrograms:
    """The benchmarks of a board, in its order, each with the results of some entries.

    Attributes:
        board: The board.
        entries: The entries.
    """

    board: Board
    entries: tuple[EntryFigures, ...]

    def __len__(self) -> int:
        return len(self.board.benchmarks) or stored_benchmarks(self.board).count()

    def __getitem__(self, part: slice) -> list[BoardProgram]:
        uris = self._uris(part)
        best = {row.benchmark_uri: row for row in self._bests(uris)}
        items = self._items(uris)
        return [BoardProgram(uri=uri, best=best.get(uri), cells=self._cells(uri, items)) for uri in uris]

    def _uris(self, part: slice) -> Sequence[str]:
        if self.board.benchmarks:
            return [str(uri) for uri in self.board.benchmarks[part]]
        return list(stored_benchmarks(self.board).values_list("uri", flat=True)[part])

    def _bests(self, uris: Sequence[str]) -> Sequence[BestResult]:
        rows = BestResult.objects.filter(board=self.board, benchmark_uri__in=uris).order_by()
        rows = rows.select_related("item", "submission__owner").only(*_SHOWN_OF_A_BEST)
        return list(rows)

    def _items(self, uris: Sequence[str]) -> dict[tuple[object, str], SubmissionItem]:
        shown = [entry.submission_id for entry in self.entries]
        rows = SubmissionItem.objects.filter(submission__in=shown, benchmark_uri__in=uris).order_by()
        return {(item.submission_id, item.benchmark_uri): item for item in rows.only(*_SHOWN_OF_AN_ITEM)}

    def _cells(self, uri: str, items: dict[tuple[object, str], SubmissionItem]) -> tuple[BoardCell, ...]:
        cells = [BoardCell(entry, items.get((entry.submission_id, uri)), False) for entry in self.entries]
        best = max((cell.ratio for cell in cells if cell.ratio is not None), default=None)
        return tuple(
            BoardCell(cell.entry, cell.item, best is not None and cell.ratio == best) for cell in cells
        )


def programs(board: Board, choice: BoardChoice, *, first: int = 0) -> BoardPrograms:
    """The benchmarks of a board beside ``ENTRIES`` entries that a choice asks for, from a place on."""
    return BoardPrograms(board, tuple(RankedRows(board, choice)[first : first + ENTRIES]))
