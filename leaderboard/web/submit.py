"""The web form for submissions: a pasted or uploaded CSV, checked and stored like the API's."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from leaderboard import selectors
from leaderboard.models import Board
from leaderboard.services import intake
from leaderboard.services.intake import Incoming
from leaderboard.services.quotas import QuotaExceeded
from leaderboard.services.submissions import KeyReused
from optarena import limits
from optarena.documents.places import grouped, listed
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse, QueryDict

_ABOUT = ("board", "agent", "description", "url", "compilations", "walltime_seconds", "trained_on_test_set")


class AboutForm(forms.Form):
    """What an owner says about an entry; the services decide what the values mean."""

    description = forms.CharField(
        required=False,
        max_length=limits.DESCRIPTION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Markdown: emphasis, lists, code, links. No images and no HTML.",
    )
    url = forms.CharField(required=False, max_length=limits.SUBMISSION_URL_LENGTH, label="Where to read more")
    compilations = forms.IntegerField(
        required=False, min_value=0, help_text="For one program, during the search. Shown as reported."
    )
    walltime_seconds = forms.FloatField(
        required=False, min_value=0, label="Seconds", help_text="For the whole search. Shown as reported."
    )
    trained_on_test_set = forms.BooleanField(
        required=False, label="The agent saw these programs while it was trained"
    )


class SubmitForm(AboutForm):
    """The fields of a submission."""

    field_order = ("board", "agent", "states", "file")

    board = forms.ChoiceField()
    agent = forms.CharField(
        max_length=limits.AGENT_LENGTH,
        help_text="Only your best entry under one name is ranked.",
    )
    states = forms.CharField(
        required=False,
        strip=False,
        label="Results as CSV",
        widget=forms.Textarea(
            attrs={
                "rows": 8,
                "class": "mono",
                "spellcheck": "false",
                "placeholder": "benchmark,reward,walltime,commandline",
            }
        ),
        help_text="One row for each benchmark. A column with the name of a metric is a claim.",
    )
    file = forms.FileField(required=False, label="or a CSV file")
    key = forms.CharField(widget=forms.HiddenInput, max_length=limits.IDEMPOTENCY_KEY_LENGTH)

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        super().__init__(*args, **kwargs)
        boards = Board.objects.filter(state=Board.State.OPEN).values_list("slug", "title")
        field = self.fields["board"]
        if isinstance(field, forms.ChoiceField):
            field.choices = list(boards)

    def clean(self) -> dict[str, Any]:
        """Exactly one of the two sources."""
        given = super().clean() or self.cleaned_data
        if bool(given.get("file")) == bool((given.get("states") or "").strip()):
            raise forms.ValidationError("Paste the results or choose a file, not both.")
        return given


@login_required
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """Show the form, or store a submission and redirect to its page."""
    if request.method != "POST":
        # The key makes a second click find the same submission.
        initial = {"key": str(uuid.uuid4()), "board": request.GET.get("board", "")}
        return _page(request, SubmitForm(initial=initial))
    form = SubmitForm(_with_usable_key(request.POST), request.FILES)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        submission, _ = intake.receive(
            owner=request.user,  # type: ignore[arg-type] # logged in
            incoming=_incoming(form.cleaned_data),
            key=form.cleaned_data["key"],
        )
    except InvalidInput as error:
        return _refused(request, form, error)
    return redirect(submission)


def _refused(request: HttpRequest, form: SubmitForm, error: InvalidInput) -> HttpResponse:
    """The form with what is wrong."""
    if isinstance(error, InvalidDocument):
        return _page(request, form, error.problems, status=422)
    problem = Problem.of(error)
    if isinstance(error, QuotaExceeded):
        response = _page(request, form, [problem], status=429)
        for name, value in error.headers.items():
            response[name] = value
        return response
    if isinstance(error, KeyReused):
        # The key was used with other content: the next click sends a new submission.
        form.data = _with_usable_key(request.POST, renew=True)
        problem = replace(problem, field="form", remedy="Click Submit again to send a new one.")
    return _page(request, form, [problem], status=422)


def _with_usable_key(given: QueryDict, *, renew: bool = False) -> QueryDict:
    """The form's data with a new key, where it has no usable one."""
    if not renew and 0 < len(given.get("key", "")) <= limits.IDEMPOTENCY_KEY_LENGTH:
        return given
    changed = given.copy()
    changed["key"] = str(uuid.uuid4())
    return changed


def _incoming(given: dict[str, Any]) -> Incoming:
    body = given["file"].read() if given.get("file") else given["states"].encode(errors="replace")
    about = {name: "" if given.get(name) is None else str(given[name]) for name in _ABOUT}
    return Incoming(body=body, format="csv", about=about)


def _page(
    request: HttpRequest, form: SubmitForm, problems: Sequence[Problem] = (), *, status: int = 200
) -> HttpResponse:
    groups = [(one, listed(rows)) for one, rows in grouped(problems)]
    context = {
        "form": form,
        "problems": groups,
        "classes": selectors.queue_overview()["hardware_classes"],
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/submit.html", context, status=status)
