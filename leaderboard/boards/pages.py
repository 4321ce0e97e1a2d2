"""The pages of boards: of their rows, programs, recipes, and the drift between releases of a compiler."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from statistics import geometric_mean
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasets.site.charts import Point, ScatterChart, StepChart, for_screens, scatter_chart, step_chart
from leaderboard.boards import queries as board_queries
from leaderboard.boards import ranking, standings
from leaderboard.boards.api import PENDING
from leaderboard.boards.queries import BoardProgram, board_metric, permalink, reference_name
from leaderboard.boards.ranking import BOARD_ORDER, EFFORT_CLASSES, NOT_REPORTED, UNREPORTED
from leaderboard.boards.standings import BoardChoice, get_board, robustness, set_figures
from leaderboard.builds import queries as build_queries
from leaderboard.builds.queries import why_no_board_recipe
from leaderboard.common.pagination import page_number, page_of
from leaderboard.compare import queries as comparison_queries
from leaderboard.models import Board, EntryFigures, Standing
from leaderboard.records import queries as record_queries
from leaderboard.records.queries import Effort, Rise
from leaderboard.runners import queries as runner_queries
from leaderboard.submissions.services import Conflict
from leaderboard.templatetags.boards import reference_line
from optarena import limits
from runner.database import database_now

# Their greatest values are of interest first.
_DOWN_FIRST: Final = frozenset({"score", "verified", "own_items", "contribution", "created"})
# Columns that say the score in another way.
_BY_SCORE: Final = frozenset({"gap", "saving"})


def columns(board: Board, choice: BoardChoice, *, has_best: bool) -> Iterator[dict[str, object]]:
    """The columns of a board; ``has_best`` says whether its rows are compared with the virtual best."""
    lower, level = board_metric(board).lower_is_better, reference_name(board)
    ratio = f"{level} / measured" if lower else f"measured / {level}"
    lower_without = "How much lower the virtual best would be without the finds of this entry"
    below = "How far the score is below that of the virtual best"
    saving = "The score in words. The share that is saved is 1 − 1 / score"  # noqa: RUF001 - a minus sign
    described = (
        ("rank", "Rank", "", "Equal scores share a rank", True),
        ("agent", "Agent", "", "", False),
        (
            "score",
            "Score",
            f"× {level.removeprefix('the ')}",  # noqa: RUF001 - times
            f"Geometric mean of {ratio}; 1 is {level}",
            True,
        ),
        ("gap", "Gap", "to virtual best", below, True),
        ("contribution", "Contribution", "to virtual best", lower_without, True),
        ("saving", "Against", level, saving, True),
        ("verified", "Verified", "benchmarks", "", True),
        ("own_items", "Own", "", "Results that the owner could not have read", True),
        ("effort", "Effort", "compilations, time", "As reported, of one program and of the search", False),
        ("effective_actions", "Actions", "effective", "Actions that changed something, over all", True),
        ("created", "Submitted", "UTC", "", False),
    )
    for name, label, unit, title, is_number in described:
        if (name == "rank" and board.unranked) or (not has_best and name in ("gap", "contribution")):
            continue
        yield {
            "name": name,
            "label": label,
            "unit": unit,
            "title": title,
            "is_number": is_number,
            "address": _address(choice, name),
            "order": _order(choice, name),
        }


def _address(choice: BoardChoice, name: str) -> str:
    # Sorts by the column, or turns the order round.
    asked = "score" if name in _BY_SCORE else name
    query = {key: text for key, text in choice.given.items() if key != "sort"}
    if asked == "rank":
        return "?" + urlencode(query)
    if choice.sort in (asked, f"-{asked}"):
        turned = asked if choice.sort.startswith("-") else f"-{asked}"
    else:
        turned = f"-{asked}" if asked in _DOWN_FIRST else asked
    return "?" + urlencode(query | {"sort": turned})


def _order(choice: BoardChoice, name: str) -> str:
    if name in _BY_SCORE:
        return ""
    if choice.sort.removeprefix("-") != name:
        return "ascending" if name == "rank" and not choice.sort else ""
    return "descending" if choice.sort.startswith("-") else "ascending"


ROWS_A_PAGE: Final = 25
PROGRAMS_A_PAGE: Final = 40


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    found = board_queries.list_boards()
    context = {"boards": found, "across": comparison_queries.metrics_across(one.board for one in found)}
    return render(request, "leaderboard/boards.html", context)


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    found = find_board(slug)
    choice = standings.choice_of(request.GET)
    # Before the rows are read: an entry that ends meanwhile is of a later moment.
    moment = choice.as_of or database_now()
    page: Page[EntryFigures] = page_of(standings.standings(found, choice), ROWS_A_PAGE, request)
    rows = list(page.object_list)
    if not choice.every_entry and choice.as_of is None:
        standings.add_others(found, rows)
    # What a whole board of now compares with stands on its first page, where the top of the board is.
    is_top = choice.is_in_order and choice.as_of is None and not page.has_previous()
    best = None if choice.as_of else board_queries.virtual_best(found, [row.submission_id for row in rows])
    context = _about(found, choice) | {
        # Only the pages of measured boards show the runners.
        "hardware": None if found.exact else runner_queries.board_hardware(found),
        "notice": runner_queries.board_notice(found) if found.state == Board.State.OPEN else None,
        "rows": list(board_queries.board_rows(rows, board_queries.references(found) if is_top else [])),
        "best": best,
        "is_top": is_top,
        "has_entries": bool(rows),
        "robustness": robustness(rows) if is_top else None,
        "is_for_builds": not why_no_board_recipe(found),
        "has_drift": bool(carried_of(found.slug)),
        "columns": list(columns(found, choice, has_best=best is not None)),
        "undecided": choice.is_in_order and _is_undecided(rows),
        "page": page,
        "query": urlencode(choice.given),
        "link": permalink(request, found, choice, moment),
        "limits": limits.as_dict(),
        "plausible_step": ranking.PLAUSIBLE_STEP,
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    if not page.has_previous() and not choice.sort:
        # What it says of all entries, which is the same in any order.
        rises = record_queries.best_over_time(found, until=choice.as_of)
        pending = standings.PendingEntries(found, choice)
        newest = pending[:PENDING]
        context |= {
            "rises": rises,
            "rise_charts": rise_charts(found, rises, moment),
            "effort_charts": _effort_charts(found, record_queries.efforts(found, choice)),
            "pending": newest,
            "pending_count": len(pending) if len(newest) == PENDING else len(newest),
        }
    return render(request, "leaderboard/board.html", context)


@require_safe
def programs(request: HttpRequest, slug: str) -> HttpResponse:
    found = find_board(slug)
    given = {name: str(text) for name, text in request.GET.items() if name != "as_of"}
    choice = standings.choice_of(given)
    number = page_number("entries", request.GET.get("entries"))
    first = (number - 1) * board_queries.ENTRIES
    listed = board_queries.programs(found, choice, first=first)
    page: Page[BoardProgram] = page_of(listed, PROGRAMS_A_PAGE, request)
    context = _about(found, choice) | {
        "page": page,
        "rows": list(page.object_list),
        "entries": listed.entries,
        "number": number,
        "has_more": len(listed.entries) == board_queries.ENTRIES,
        "best": board_queries.virtual_best(found, [one.submission_id for one in listed.entries]),
        "query": urlencode(choice.given),
    }
    return render(request, "leaderboard/programs.html", context)


@require_safe
def drift(request: HttpRequest, slug: str) -> HttpResponse:
    found, carried = find_board(slug), carried_of(slug)
    context: dict[str, Any] = {"board": found, "metric": board_queries.board_metric(found)}
    if carried:
        boards = both_boards(carried[0])
        context |= {
            "about": carried[0],
            "datasets": [(name, list(rows)) for name, rows in groupby(carried, key=lambda one: one.dataset)],
            "entries": both_entries(*boards) if boards else [],
        }
    return render(request, "leaderboard/drift.html", context)


def find_board(slug: str) -> Board:
    found = standings.get_board(slug)
    if found is None:
        raise Http404(str(standings.unknown_board(slug)))
    return found


def _about(found: Board, choice: BoardChoice) -> dict[str, Any]:
    return {
        "board": found,
        "metric": board_queries.board_metric(found),
        "reference": board_queries.board_reference(found),
        "choice": choice,
        "efforts": [*((one.slug, one.label) for one in EFFORT_CLASSES), (UNREPORTED, NOT_REPORTED)],
        "text_length": limits.FILTER_LENGTH,
    }


def _is_undecided(rows: Sequence[EntryFigures]) -> bool:
    # The first rows show that no two of its entries can be told apart.
    ranked = [row for row in rows if row.rank is not None]
    return len(ranked) > 1 and all((row.rank, row.rank_high) == (1, ranked[0].rank_high) for row in ranked)


def rise_charts(board: Board, rises: Sequence[Rise], until: datetime) -> dict[str, StepChart]:
    values = [(rise.at, rise.score) for rise in rises]
    return for_screens(
        lambda width: step_chart(values, until=until, width=width, level=reference_line(board))
    )


def _effort_charts(board: Board, efforts: Sequence[Effort]) -> dict[str, ScatterChart]:
    points = [
        Point(
            number=one.compilations,
            height=one.score,
            title=f"{one.agent}: {one.score:.4f} after {one.compilations:,}",
        )
        for one in efforts
    ]
    return for_screens(lambda width: scatter_chart(points, width=width, level=reference_line(board)))


@require_safe
def build(request: HttpRequest, slug: str) -> HttpResponse:
    board = find_board(slug)
    try:
        recipe = build_queries.board_recipe(board, request.build_absolute_uri)
    except Conflict as error:
        return render(request, "leaderboard/build.html", {"board": board, "why_not": error.message})
    address = request.build_absolute_uri(reverse("leaderboard-api:export-board", args=[slug]))
    context = {
        "board": board,
        "recipe": recipe,
        "found": [one for one in recipe.rules[0].sequences if one.origin],
        "forms": list(build_queries.shown_forms(recipe, address, is_open=True)),
        "build_address": address,
    }
    return render(request, "leaderboard/build.html", context)


_FILE: Final = Path(__file__).with_name("drift.json")
_MOST_CARRIED: Final = 50


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
    rows = list(leading.filter(board=board).order_by(*BOARD_ORDER)[:_MOST_CARRIED])
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
