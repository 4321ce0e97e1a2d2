"""How the command line prints: results on standard output, progress and errors on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from optarena.documents.places import grouped, listed
from optarena.documents.texts import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optarena.client import FieldProblem
    from optarena.errors import Problem

_SHOWN: Final = 20
_STYLES: Final = {
    "verified": "green",
    "equal": "green",
    "valid": "green",
    "refuted": "red",
    "differs": "red",
    "invalid": "red",
    "failed": "red",
    "quarantined": "yellow",
    "partial": "yellow",
}


def output() -> Console:
    """Standard output, highlighted on terminals only; lines that go into a pipe are never wrapped."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 1000
    return console


def errors() -> Console:
    """Standard error."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def show_error(message: str, *, kind: str = "error") -> None:
    """One line on standard error."""
    errors().print(f"[bold red]{kind}:[/] {plain(message)}")


def plain(text: str) -> str:
    """A text by a server or an author, made safe for the terminal: without markup and control characters."""
    return escape(one_line(text))


def show_problems(problems: Sequence[Problem | FieldProblem]) -> None:
    """One line on standard error for all rows that have the same problem, up to a screenful of lines."""
    groups = grouped(problems)
    for problem, rows in groups[:_SHOWN]:
        where = f"{places('row', rows)}: " if rows else ""
        given = f" (given: {problem.value})" if problem.value else ""
        show_error(f"{where}{problem.field}: {problem.message}{given} {problem.remedy}".rstrip())
    if len(groups) > _SHOWN:
        show_error(f"{len(groups) - _SHOWN} more problems are not shown; correct these first.")


def counted(number: int, noun: str) -> str:
    """How many there are: ``1 result``, ``1,000 results``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def places(noun: str, numbers: Sequence[int]) -> str:
    """Places as people list them: ``row 3``; ``rows 3, 5 to 9 and 12``."""
    return f"{noun}{'s' if len(set(numbers)) > 1 else ''} {listed(numbers)}"


def styled(word: str) -> str:
    """A state or verdict in its colour."""
    style = _STYLES.get(word)
    return f"[{style}]{plain(word)}[/]" if style else plain(word)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, numbers: Sequence[str] = ()) -> None:
    """Print a table; cells may have markup from ``styled`` and must be escaped otherwise."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        shown.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        shown.add_row(*("" if cell is None else str(cell) for cell in row))
    output().print(shown)


def progress_bar() -> Progress:
    """A progress bar on standard error; silent if that is not a terminal."""
    console = errors()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def number(value: float | None) -> str:
    """A count or a measured value, without spurious digits."""
    if value is None:
        return ""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4f}"
