"""What becomes of results in another release of their compiler.

Of the committed results by ``drift.json``, which ``benchmarks/release_drift.py`` writes: each row was
replayed in both releases with its workloads. Of entries of this server by its two boards.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from statistics import geometric_mean
from typing import TYPE_CHECKING, Any, Final

from leaderboard.boards.ranking import BOARD_ORDER
from leaderboard.boards.standings import get_board, set_figures
from leaderboard.models import Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leaderboard.models import Board

_FILE: Final = Path(__file__).with_name("drift.json")
MOST_ENTRIES: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedRow:
    """A committed result of one program; a ratio is that to the reference of its release."""

    benchmark: str
    verdict: str
    before: float
    after: float | None
    ratio_before: float
    ratio_after: float | None
    reason: str

    @property
    def name(self) -> str:
        """The program's name within its dataset."""
        return self.benchmark.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedResult:
    """All rows of an agent's committed result for one dataset."""

    former: str
    board: str
    environment: str
    dataset: str
    agent: str
    digests: tuple[str, ...]
    rows: tuple[CarriedRow, ...]

    @property
    def counts(self) -> Counter[str]:
        """The number of rows by verdict."""
        return Counter(row.verdict for row in self.rows)

    @property
    def score_before(self) -> float | None:
        """The geometric mean of the ratios of the rows that are not refused."""
        return self._mean([row.ratio_before for row in self.rows if row.ratio_after is not None])

    @property
    def score_after(self) -> float | None:
        """The same in the other release."""
        return self._mean([row.ratio_after for row in self.rows if row.ratio_after is not None])

    def _mean(self, ratios: Sequence[float]) -> float | None:
        return geometric_mean(ratios) if ratios else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BothEntries:
    """Ranked entries of one owner and agent on two boards."""

    former: Standing
    now: Standing


@lru_cache(maxsize=1)
def carried_results() -> tuple[CarriedResult, ...]:
    """The committed results, those of one dataset together, the best first."""
    document: Mapping[str, Mapping[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    found = [
        CarriedResult(
            former=one["from"],
            board=one["to"],
            environment=one["environment"],
            dataset=one["dataset"],
            agent=one["agent"],
            digests=tuple(one["digests"]),
            rows=tuple(map(_row, one["rows"])),
        )
        for one in document.values()
    ]
    return tuple(sorted(found, key=lambda one: (one.dataset, -(one.score_after or 0))))


def _row(given: Mapping[str, Any]) -> CarriedRow:
    after = given["after"]
    return CarriedRow(
        benchmark=given["benchmark"],
        verdict=given["verdict"],
        before=given["before"],
        after=after,
        ratio_before=given["reference_before"] / given["before"],
        ratio_after=None if after is None else given["reference_after"] / after,
        reason=given["reason"],
    )


def carried_of(slug: str) -> tuple[CarriedResult, ...]:
    """Those of which a board is the former or the other one."""
    return tuple(one for one in carried_results() if slug in (one.former, one.board))


def by_dataset(found: Sequence[CarriedResult]) -> list[tuple[str, list[CarriedResult]]]:
    """The results of each dataset."""
    return [(dataset, list(rows)) for dataset, rows in groupby(found, key=lambda one: one.dataset)]


def both_boards(one: CarriedResult) -> tuple[Board, Board] | None:
    """The former board and the other one, if both compare the same programs here."""
    former, board = get_board(one.former), get_board(one.board)
    if former is None or board is None or former.dataset_version_id != board.dataset_version_id:
        return None
    return former, board


def both_entries(former: Board, board: Board) -> list[BothEntries]:
    """The best entries that are ranked on both boards, each with that of the same owner and agent."""
    ranking = Standing.objects.filter(board__provisional=False, board__withdrawn="")
    leading = ranking.filter(pending=0, leading=True, rankable=True).select_related("submission__owner")
    rows = list(leading.filter(board=board).order_by(*BOARD_ORDER)[:MOST_ENTRIES])
    owners = [row.submission.owner_id for row in rows]
    agents = [row.submission.agent for row in rows]
    others = list(leading.filter(board=former, submission__owner__in=owners, submission__agent__in=agents))
    set_figures([*rows, *others])
    known = {(one.submission.owner_id, one.submission.agent): one for one in others}
    return [
        BothEntries(former=known[key], now=row)
        for row in rows
        if (key := (row.submission.owner_id, row.submission.agent)) in known
    ]
