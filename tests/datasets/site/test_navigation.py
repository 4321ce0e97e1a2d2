"""The navigation is what the installed apps add to it."""

from __future__ import annotations

import pytest
from django.apps import apps

from datasets.site.navigation import Contribution, Link, layout


def test_links_stand_in_the_order_of_their_places() -> None:
    titles = [entry.title for entry in layout("/").entries]
    assert titles == ["Boards", "Datasets", "Submissions", "Submit", "Manual"]
    further = [entry.title for entry in layout("/").further]
    assert further == ["Records", "Queue", "Environments", "Methodology", "API", "Source"]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/", {}),
        ("", {}),
        ("/datasets/", {"Datasets": "true"}),
        ("/datasets/kernels-v0/", {"Datasets": "true"}),
        ("/queue/", {"Queue": "page"}),
        ("/queue/more/", {}),
    ],
)
def test_the_section_of_a_page_is_marked(path: str, marked: dict[str, str]) -> None:
    shown = layout(path)
    found = {entry.title: entry.current for entry in (*shown.entries, *shown.further) if entry.current}
    assert found == marked


def test_an_app_adds_links_by_data_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    links = (Link(title="Jobs", view="leaderboard:queue", place=22),)
    monkeypatch.setattr(apps.get_app_config("runner"), "site", Contribution(links=links), raising=False)
    titles = [entry.title for entry in layout("/").entries]
    assert titles[:3] == ["Boards", "Datasets", "Jobs"]


def test_an_attribute_of_another_kind_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    before = layout("/")
    monkeypatch.setattr(apps.get_app_config("humanize"), "site", "https://example.org", raising=False)
    assert layout("/") == before
