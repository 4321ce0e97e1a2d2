"""The pages of submissions: the list, one submission, its items and steps, the form, and its edits."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from datasets.site.charts import LineChart, PairChart, ReferenceLine, for_screens, line_chart, pair_chart
from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.builds import queries as build_queries
from leaderboard.common.addresses import item_address
from leaderboard.common.pagination import page_of
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.records import queries as record_queries
from leaderboard.runners import queries as runner_queries
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions import replay_again
from leaderboard.submissions import services as submission_services
from leaderboard.submissions import steps as submission_steps
from leaderboard.submissions.quotas import QuotaExceeded
from leaderboard.submissions.replay_again import can_ask_again, can_retry, retry
from leaderboard.submissions.services import (
    Conflict,
    Incoming,
    KeyReused,
    edit,
    may_withdraw,
    open_sequences,
    read_form,
    withdraw,
)
from optarena import limits
from optarena.documents.places import group_problems, list_numbers
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import board_specs, environment_spec
from optarena.specs.rewards import level_text
from optarena.state import form_of

STEPS_SHOWN: Final = 500


def steps_context(
    request: HttpRequest, item: SubmissionItem, trace: submission_steps.Trace, level: ReferenceLine | None
) -> dict[str, Any]:
    is_effective = request.GET.get("effective") == "1"
    shown = [step for step in trace.steps if not (is_effective and step.no_op)]
    chosen = _chosen(request, item, trace, shown)
    charts = partial(_charts, trace, shown, level, None if chosen is None else chosen["step"].number)
    close = charts(is_close=True)
    minimised = submission_steps.minimised_of(item)
    return {
        "trace": trace,
        "steps": shown[:STEPS_SHOWN],
        "hidden_steps": max(0, len(shown) - STEPS_SHOWN),
        "sequence": submission_steps.sequence(item, trace.steps, minimised.minimised, most=STEPS_SHOWN),
        "hidden_actions": max(0, len(item.actions) - STEPS_SHOWN),
        "idle_steps": sum(step.no_op for step in trace.steps),
        "effective": is_effective,
        "charts": close or charts(),
        "whole_charts": charts() if close else {},
        "chosen": chosen,
        "minimised": minimised,
        "minimised_refusal": submission_steps.why_not_minimised(item),
    }


def _chosen(
    request: HttpRequest,
    item: SubmissionItem,
    trace: submission_steps.Trace,
    shown: Sequence[submission_steps.Step],
) -> dict[str, Any] | None:
    text = request.GET.get("step")
    if text is None:
        return None
    try:
        number = submission_steps.step_number(text, item)
    except InvalidInput as error:
        raise Http404(str(error)) from error
    if number > len(trace.steps):
        raise Http404("The steps of this item are not known.")
    answer = submission_steps.difference_of(item, number)
    return {
        "step": trace.steps[number - 1],
        "before": trace.costs[number - 1] if len(trace.costs) > number else None,
        "previous": max((one.number for one in shown if one.number < number), default=None),
        "following": min((one.number for one in shown if one.number > number), default=None),
        "answer": answer,
        "lines": submission_steps.difference_lines(item, answer),
        "refusal": submission_steps.why_no_difference(item),
    }


def _charts(
    trace: submission_steps.Trace,
    shown: Sequence[submission_steps.Step],
    level: ReferenceLine | None,
    chosen: int | None,
    *,
    is_close: bool = False,
) -> dict[str, LineChart]:
    costs = [step.cost for step in shown if step.cost is not None]
    numbers = [0, *(step.number for step in shown)]
    if not trace.costs or len(costs) != len(shown):
        return {}
    idle = [place for place, step in enumerate(shown, start=1) if step.no_op]
    mark = numbers.index(chosen) if chosen in numbers else None
    return for_screens(
        lambda width: line_chart(
            [trace.costs[0], *costs],
            level=level,
            width=width,
            labels=[str(number) for number in numbers],
            idle=idle,
            chosen=mark,
            is_close=is_close,
        )
    )


@require_POST
@login_required
def ask_difference(request: HttpRequest, submission_id: uuid.UUID, position: int, step: str) -> HttpResponse:
    return _ask(request, submission_services.ask_difference, submission_id, position, step=step)


@require_POST
@login_required
def ask_minimised(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    return _ask(request, submission_services.ask_minimised, submission_id, position)


@require_POST
@login_required
def retry_item(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    return _ask(request, retry, submission_id, position)


@require_POST
@login_required
def repeat_item(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    return _ask(request, replay_again.repeat_item, submission_id, position)


def _ask(
    request: HttpRequest,
    ask: Callable[..., SubmissionItem],
    submission_id: uuid.UUID,
    position: int,
    **given: str,
) -> HttpResponse:
    try:
        found = ask(submission_id=submission_id, position=position, actor=request.user, **given)
    except SubmissionItem.DoesNotExist as error:
        raise Http404("This submission has no such item.") from error
    except InvalidInput as error:
        messages.warning(request, f"{error.message} {error.remedy}")
        return redirect("leaderboard:item", submission_id, position)
    if ask in (retry, replay_again.repeat_item):
        messages.success(request, "The item will be replayed once more.")
        return redirect(found)
    place = f"?step={int(given['step'])}#step" if given else "#minimised"
    return redirect(f"{found.get_absolute_url()}{place}")


Verdict = SubmissionItem.Verdict
LINES_A_PAGE: Final = 25
ITEMS_A_PAGE: Final = 40


@require_safe
def submissions(request: HttpRequest) -> HttpResponse:
    # `?mine=1` for one's own.
    mine = request.GET.get("mine") == "1"
    # Where the session has ended, those of others are not what was asked for.
    if mine and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    board, owner, agent = (request.GET.get(name, "").strip() for name in ("board", "owner", "agent"))
    if problems := standings.unknown_filters(board=board or None, owner=None if mine else owner or None):
        raise InvalidDocument(problems)
    owner = request.user.get_username() if mine else owner
    found = submission_queries.list_submissions(board=board, owner=owner, agent=agent)
    page = page_of(found, LINES_A_PAGE, request)
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": page,
        "submissions": submission_queries.add_figures(list(page.object_list)),
        "mine": mine,
        "agent": agent,
        "query": query.urlencode(),
    }
    return render(request, "leaderboard/submissions.html", context)


@require_safe
def submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    found = find_submission(submission_id, counted=True)
    context = _context(request, found) | {
        "same": submission_queries.first_with_same_content(found),
        "largest": submission_queries.largest_ratio(found),
        "timeline": submission_queries.timeline(found),
        "edits": submission_queries.edit_rows(found),
        "may_edit": request.user.pk == found.owner_id,
        "may_open": found.opened_at is None and request.user.pk == found.owner_id,
        "may_withdraw": found.withdrawn_at is None and may_withdraw(found, request.user),
    }
    return render(request, "leaderboard/submission.html", context)


@require_safe
def progress(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    # The part of a submission's page that changes while it is verified; reloads the page at the end.
    found = find_submission(submission_id)
    context = _context(request, found)
    response = render(request, "leaderboard/parts/progress.html", context)
    if context["tally"].state != "verifying":
        response["HX-Refresh"] = "true"
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def item(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    found = submission_queries.item(find_submission(submission_id), position)
    if found is None:
        raise Http404("This submission has no such item.")
    is_readable = record_queries.may_read_actions(found, request.user)
    trace = submission_steps.trace(found) if is_readable else submission_steps.Trace()
    levels = submission_steps.baselines(found)
    board = found.submission.board
    metric = environment_spec(board.environment_version.env_id).cost_metric
    value = levels.get(metric.name, {}).get(board.baseline_level) if metric else None
    level = None if value is None else ReferenceLine(value, level_text(board.baseline_level))
    measured = submission_queries.measurement(found)
    before, after = submission_steps.neighbours(found)
    context = {
        "item": found,
        "submission": found.submission,
        "first_find": record_queries.first_find(found),
        "is_readable": is_readable,
        **steps_context(request, found, trace, level),
        "before": before,
        "after": after,
        "best": submission_steps.best_known(found),
        "metric": metric,
        "claims": submission_steps.claims(found, levels),
        "measured": measured,
        "attempts": submission_queries.attempts(found, request.user),
        "compared": board_queries.board_metric(board),
        "pair_charts": _pair_charts(measured),
        "runner": runner_queries.item_runner(found),
        **_waiting(found),
        "evidence": submission_queries.evidence(found),
        "may_repeat": request.user.is_authenticated and can_ask_again(found),
        "may_retry": request.user.is_authenticated and can_retry(found),
        "former": found.former_verdicts.all(),
        "replay": f"optarena replay {request.build_absolute_uri(found.get_absolute_url())}",
        **_build(request, found),
    }
    return render(request, "leaderboard/item.html", context)


def _build(request: HttpRequest, found: SubmissionItem) -> dict[str, Any]:
    try:
        recipe = build_queries.item_recipe(found, request.user, request.build_absolute_uri)
    except Conflict:
        return {}
    address = item_address("leaderboard-api:export-item", found.submission_id, found.position)
    address = request.build_absolute_uri(address)
    is_open = found.opens_at is not None and found.opens_at <= timezone.now()
    return {
        "recipe": recipe,
        "forms": list(build_queries.shown_forms(recipe, address, is_open=is_open)),
        "build_address": address,
    }


def _waiting(found: SubmissionItem) -> dict[str, Any]:
    if found.verdict != Verdict.PENDING:
        return {}
    at_work = runner_queries.at_work(found.submission.board)
    if at_work.notice:  # without a runner nobody knows how long
        return {"queue_notice": at_work.notice}
    return {"wait": runner_queries.wait_of(found.submission, processes=at_work.processes, item=found)}


@require_POST
@login_required
def withdraw_submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
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
def open_submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    found = find_submission(submission_id)
    open_sequences(submission_id=submission_id, actor=request.user)  # type: ignore[arg-type] # logged in
    messages.success(request, "Everybody may read the sequences that are verified.")
    return redirect(found)


def _pair_charts(measured: submission_queries.Measured | None) -> dict[str, PairChart]:
    blocks = measured.blocks if measured else ()
    pairs = [(block.reference, block.value) for block in blocks]
    labels = [f"block {block.number}" for block in blocks]
    return for_screens(lambda width: pair_chart(pairs, labels=labels, width=width))


def find_submission(submission_id: uuid.UUID, *, counted: bool = False) -> Submission:
    found = submission_queries.get_submission(submission_id, counted=counted)
    if found is None:
        raise Http404("There is no such submission.")
    return found


def _context(request: HttpRequest, found: Submission) -> dict[str, Any]:
    submission_queries.add_figures([found])
    tally = submission_queries.tally(found)
    at_work = runner_queries.at_work(found.board) if tally.pending else None
    # Without a runner nobody knows how long.
    wait = (
        runner_queries.wait_of(found, processes=at_work.processes) if at_work and not at_work.notice else None
    )
    page = page_of(range(tally.total), ITEMS_A_PAGE, request)
    items = list(submission_queries.items(found, range(page.start_index() - 1, page.end_index())))
    reference = board_queries.board_reference(found.board)
    if reference is not None:
        submission_queries.add_references(items, reference.name)
    return {
        "queue_notice": at_work.notice if at_work else "",
        "wait": wait,
        "submission": found,
        "standing": getattr(found, "standing", None),
        "unranked": standings.why_unranked(found),
        "tally": tally,
        "page": page,
        "items": record_queries.add_finds(items),
        "percent": round(100 * submission_queries.progress(found)),
        "metric": board_queries.board_metric(found.board),
        "reference": reference,
        "hardware_class": runner_queries.hardware_class(found.board),
    }


_FIELDS: Final = ("description", "url", "compilations", "walltime_seconds", "trained_on_test_set")
_ABOUT: Final = ("board", "agent", *_FIELDS, "open")


class AboutForm(forms.Form):
    # The services decide what the values mean.
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
    field_order = ("board", "agent", "states", "file")

    board = forms.ChoiceField()
    agent = forms.CharField(
        max_length=limits.AGENT_LENGTH, help_text="Of your entries only the best is ranked."
    )
    open = forms.BooleanField(
        required=False, label="Everybody may read the sequences as soon as they are verified"
    )
    states = forms.CharField(
        required=False,
        strip=False,
        label="Results as CSV or JSON",
        widget=forms.Textarea(
            attrs={
                "rows": 8,
                "class": "mono",
                "spellcheck": "false",
                "placeholder": "benchmark,reward,walltime,commandline",
            }
        ),
        help_text=(
            "One row for each benchmark. A column with the name of a metric is a claim. What this form says "
            "replaces what a JSON submission says of itself."
        ),
    )
    file = forms.FileField(required=False, label="Or a file")
    key = forms.CharField(widget=forms.HiddenInput, max_length=limits.IDEMPOTENCY_KEY_LENGTH)

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        super().__init__(*args, **kwargs)
        boards = Board.objects.filter(state=Board.State.OPEN).values_list("slug", "title")
        usual = next((spec.slug for spec in board_specs()), "")
        field = self.fields["board"]
        if isinstance(field, forms.ChoiceField):
            # The first is chosen where an address names no other.
            field.choices = sorted(boards, key=lambda one: one[0] != usual)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if bool(given.get("file")) == bool((given.get("states") or "").strip()):
            raise forms.ValidationError("Paste the results or choose a file, not both.")
        return given


@login_required
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        # The key makes a second click find the same submission.
        initial = {"key": str(uuid.uuid4()), "board": request.GET.get("board", "")}
        return _submit_page(request, SubmitForm(initial=initial))
    form = SubmitForm(_with_usable_key(request.POST), request.FILES)
    if not form.is_valid():
        return _submit_page(request, form, status=422)
    try:
        submission, _ = submission_services.receive(
            owner=request.user,  # type: ignore[arg-type] # logged in
            incoming=_incoming(form.cleaned_data),
            key=form.cleaned_data["key"],
        )
    except InvalidInput as error:
        return _refused_form(request, form, error)
    return redirect(submission)


def _refused_form(request: HttpRequest, form: SubmitForm, error: InvalidInput) -> HttpResponse:
    if isinstance(error, KeyReused):
        # The key was used with other content: the next click sends a new submission.
        form.data = _with_usable_key(request.POST, renew=True)
        remedy = "Click Submit again to send a new one."
        return _submit_page(
            request, form, [replace(Problem.of(error), field="form", remedy=remedy)], status=422
        )
    return refused_form(error, lambda problems, status: _submit_page(request, form, problems, status=status))


def refused_form(error: InvalidInput, show: Callable[[Sequence[Problem], int], HttpResponse]) -> HttpResponse:
    """The page of a form whose entry was refused; ``show`` renders it with the problems and the status."""
    if isinstance(error, QuotaExceeded):
        response = show([Problem.of(error)], 429)
        for name, value in error.headers.items():
            response[name] = value
        return response
    return show(error.problems if isinstance(error, InvalidDocument) else [Problem.of(error)], 422)


def _with_usable_key(given: QueryDict, *, renew: bool = False) -> QueryDict:
    if not renew and 0 < len(given.get("key", "")) <= limits.IDEMPOTENCY_KEY_LENGTH:
        return given
    changed = given.copy()
    changed["key"] = str(uuid.uuid4())
    return changed


def _incoming(given: dict[str, Any]) -> Incoming:
    body = given["file"].read() if given.get("file") else given["states"].encode(errors="replace")
    said = {name: given.get(name) for name in _ABOUT}
    about = {
        name: str(value) for name, value in said.items() if value not in (None, "") and value is not False
    }
    return Incoming(body=body, format=form_of(body.decode(errors="replace")), about=about)


def _submit_page(
    request: HttpRequest, form: SubmitForm, problems: Sequence[Problem] = (), *, status: int = 200
) -> HttpResponse:
    groups = [(one, list_numbers(rows)) for one, rows in group_problems(problems)]
    context = {
        "form": form,
        "problems": groups,
        "classes": runner_queries.queue_overview()["hardware_classes"],
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/submit.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def edit_submission(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    found = find_submission(submission_id)
    if found.owner_id != request.user.pk:
        raise PermissionDenied("Only its owner can edit a submission.")
    if request.method != "POST":
        return _edit_page(request, found, AboutForm(initial={name: getattr(found, name) for name in _FIELDS}))
    form = AboutForm(request.POST)
    if not form.is_valid():
        return _edit_page(request, found, form, status=422)
    texts = {name: "" if value is None else str(value) for name, value in form.cleaned_data.items()}
    try:
        edit(submission_id=submission_id, actor=request.user, values=read_form(texts))
    except InvalidDocument as error:
        return _edit_page(request, found, _with_problems(form, error.problems), status=422)
    except Conflict as error:
        return _edit_page(request, found, _with_problems(form, [Problem.of(error)]), status=409)
    messages.success(request, "The submission was changed.")
    return redirect(found)


def _with_problems(form: forms.Form, problems: list[Problem]) -> forms.Form:
    for problem in problems:
        name = problem.field.removeprefix("effort.")
        form.add_error(name if name in form.fields else None, f"{problem.message} {problem.remedy}".strip())
    return form


def _edit_page(
    request: HttpRequest, submission: Submission, form: forms.Form, *, status: int = 200
) -> HttpResponse:
    context = {"submission": submission, "form": form, "most": limits.MAX_EDITS}
    return render(request, "leaderboard/edit.html", context, status=status)
