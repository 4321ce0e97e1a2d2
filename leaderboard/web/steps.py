"""Thin views of the steps of an item: its chart, one chosen step, and what can be asked of workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from datasets.site.charts.lines import LineChart, line_chart
from datasets.site.charts.scales import for_screens
from leaderboard import selectors
from leaderboard.models import SubmissionItem
from leaderboard.services import studies
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

STEPS_SHOWN: Final = 500
_WIDE, _NARROW = 720, 360


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenStep:
    """One step of an item, with its neighbours and what it changes.

    Attributes:
        step: The step.
        before: The cost before it; None where the environment has no exact metric.
        previous, following: The numbers of the steps beside it among those that are shown; None at the ends.
        answer: What it changes in the program's text.
        lines: The lines of that, each with its kind.
        refusal: Why nobody can know; empty if it can be asked.
    """

    step: selectors.Step
    before: float | None
    previous: int | None
    following: int | None
    answer: selectors.StudyAnswer
    lines: Sequence[tuple[str, str]]
    refusal: str


def steps_context(
    request: HttpRequest, item: SubmissionItem, trace: selectors.Trace, level: float | None
) -> dict[str, Any]:
    """What the page of an item shows of its steps.

    Raises:
        Http404: It has no such step as the address names.
    """
    is_effective = request.GET.get("effective") == "1"
    shown = [step for step in trace.steps if not (is_effective and step.no_op)]
    chosen = _chosen(request, item, trace, shown)
    return {
        "trace": trace,
        "steps": shown[:STEPS_SHOWN],
        "hidden_steps": max(0, len(shown) - STEPS_SHOWN),
        "idle_steps": sum(step.no_op for step in trace.steps),
        "effective": is_effective,
        "charts": _charts(trace, shown, level, None if chosen is None else chosen.step.number),
        "chosen": chosen,
        "minimised": selectors.minimised_of(item),
        "minimised_refusal": selectors.why_not_minimised(item),
    }


def _chosen(
    request: HttpRequest, item: SubmissionItem, trace: selectors.Trace, shown: Sequence[selectors.Step]
) -> ChosenStep | None:
    text = request.GET.get("step")
    if text is None:
        return None
    try:
        number = selectors.step_number(text, item)
    except InvalidInput as error:
        raise Http404(str(error)) from error
    if number > len(trace.steps):
        raise Http404("The steps of this item are not known.")
    answer = selectors.difference_of(item, number)
    return ChosenStep(
        step=trace.steps[number - 1],
        before=trace.costs[number - 1] if len(trace.costs) > number else None,
        previous=max((one.number for one in shown if one.number < number), default=None),
        following=min((one.number for one in shown if one.number > number), default=None),
        answer=answer,
        lines=selectors.marked_lines(answer.difference) if answer.difference else (),
        refusal=selectors.why_no_difference(item),
    )


def _charts(
    trace: selectors.Trace, shown: Sequence[selectors.Step], level: float | None, chosen: int | None
) -> dict[str, LineChart]:
    """The cost after each step that is shown."""
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
        ),
        wide=_WIDE,
        narrow=_NARROW,
    )


@require_POST
@login_required
def ask_difference(request: HttpRequest, submission_id: uuid.UUID, position: int, step: str) -> HttpResponse:
    """Have a worker find out what a step changes."""
    try:
        item = studies.ask_difference(
            submission_id=submission_id,
            position=position,
            step=step,
            actor=request.user,  # type: ignore[arg-type] # logged in
        )
    except SubmissionItem.DoesNotExist as error:
        raise Http404("This submission has no such item.") from error
    except InvalidInput as error:
        return _refused(request, error, submission_id, position)
    return redirect(f"{item.get_absolute_url()}?step={int(step)}#step")


@require_POST
@login_required
def ask_minimised(request: HttpRequest, submission_id: uuid.UUID, position: int) -> HttpResponse:
    """Have a worker find out which actions suffice."""
    try:
        item = studies.ask_minimised(
            submission_id=submission_id,
            position=position,
            actor=request.user,  # type: ignore[arg-type] # as above
        )
    except SubmissionItem.DoesNotExist as error:
        raise Http404("This submission has no such item.") from error
    except InvalidInput as error:
        return _refused(request, error, submission_id, position)
    return redirect(f"{item.get_absolute_url()}#minimised")


def _refused(
    request: HttpRequest, error: InvalidInput, submission_id: uuid.UUID, position: int
) -> HttpResponse:
    messages.warning(request, f"{error.message} {error.remedy}")
    return redirect("leaderboard:item", submission_id, position)
