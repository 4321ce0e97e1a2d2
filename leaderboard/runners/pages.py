"""Thin views of the pages about runners: all of them, and one with its calibrations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasets.site.charts import LineChart, ReferenceLine, for_screens, line_chart
from leaderboard.runners import queries as runner_queries

_MILLISECONDS: Final = 1000


@require_safe
def runners(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboard/runners.html", {"runners": runner_queries.known_runners()})


@require_safe
def runner(request: HttpRequest, runner_id: int) -> HttpResponse:
    found = runner_queries.known_runner(runner_id)
    if found is None:
        raise Http404(f"There is no runner {runner_id}; the page of runners lists all.")
    charts = [(course, _charts(course)) for course in found["courses"]]
    return render(request, "leaderboard/runner.html", {"runner": found, "charts": charts})


def _charts(course: Mapping[str, Any]) -> dict[str, LineChart]:
    # In milliseconds, with the median of the history and its limits.
    times = [_MILLISECONDS * one for one in course["seconds"]]
    level = None if course["usual"] is None else ReferenceLine(_MILLISECONDS * course["usual"], "median")
    band = course["limits"] and (_MILLISECONDS * course["limits"][0], _MILLISECONDS * course["limits"][1])
    days = [f"{at:%m-%d}" for at in course["at"]]
    return for_screens(
        lambda width: line_chart(times, level=level, band=band, labels=days, width=width),
        wide=520,
        narrow=360,
    )
