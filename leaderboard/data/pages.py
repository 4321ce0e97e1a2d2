"""The page of releases of step data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.data import queries as data_queries
from optarena.data.releases import TABLES


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    address = request.build_absolute_uri(request.path)
    rows = [
        {
            "release": one,
            "entries": one.tables["entries"].rows,
            "programs": one.tables["programs"].rows,
            "files": data_queries.release_files(one),
            "citation": one.cite(address).bibtex,
        }
        for one in data_queries.list_releases()
    ]
    context = {"rows": rows, "tables": TABLES, "server": request.build_absolute_uri("/").rstrip("/")}
    return render(request, "leaderboard/data.html", context)
