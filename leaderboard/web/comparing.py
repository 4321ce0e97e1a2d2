"""Thin view of comparisons: choosing what is compared, and the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard import selectors
from leaderboard.selectors import FEWEST, LEVEL_PREFIX, MOST, VIRTUAL_BEST
from leaderboard.web.paging import page_of
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.core.paginator import Page
    from django.http import HttpRequest, HttpResponse

    from leaderboard.models import Board, Submission

ROWS_A_PAGE: Final = 25
OFFERED: Final = 10
"""The best entries of a board that the form lists."""


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Compare what ``?entry=`` names two to four times; with fewer, choose."""
    choices, slug = request.GET.getlist("entry"), request.GET.get("board", "")
    if len(choices) < FEWEST:
        return _choose(request, choices, slug)
    try:
        found = selectors.compare(choices, slug=slug)
    except InvalidDocument as error:
        return _choose(request, choices, slug, [f"{one.message} {one.remedy}" for one in error.problems])
    place = found.place_of(request.GET.get("program", ""))
    page = page_of(found.rows, ROWS_A_PAGE, request)
    page.object_list = list(page.object_list)
    row = None if place is None else _row(found, place, page)
    context = {
        "found": found,
        "columns": list(zip(found.columns, found.wins, found.means, strict=True)),
        "pairs": [(found.columns[one], found.columns[other], numbers) for one, other, numbers in found.pairs],
        "metric": selectors.board_metric(found.board),
        "page": page,
        "row": row,
        "alignment": None if row is None else selectors.aligned_sequences(found, row, request.user),
        "query": _query(request, "page", "program"),
        "offers": list(_offers(found.board, choices, _submissions(found))),
        "most": MOST,
    }
    return render(request, "leaderboard/compare.html", context)


def _row(found: selectors.Comparison, place: int, page: Page[selectors.ProgramRow]) -> selectors.ProgramRow:
    """A program by its place; mostly it is one of the page, whose rows are read already."""
    on_page = place - page.start_index() + 1
    return page.object_list[on_page] if 0 <= on_page < len(page.object_list) else found.rows[place]


def _choose(
    request: HttpRequest, choices: Sequence[str], slug: str, problems: Sequence[str] = ()
) -> HttpResponse:
    """The form, with what was chosen so far."""
    submissions = selectors.submissions_named(choices[:MOST])
    board = _board(slug, submissions)
    context: dict[str, Any] = {
        "board": board,
        "boards": [] if board else selectors.boards_with_versions().order_by("slug"),
        "offers": [] if board is None else list(_offers(board, choices, submissions)),
        "problems": problems,
        "fewest": FEWEST,
        "most": MOST,
    }
    return render(request, "leaderboard/compare_choose.html", context, status=422 if problems else 200)


def _board(slug: str, submissions: Mapping[str, Submission]) -> Board | None:
    """The board that is asked for, or else that of the first submission."""
    if slug:
        found = selectors.get_board(slug)
        if found is None:
            raise Http404(f"There is no board {slug!r}.")
        return found
    return next((one.board for one in submissions.values()), None)


def _submissions(found: selectors.Comparison) -> dict[str, Submission]:
    return {column.choice: column.submission for column in found.columns if column.submission is not None}


def _offers(
    board: Board, choices: Sequence[str], submissions: Mapping[str, Submission]
) -> Iterator[tuple[str, str, str, bool]]:
    """What a form offers: the value, the name, a remark, and whether it is chosen."""
    listed = set()
    for standing in selectors.standings(board)[0:OFFERED]:
        value = str(standing.submission_id)
        listed.add(value)
        rank = f"rank {standing.rank_text}" if standing.rank_text else "no rank"
        yield value, _name(standing.submission), rank, value in choices
    for choice, submission in submissions.items():
        if choice not in listed and submission.board_id == board.pk:
            yield choice, _name(submission), "", True
    for row in selectors.reference_rows(board):
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
