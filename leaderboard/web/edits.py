"""Thin view of the form with which owners change what they say about an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from leaderboard.services.edits import edit, read_form
from leaderboard.services.submissions import Conflict
from leaderboard.web.submissions import find_submission
from leaderboard.web.submit import AboutForm
from optarena import limits
from optarena.errors import InvalidDocument, Problem

if TYPE_CHECKING:
    import uuid

    from django import forms
    from django.http import HttpRequest, HttpResponse

    from leaderboard.models import Submission

_FIELDS: Final = ("description", "url", "compilations", "walltime_seconds", "trained_on_test_set")


@login_required
@require_http_methods(["GET", "POST"])
def edit_submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Show the form, or change one's own submission and return to its page."""
    found = find_submission(submission_id)
    if found.owner_id != request.user.pk:
        raise PermissionDenied("Only its owner can edit a submission.")
    if request.method != "POST":
        return _page(request, found, AboutForm(initial={name: getattr(found, name) for name in _FIELDS}))
    form = AboutForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    texts = {name: "" if value is None else str(value) for name, value in form.cleaned_data.items()}
    try:
        edit(submission_id=submission_id, actor=request.user, values=read_form(texts))
    except InvalidDocument as error:
        return _page(request, found, _with_problems(form, error.problems), status=422)
    except Conflict as error:
        return _page(request, found, _with_problems(form, [Problem.of(error)]), status=409)
    messages.success(request, "The submission was changed.")
    return redirect(found)


def _with_problems(form: forms.Form, problems: list[Problem]) -> forms.Form:
    for problem in problems:
        name = problem.field.removeprefix("effort.")
        form.add_error(name if name in form.fields else None, f"{problem.message} {problem.remedy}".strip())
    return form


def _page(
    request: HttpRequest, submission: Submission, form: forms.Form, *, status: int = 200
) -> HttpResponse:
    context = {"submission": submission, "form": form, "most": limits.MAX_EDITS}
    return render(request, "leaderboard/edit.html", context, status=status)
