"""Additions of the installed apps to every page: links and search of the header, its corner, the footer.

An app declares them in its ``AppConfig``, as plain data under the name ``site``::

    class DatasetsConfig(AppConfig):
        site = Contribution(links=(Link(title="Datasets", view="datasets:list", place=20, is_section=True),))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.apps import apps
from django.urls import reverse

_KEPT_LAYOUTS: Final = 1_000  # one for each path


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    title: str
    view: str
    place: int  # Links are in the order of these numbers.
    is_section: bool = False  # Marked on all pages below its address, or only on that one.
    is_further: bool = False  # In the list that opens at the end.


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    links: tuple[Link, ...] = ()
    search: str = ""  # The view of a page that answers `?q=`.
    corner: str = ""  # A template of list items for the end of the navigation.
    footer: str = ""  # A template.
    benchmark: str = ""  # A template for the pages of benchmarks and of members of ranges. It gets `uri`.


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    # `current` is the value of its `aria-current`, or empty.
    title: str
    url: str
    current: str


@dataclass(frozen=True, slots=True)
class Layout:
    entries: tuple[NavigationEntry, ...]
    further: tuple[NavigationEntry, ...]
    search: str  # The address, or empty.
    corners: tuple[str, ...]
    footers: tuple[str, ...]
    benchmark_parts: tuple[str, ...]


@lru_cache(_KEPT_LAYOUTS)
def layout(path: str) -> Layout:
    # The path is empty if it is not known, as on an error page.
    found = [
        given
        for app in apps.get_app_configs()
        if isinstance(given := getattr(app, "site", None), Contribution)
    ]
    links = sorted((link for one in found for link in one.links), key=lambda link: link.place)
    return Layout(
        entries=tuple(_entry(link, path) for link in links if not link.is_further),
        further=tuple(_entry(link, path) for link in links if link.is_further),
        search=next((reverse(one.search) for one in found if one.search), ""),
        corners=tuple(one.corner for one in found if one.corner),
        footers=tuple(one.footer for one in found if one.footer),
        benchmark_parts=tuple(one.benchmark for one in found if one.benchmark),
    )


def _entry(link: Link, path: str) -> NavigationEntry:
    url = reverse(link.view)
    if link.is_section:
        return NavigationEntry(link.title, url, "true" if path.startswith(url) else "")
    return NavigationEntry(link.title, url, "page" if path == url else "")
