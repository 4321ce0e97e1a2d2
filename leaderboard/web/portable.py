"""Thin views of the pages of portable entries and their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from leaderboard import selectors
from leaderboard.models import PortableEntry
from leaderboard.services.portable_decisions import withdraw
from leaderboard.services.submissions import Conflict, may_withdraw

if TYPE_CHECKING:
    import uuid

    from django.http import HttpRequest, HttpResponse


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """All boards of portable entries."""
    return render(request, "leaderboard/portable_boards.html", {"boards": selectors.portable_boards()})


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """A board of portable entries with its newest entries."""
    found = selectors.portable_board(slug)
    if found is None:
        raise Http404(f"There is no board of portable entries {slug!r}.")
    context = {
        "board": found,
        "metric": selectors.portable_metric(found),
        "level": selectors.level_text(found.baseline_level),
        "rows": selectors.portable_rows(found),
        "reported": len(selectors.report_programs(found)),
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/portable_board.html", context)


@require_safe
def entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A portable entry: its sequences, its programs, and what the best sequence makes of each."""
    found = selectors.portable_entry(entry_id)
    if found is None:
        raise Http404("There is no such portable entry.")
    readable = selectors.may_read_sequences(found, request.user.pk)
    programs = list(found.programs.all())
    context = {
        "entry": found,
        "board": found.board,
        "level": selectors.level_text(found.board.baseline_level),
        "metric": selectors.portable_metric(found.board),
        "figures": selectors.portable_figures(found),
        "interval": selectors.score_interval(found),
        "place": selectors.portable_place(found) if found.score is not None else None,
        "sequences": selectors.portable_sequences(found) if readable else [],
        "drawn": selectors.drawn_only(programs, drawn=True),
        "reported": selectors.drawn_only(programs, drawn=False),
        "is_waiting": found.ended_at is None and found.withdrawn_at is None,
        "may_withdraw": found.withdrawn_at is None and may_withdraw(found, request.user),
    }
    return render(request, "leaderboard/portable_entry.html", context)


@require_POST
@login_required
def withdraw_entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Withdraw one's own portable entry."""
    try:
        withdraw(entry_id=entry_id, actor=request.user)  # type: ignore[arg-type] # logged in
    except PortableEntry.DoesNotExist as error:
        raise Http404("There is no such portable entry.") from error
    except Conflict as error:
        messages.warning(request, error.message)
    else:
        messages.success(request, "The portable entry was withdrawn.")
    return redirect("leaderboard:portable-entry", entry_id)
