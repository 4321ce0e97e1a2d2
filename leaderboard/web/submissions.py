"""Thin views of submissions and their items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from datasets.site.charts.pairs import PairChart, pair_chart
from datasets.site.charts.scales import for_screens
from leaderboard import selectors
from leaderboard.models import SubmissionItem
from leaderboard.services.reopening import can_retry, retry
from leaderboard.services.repetitions import ask_again, can_ask_again
from leaderboard.services.submissions import Conflict, may_withdraw, withdraw
from leaderboard.web.paging import page_of
from leaderboard.web.steps import steps_context
from optarena.errors import InvalidDocument, InvalidInput

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from leaderboard.models import Submission

Verdict = SubmissionItem.Verdict
LINES_A_PAGE: Final = 25
ITEMS_A_PAGE: Final = 40
_WIDE, _NARROW = 720, 360


@require_safe
def submissions(request: HttpRequest) -> HttpResponse:
    """All submissions, newest first; ``?mine=1`` for one's own.

    Raises:
        InvalidDocument: The board or the owner does not exist.
    """
    mine = request.GET.get("mine") == "1"
    # Where the session has ended, those of others are not what was asked for.
    if mine and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    board, owner, agent = (request.GET.get(name, "").strip() for name in ("board", "owner", "agent"))
    if problems := selectors.unknown_filters(board=board or None, owner=None if mine else owner or None):
        raise InvalidDocument(problems)
    owner = request.user.get_username() if mine else owner
    found = selectors.list_submissions(board=board, owner=owner, agent=agent)
    page = page_of(found, LINES_A_PAGE, request)
    context = {
        "page": page,
        "submissions": selectors.add_figures(list(page.object_list)),
        "mine": mine,
        "agent": agent,
        "query": _query_without_page(request),
    }
    return render(request, "leaderboard/submissions.html", context)


@require_safe
def submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """One submission: its progress, and the verdict on each item."""
    found = find_submission(submission_id, largest=True)
    context = _context(request, found) | {
        "same": selectors.first_with_same_content(found),
        "largest": selectors.largest_ratio(found),
        "timeline": selectors.timeline(found),
        "edits": selectors.edit_rows(found),
        "may_edit": request.user.pk == found.owner_id,
        "may_withdraw": _may_withdraw(request, found),
    }
    return render(request, "leaderboard/submission.html", context)


@require_safe
def progress(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """The part of a submission's page that changes while it is verified; reloads the page at the end."""
    found = find_submission(submission_id)
    context = _context(request, found)
    response = render(request, "leaderboard/parts/progress.html", context)
    if context["tally"].state != "verifying":
        response["HX-Refresh"] = "true"
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def item(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    """One item: claim against measurement, workloads, and the cost after each step."""
    found = selectors.item(find_submission(submission_id), position)
    if found is None:
        raise Http404("This submission has no such item.")
    is_readable = selectors.may_read_actions(found, request.user)
    trace = selectors.trace(found) if is_readable else selectors.Trace()
    levels = selectors.baselines(found)
    metric = selectors.trace_metric(found)
    board = found.submission.board
    level = levels.get(metric.name, {}).get(board.baseline_level) if metric else None
    measured = selectors.measurement(found)
    before, after = selectors.neighbours(found)
    context = {
        "item": found,
        "submission": found.submission,
        "first_find": selectors.first_find(found),
        "is_readable": is_readable,
        **steps_context(request, found, trace, level),
        "before": before,
        "after": after,
        "best": selectors.best_known(found),
        "metric": metric,
        "claims": selectors.claims(found, levels),
        "measured": measured,
        "attempts": selectors.attempts(found, request.user),
        "compared": selectors.board_metric(board),
        "pair_charts": _pair_charts(measured),
        "runner": selectors.item_runner(found),
        **_waiting(found),
        "evidence": selectors.evidence(found),
        "may_repeat": request.user.is_authenticated and can_ask_again(found),
        "may_retry": request.user.is_authenticated and can_retry(found),
        "former": found.former_verdicts.all(),
        "replay": f"optarena replay {request.build_absolute_uri(found.get_absolute_url())}",
    }
    return render(request, "leaderboard/item.html", context)


def _waiting(found: SubmissionItem) -> dict[str, Any]:
    """When the replay of an item that waits probably starts and ends, and whether nobody can do it now."""
    if found.verdict != Verdict.PENDING:
        return {}
    at_work = selectors.at_work(found.submission.board)
    if at_work.notice:  # without a runner nobody knows how long
        return {"queue_notice": at_work.notice}
    return {"wait": selectors.wait_of(found.submission, processes=at_work.processes, item=found)}


@require_POST
@login_required
def withdraw_submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Withdraw one's own submission."""
    found = find_submission(submission_id)
    try:
        withdraw(submission_id=submission_id, actor=request.user)  # type: ignore[arg-type] # logged in
    except Conflict as error:
        messages.warning(request, error.message)
    else:
        messages.success(request, "The submission was withdrawn.")
    return redirect(found)


@require_POST
@login_required
def retry_item(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    """Replay an item once more that failed because of the infrastructure."""
    return _again(request, submission_id, position, retry)


@require_POST
@login_required
def repeat_item(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    """Replay a verified item once more, for more evidence."""
    return _again(request, submission_id, position, ask_again)


def _again(
    request: HttpRequest, submission_id: uuid.UUID, position: int, act: Callable[..., SubmissionItem]
) -> HttpResponse:
    try:
        found = act(submission_id=submission_id, position=position, actor=request.user)
    except SubmissionItem.DoesNotExist as error:
        raise Http404("This submission has no such item.") from error
    except InvalidInput as error:
        messages.warning(request, f"{error.message} {error.remedy}")
        return redirect("leaderboard:item", submission_id, position)
    messages.success(request, "The item will be replayed once more.")
    return redirect(found)


def _pair_charts(measured: selectors.Measured | None) -> dict[str, PairChart]:
    """Each block's reference and value."""
    blocks = measured.blocks if measured else ()
    pairs = [(block.reference, block.value) for block in blocks]
    labels = [f"block {block.number}" for block in blocks]
    return for_screens(
        lambda width: pair_chart(pairs, labels=labels, width=width), wide=_WIDE, narrow=_NARROW
    )


def find_submission(submission_id: uuid.UUID, *, largest: bool = False) -> Submission:
    """The submission with the id of an address, on request with what ``largest_ratio`` needs.

    Raises:
        Http404: There is none.
    """
    found = selectors.get_submission(submission_id, largest=largest)
    if found is None:
        raise Http404("There is no such submission.")
    return found


def _context(request: HttpRequest, found: Submission) -> dict[str, Any]:
    selectors.add_figures([found])
    tally = selectors.tally(found)
    at_work = selectors.at_work(found.board) if tally.pending else None
    # Without a runner nobody knows how long.
    wait = selectors.wait_of(found, processes=at_work.processes) if at_work and not at_work.notice else None
    page = page_of(range(tally.total), ITEMS_A_PAGE, request)
    items = list(selectors.items(found, range(page.start_index() - 1, page.end_index())))
    reference = selectors.board_reference(found.board)
    if reference is not None:
        selectors.add_references(items, reference.name)
    return {
        "queue_notice": at_work.notice if at_work else "",
        "wait": wait,
        "submission": found,
        "standing": getattr(found, "standing", None),
        "unranked": selectors.why_unranked(found),
        "tally": tally,
        "page": page,
        "items": selectors.add_finds(items),
        "percent": round(100 * selectors.progress(found)),
        "metric": selectors.board_metric(found.board),
        "reference": reference,
        "hardware_class": selectors.hardware_class(found.board),
    }


def _may_withdraw(request: HttpRequest, found: Submission) -> bool:
    return found.withdrawn_at is None and may_withdraw(found, request.user)


def _query_without_page(request: HttpRequest) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()
