"""The pages of portable boards and entries, and the form that seals one."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leaderboard.models import PortableBoard, PortableEntry
from leaderboard.portable import queries as portable_queries
from leaderboard.portable import services as portable_services
from leaderboard.portable.queries import PortableRow
from leaderboard.portable.services import withdraw
from leaderboard.submissions.pages import refused_form
from leaderboard.submissions.services import Conflict, may_withdraw
from optarena import limits
from optarena.documents.places import group_problems, list_numbers
from optarena.errors import InvalidInput, Problem
from optarena.specs.rewards import level_text


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboard/portable_boards.html", {"boards": portable_queries.portable_boards()})


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    found = portable_queries.portable_board(slug)
    if found is None:
        raise Http404(str(portable_queries.unknown_board(slug)))
    portable_services.read_round(found, request.GET.get("round", ""))
    context = {
        "board": found,
        "metric": portable_queries.portable_metric(found),
        "level": level_text(found.baseline_level),
        "rows": _with_reference(found.rows),
        "reported": len(portable_queries.report_programs(found)),
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/portable_board.html", context)


def _with_reference(rows: list[PortableRow]) -> list[PortableRow | None]:
    # None stands for the board's level, after the ranked entries that reach it.
    reached = sum(row.rank is not None and (row.entry.score or 0.0) >= 1.0 for row in rows)
    return [*rows[:reached], None, *rows[reached:]] if rows else []


@require_safe
def entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    found = portable_queries.portable_entry(entry_id)
    if found is None:
        raise Http404("There is no such portable entry.")
    context = {
        "entry": found,
        "board": found.board,
        "level": level_text(found.board.baseline_level),
        "metric": portable_queries.portable_metric(found.board),
        "figures": portable_queries.portable_figures(found),
        "interval": found.score_interval,
        "place": portable_queries.portable_place(found) if found.score is not None else None,
        "sequences": portable_queries.readable_sequences(found, request.user.pk),
        "drawn": found.drawn,
        "reported": found.reported,
        "is_waiting": found.ended_at is None and found.withdrawn_at is None,
        "may_withdraw": found.withdrawn_at is None and may_withdraw(found, request.user),
    }
    return render(request, "leaderboard/portable_entry.html", context)


@require_POST
@login_required
def withdraw_entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    try:
        withdraw(entry_id=entry_id, actor=request.user)  # type: ignore[arg-type] # logged in
    except PortableEntry.DoesNotExist as error:
        raise Http404("There is no such portable entry.") from error
    except Conflict as error:
        messages.warning(request, error.message)
    else:
        messages.success(request, "The portable entry was withdrawn.")
    return redirect("leaderboard:portable-entry", entry_id)


class PortableForm(forms.Form):
    board = forms.ChoiceField()
    agent = forms.CharField(
        max_length=limits.AGENT_LENGTH, help_text="One of your entries takes part in each round."
    )
    sequences = forms.CharField(
        label="Command lines",
        strip=False,  # problems name lines as the person sees them
        widget=forms.Textarea(attrs={"rows": 8, "class": "mono", "spellcheck": "false"}),
        help_text=f"One sequence on each line, at most {limits.MAX_PORTABLE_SEQUENCES}.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        super().__init__(*args, **kwargs)
        field = self.fields["board"]
        if isinstance(field, forms.ChoiceField):
            field.choices = list(PortableBoard.objects.filter(is_open=True).values_list("slug", "title"))

    def clean_sequences(self) -> dict[int, str]:
        """The lines that have a sequence, by their numbers from 1; at least one."""
        lines = self.cleaned_data["sequences"].replace("\r\n", "\n").split("\n")
        found = {number: text for number, line in enumerate(lines, 1) if (text := line.strip())}
        if not found:
            raise forms.ValidationError(self.fields["sequences"].error_messages["required"], code="required")
        return found

    def document(self) -> bytes:
        lines = self.cleaned_data["sequences"].values()
        return json.dumps(
            self.cleaned_data | {"sequences": [{"commandline": line} for line in lines]}
        ).encode()

    def with_lines(self, problems: Iterable[Problem]) -> list[Problem]:
        # Their rows are the lines of the field, from 1, blank ones included.
        numbers = list(self.cleaned_data["sequences"])
        return [one if one.row is None else replace(one, row=numbers[one.row]) for one in problems]


@login_required
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    # A second click finds the same entry.
    if request.method != "POST":
        return _page(request, PortableForm(initial={"board": request.GET.get("board", "")}))
    form = PortableForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        entry, _ = portable_services.seal_document(owner=request.user, body=form.document())  # type: ignore[arg-type] # logged in
    except InvalidInput as error:
        return refused_form(
            error, lambda problems, status: _page(request, form, form.with_lines(problems), status=status)
        )
    return redirect(entry)


def _page(
    request: HttpRequest, form: PortableForm, problems: Sequence[Problem] = (), *, status: int = 200
) -> HttpResponse:
    groups = [(one, list_numbers(rows)) for one, rows in group_problems(problems)]
    return render(
        request, "leaderboard/portable_submit.html", {"form": form, "problems": groups}, status=status
    )
