"""Thin views of ranges: the page of a dataset whose benchmarks are computed, and that of each member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse

from datasets import selectors
from datasets.web.citation import bibtex
from datasets.web.examples import example_environment
from optarena.datasets.parametric import MEMBER

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from datasets.models import Benchmark, DatasetVersion


def range_page(request: HttpRequest, version: DatasetVersion, found: Benchmark) -> HttpResponse:
    """A dataset that is one range: its ends, how to name a member, and a form that leads to one."""
    asked = request.GET.get("n", "").strip()
    path = found.name.replace(MEMBER, asked)
    if asked and selectors.member_in_dataset(found, path) is not None:
        return redirect("datasets:benchmark", version.name, path)
    members = _members(found)
    number, example_path = members[len(members) > 2]  # noqa: PLR2004 # rather one between the ends
    context = {
        "version": version,
        "benchmark": found,
        "asked": asked,
        "members": members,
        "example": found.uri.replace(MEMBER, str(number)),
        "example_path": example_path,
        "environment": example_environment(version),
        "citation": bibtex(version, request.build_absolute_uri(version.get_absolute_url())),
        "trail": [("Datasets", reverse("datasets:list"))],
    }
    return render(request, "datasets/range.html", context, status=422 if asked else 200)


def member_page(request: HttpRequest, version: DatasetVersion, found: Benchmark, path: str) -> HttpResponse:
    """A member of a range: its URI, and how to use it."""
    member = selectors.member_in_dataset(found, path)
    if member is None:
        raise Http404(f"The dataset {version.name} does not have a benchmark {path}.")
    context = {
        "version": version,
        "benchmark": found,
        "member": member,
        "members": _members(found, but=path),
        "environment": example_environment(version),
        "trail": [("Datasets", reverse("datasets:list")), (version.name, version.get_absolute_url())],
    }
    return render(request, "datasets/member.html", context)


def _members(found: Benchmark, *, but: str = "") -> list[tuple[int, str]]:
    """Members to link to: number and path."""
    paths = ((one, found.name.replace(MEMBER, str(one))) for one in selectors.example_numbers(found))
    return [(number, path) for number, path in paths if path != but]
