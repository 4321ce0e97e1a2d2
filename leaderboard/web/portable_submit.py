"""The web form for portable entries: pasted command lines, checked and sealed like the API's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from leaderboard.models import PortableBoard
from leaderboard.services import portable
from leaderboard.services.quotas import QuotaExceeded
from optarena import limits
from optarena.documents.places import grouped, listed
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest, HttpResponse


class PortableForm(forms.Form):
    """The fields of a portable entry; the services decide what the values mean."""

    board = forms.ChoiceField()
    agent = forms.CharField(
        max_length=limits.AGENT_LENGTH, help_text="Only your latest entry under one name is ranked."
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

    def clean_sequences(self) -> str:
        """At least one line has a sequence."""
        given: str = self.cleaned_data["sequences"]
        if not given.strip():
            raise forms.ValidationError(self.fields["sequences"].error_messages["required"], code="required")
        return given

    def document(self) -> bytes:
        """The document that the API would get."""
        given = self.cleaned_data
        document = {
            "board": given["board"],
            "agent": given["agent"],
            "sequences": [{"commandline": line} for line in self._lines().values()],
        }
        return json.dumps(document).encode()

    def located(self, problems: Iterable[Problem]) -> list[Problem]:
        """The document's problems; their rows are the lines of the field, from 1, blank ones included."""
        numbers = list(self._lines())
        return [one if one.row is None else replace(one, row=numbers[one.row]) for one in problems]

    def _lines(self) -> dict[int, str]:
        """The lines that have a sequence, by their numbers from 1."""
        lines = self.cleaned_data["sequences"].replace("\r\n", "\n").split("\n")
        return {number: text for number, line in enumerate(lines, 1) if (text := line.strip())}


@login_required
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """Show the form, or seal an entry and redirect to its page; a second click finds the same entry."""
    if request.method != "POST":
        return _page(request, PortableForm(initial={"board": request.GET.get("board", "")}))
    form = PortableForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        entry, _ = portable.receive(owner=request.user, body=form.document())  # type: ignore[arg-type] # logged in
    except InvalidDocument as error:
        return _page(request, form, form.located(error.problems), status=422)
    except InvalidInput as error:
        is_quota = isinstance(error, QuotaExceeded)
        response = _page(request, form, [Problem.of(error)], status=429 if is_quota else 422)
        for name, value in error.headers.items() if isinstance(error, QuotaExceeded) else ():
            response[name] = value
        return response
    return redirect(entry)


def _page(
    request: HttpRequest, form: PortableForm, problems: Sequence[Problem] = (), *, status: int = 200
) -> HttpResponse:
    groups = [(one, listed(rows)) for one, rows in grouped(problems)]
    return render(
        request, "leaderboard/portable_submit.html", {"form": form, "problems": groups}, status=status
    )
