"""Additions of the installed apps to every page: links of the navigation, its right-hand corner, the footer.

An app declares them in its ``AppConfig``, as plain data under the name ``site``::

    class DatasetsConfig(AppConfig):
        site = Contribution(links=(Link(title="Datasets", view="datasets:list", place=20, is_section=True),))
"""

from __future__ import annotations

from dataclasses import dataclass

from django.apps import apps
from django.urls import reverse


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of the navigation.

    Attributes:
        title: Its text.
        view: The name of the URL pattern that it leads to.
        place: Links are in the order of these numbers.
        is_section: Whether it is marked on all pages below its address, or only on that one.
        is_further: Whether it stands in the list that opens at the end.
    """

    title: str
    view: str
    place: int
    is_section: bool = False
    is_further: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """The additions of one app to every page.

    Attributes:
        links: For the navigation.
        corner: A template of list items for the end of the navigation, or empty.
        footer: A template for the foot of the page, or empty.
        benchmark: A template for the pages of benchmarks and of members of ranges, or empty. It gets ``uri``.
    """

    links: tuple[Link, ...] = ()
    corner: str = ""
    footer: str = ""
    benchmark: str = ""


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A link on a page: ``current`` is the value of its ``aria-current``, or empty."""

    title: str
    url: str
    current: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The additions to one page: navigation, ``further`` links of its list, footer, parts of benchmarks."""

    entries: tuple[NavigationEntry, ...]
    further: tuple[NavigationEntry, ...]
    corners: tuple[str, ...]
    footers: tuple[str, ...]
    benchmark_parts: tuple[str, ...]


def layout(path: str) -> Layout:
    """The additions of all installed apps to a page.

    Args:
        path: The page's address; empty if it is not known, as on an error page.
    """
    found = [
        given
        for app in apps.get_app_configs()
        if isinstance(given := getattr(app, "site", None), Contribution)
    ]
    links = sorted((link for one in found for link in one.links), key=lambda link: link.place)
    return Layout(
        entries=tuple(_entry(link, path) for link in links if not link.is_further),
        further=tuple(_entry(link, path) for link in links if link.is_further),
        corners=tuple(one.corner for one in found if one.corner),
        footers=tuple(one.footer for one in found if one.footer),
        benchmark_parts=tuple(one.benchmark for one in found if one.benchmark),
    )


def _entry(link: Link, path: str) -> NavigationEntry:
    url = reverse(link.view)
    if link.is_section:
        return NavigationEntry(link.title, url, "true" if path.startswith(url) else "")
    return NavigationEntry(link.title, url, "page" if path == url else "")
