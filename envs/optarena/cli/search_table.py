"""How a search shows how far it is: a live table on a terminal, and otherwise a line for each program."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Self

from rich.live import Live
from rich.table import Table

from optarena.cli.console import counted, errors, number, output, plain, table
from optarena.specs.board import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.agents.plans import SearchPlan
    from optarena.agents.searching import SearchProgress
    from optarena.specs import BoardSpec

_LEVEL: Final = "Oz"
"""The level that values are compared with where no board names one."""
_TIMES_A_SECOND: Final = 4
_SHOWN: Final = 12
"""How many programs the live table shows, the present one last."""


class SearchTable:
    """Shows the progress of a search.

    Args:
        plan: What is searched.
        board: The board whose level the values are compared with.
    """

    def __init__(self, plan: SearchPlan, board: BoardSpec | None) -> None:
        self._metric = plan.objective.metric
        self._level = (board.baseline_level if board else "") or _LEVEL
        self._seen: dict[str, SearchProgress] = {}
        self._console = errors()
        self._live = Live(console=self._console, refresh_per_second=_TIMES_A_SECOND, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def update(self, progress: SearchProgress) -> None:
        """Show how far the search on a program is."""
        before = self._seen.get(progress.benchmark.uri)
        self._seen[progress.benchmark.uri] = progress
        if self._live.is_started:
            self._live.update(self._table())
        elif progress.is_finished and not (before and before.is_finished):
            words = dict(zip(self._columns, self._row(progress), strict=True))
            compared = f", {words[self._ratio]} of {self._level}" if words[self._ratio] else ""
            begun = f"{words['start']} to " if words["start"] else ""
            self.say(
                f"{words['program']}: {begun}{words['best']}{compared}; "
                f"{counted(progress.evaluations, 'evaluation')} in {words['seconds']} s"
            )

    def say(self, text: str) -> None:
        """A line on standard output."""
        output().print(plain(text))

    def summarise(self) -> None:
        """Print the whole table, with the geometric mean."""
        rows = [self._row(one) for one in self._seen.values()]
        ratios = [found for one in self._seen.values() if (found := self._compared(one)) is not None]
        if ratios:
            mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
            rows.append(("geometric mean", "", "", f"{mean:.4f}", "", ""))
        table(self._columns, rows, numbers=self._columns[1:])

    @property
    def _ratio(self) -> str:
        return f"ratio to {self._level}"

    @property
    def _columns(self) -> tuple[str, ...]:
        return ("program", "start", "best", self._ratio, "evaluations", "seconds")

    def _row(self, one: SearchProgress) -> tuple[str, ...]:
        compared = self._compared(one)
        return (
            plain(one.benchmark.name),
            number(one.start),
            number(one.best),
            "" if compared is None else f"{compared:.4f}",
            str(one.evaluations),
            f"{one.seconds:.1f}",
        )

    def _compared(self, one: SearchProgress) -> float | None:
        """How many times better than the level a program's best value is; None where that is not known."""
        baseline = one.benchmark.baseline(self._metric.name, self._level)
        if not baseline or not one.best or one.best < 0:
            return None
        return ratio(baseline=baseline, achieved=one.best, lower_is_better=self._metric.lower_is_better)

    def _table(self) -> Table:
        shown = Table(box=None, pad_edge=False, header_style="bold")
        for column in self._columns:
            shown.add_column(column, justify="left" if column == "program" else "right")
        for row in self._latest():
            shown.add_row(*row)
        return shown

    def _latest(self) -> Iterator[tuple[str, ...]]:
        return map(self._row, list(self._seen.values())[-_SHOWN:])
