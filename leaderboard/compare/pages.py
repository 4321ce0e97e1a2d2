"""The pages of comparisons and of scores across boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.common.pagination import page_of
from leaderboard.compare import alignments
from leaderboard.compare import queries as comparison_queries
from leaderboard.compare.queries import FEWEST, LEVEL_PREFIX, MOST, VIRTUAL_BEST, AcrossProgram
from leaderboard.models import Board, Submission
from optarena.errors import InvalidDocument, Problem

ROWS_A_PAGE: Final = 25
# The best entries of a board that the form lists.
OFFERED: Final = 10


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    choices, slug = request.GET.getlist("entry"), request.GET.get("board", "")
    if len(choices) < FEWEST:
        return _choose(request, choices, slug)
    try:
        found = comparison_queries.compare(choices, slug=slug)
    except InvalidDocument as error:
        return _choose(request, choices, slug, error.problems)
    place = found.place_of(request.GET.get("program", ""))
    page = page_of(found.rows, ROWS_A_PAGE, request)
    page.object_list = list(page.object_list)
    row = None if place is None else _row(found, place, page)
    known = {one.choice: one.submission for one in found.columns if one.submission is not None}
    context = {
        "found": found,
        "columns": list(zip(found.columns, found.wins, found.means, strict=True)),
        "pairs": [(found.columns[one], found.columns[other], numbers) for one, other, numbers in found.pairs],
        "metric": board_queries.board_metric(found.board),
        "page": page,
        "row": row,
        "alignment": None if row is None else alignments.aligned_sequences(found, row, request.user),
        "query": _query(request, "page", "program"),
        "offers": list(_offers(found.board, choices, known)),
        "most": MOST,
    }
    return render(request, "leaderboard/compare.html", context)


def _row(
    found: comparison_queries.Comparison, place: int, page: Page[comparison_queries.ProgramRow]
) -> comparison_queries.ProgramRow:
    # Mostly it is one of the page, whose rows are read already.
    on_page = place - page.start_index() + 1
    return page.object_list[on_page] if 0 <= on_page < len(page.object_list) else found.rows[place]


def _choose(
    request: HttpRequest, choices: Sequence[str], slug: str, problems: Sequence[Problem] = ()
) -> HttpResponse:
    submissions = comparison_queries.submissions_named(choices[:MOST])
    problems = problems or list(comparison_queries.unknown_entries(choices, submissions))
    board = _board(slug, submissions)
    context: dict[str, Any] = {
        "board": board,
        "boards": [] if board else standings.listed_boards().order_by("slug"),
        "offers": [] if board is None else list(_offers(board, choices, submissions)),
        "problems": problems,
        "most": MOST,
    }
    return render(request, "leaderboard/compare_choose.html", context, status=422 if problems else 200)


def _board(slug: str, submissions: Mapping[str, Submission]) -> Board | None:
    if slug:
        found = standings.get_board(slug)
        if found is None:
            raise Http404(str(standings.unknown_board(slug)))
        return found
    return next((one.board for one in submissions.values()), None)


def _offers(
    board: Board, choices: Sequence[str], submissions: Mapping[str, Submission]
) -> Iterator[tuple[str, str, str, bool]]:
    # The value, the name, a remark, and whether it is chosen.
    listed = set()
    for standing in standings.standings(board)[0:OFFERED]:
        value = str(standing.submission_id)
        listed.add(value)
        rank = f"rank {standing.rank_text}" if standing.rank_text else "no rank"
        yield value, _name(standing.submission), rank, value in choices
    for choice, submission in submissions.items():
        if choice not in listed and submission.board_id == board.pk:
            yield choice, _name(submission), "", True
    for row in board_queries.reference_rows(board):
        value = f"{LEVEL_PREFIX}{row.level}"
        yield value, row.label, "reference", value in choices
    remark = "the best verified result of each program"
    yield VIRTUAL_BEST, "Virtual best", remark, VIRTUAL_BEST in choices


def _name(submission: Submission) -> str:
    return f"{submission.agent} by {submission.owner.username}"


def _query(request: HttpRequest, *without: str) -> str:
    query = request.GET.copy()
    for name in without:
        query.pop(name, None)
    return query.urlencode()


PROGRAMS_A_PAGE: Final = 40


@require_safe
def across(request: HttpRequest, metric: str) -> HttpResponse:
    found = comparison_queries.across(metric)
    if found is None:
        raise Http404(f"No boards of different compilers can be compared by {metric!r}.")
    page: Page[AcrossProgram] = page_of(found, PROGRAMS_A_PAGE, request)
    return render(request, "leaderboard/across.html", {"found": found, "page": page})
