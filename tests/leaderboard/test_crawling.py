"""What a crawler finds: every page within three clicks of the first one, and no broken link."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from django.templatetags.static import static

from datasets.site import formats
from tests.kit.arena import arena_in
from tests.kit.routes import routes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

    from tests.kit.arena import Arena

CLICKS: Final = 3
MOST: Final = 700
NOT_LINKED: Final = {
    "accounts/delete/",
    "accounts/email/",
    "accounts/logout/",
    "accounts/password/",
    "accounts/reset/<str:uidb64>/<str:token>/",
    "accounts/settings/",
    "accounts/tokens/",
    "accounts/tokens/<uuid:public_id>/revoke/",
    "favicon.ico",
    "healthz",
    "metrics",
    "portable/entries/<uuid:entry_id>/withdraw/",
    "readyz",
    "robots.txt",
    "runners/<int:runner_id>/",
    "sitemap.xml",
    "submissions/<uuid:submission_id>/edit/",
    "submissions/<uuid:submission_id>/items/<int:position>/minimise/",
    "submissions/<uuid:submission_id>/items/<int:position>/repeat/",
    "submissions/<uuid:submission_id>/items/<int:position>/retry/",
    "submissions/<uuid:submission_id>/items/<int:position>/steps/<str:step>/difference/",
    "submissions/<uuid:submission_id>/progress/",
    "submissions/<uuid:submission_id>/withdraw/",
}
"""What only those who are logged in, programs or runners use."""


@pytest.fixture
def arena(db: None, broker: str, tmp_path: Path) -> Iterator[Arena]:
    """A server with something of everything."""
    with arena_in(tmp_path) as made:
        yield made


def links(address: str, text: str) -> set[str]:
    """The addresses of this server that a page leads to, with their anchors."""
    found = {urljoin(address, unescape(one)) for one in re.findall(r'(?:href|action|src)="([^"]*)"', text)}
    return {one for one in found if not urlsplit(one).scheme}


def pattern(route: str) -> re.Pattern[str]:
    return re.compile("/" + re.sub(r"<(path:)?[^>]*>", lambda one: ".+" if one[1] else "[^/]+", route) + "$")


def test_every_page_is_near_and_no_link_is_broken(arena: Arena, client: Client) -> None:
    pages, clicks = {"/": ""}, {"/": 0}
    anchors: set[tuple[str, str]] = set()
    waiting = ["/"]
    while waiting:
        address = waiting.pop(0)
        answer = client.get(address)
        assert answer.status_code in (200, 301, 302), address
        is_page = answer["Content-Type"].startswith("text/html") and not answer.streaming
        pages[address] = answer.content.decode() if is_page else ""
        for link in links(address, pages[address]):
            target, _, anchor = link.partition("#")
            target = target.partition("?next=")[0]  # wherever it leads back to, it is the same page
            anchors.add((target, anchor))
            if target not in clicks and not target.startswith("/static/"):
                clicks[target] = clicks[address] + 1
                waiting.append(target)
        assert len(clicks) < MOST
    assert [one for one, far in clicks.items() if far > CLICKS and pages[one]] == []
    broken = {
        f"{target}#{anchor}"
        for target, anchor in anchors
        if anchor and pages.get(target) and f'id="{anchor}"' not in pages[target]
    }
    assert broken == set()
    seen = [urlsplit(one).path for one in clicks]
    for route in routes():
        if not route.startswith(("api/", "admin/")) and route not in NOT_LINKED:
            assert any(pattern(route).match(one) for one in seen), route


def test_robots_lead_to_the_sitemap_whose_pages_exist(arena: Arena, client: Client) -> None:
    robots = client.get("/robots.txt").content.decode()
    assert "Disallow: /accounts/\n" in robots
    [place] = re.findall("^Sitemap: http://testserver(/.*)$", robots, re.MULTILINE)
    root = ET.fromstring(client.get(place).content)  # noqa: S314 - our own
    listed = [urlsplit(one.text or "").path for one in root.iter() if one.tag.endswith("loc")]
    assert {"/", "/boards/test-ic/", "/datasets/tiny-v0/", "/docs/faq/"} <= set(listed)
    assert len(set(listed)) == len(listed)
    for address in listed:
        assert client.get(address).status_code == 200, address


def test_the_old_icon_is_there(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (301, static("site/favicon.ico"))
    icon = client.get(answer["Location"])
    assert icon.getvalue()[:4] == b"\0\0\1\0"


def test_a_page_introduces_itself_to_other_sites(arena: Arena, client: Client) -> None:
    text = client.get("/boards/test-ic/").content.decode()
    [title] = re.findall("<title>(.*) · OptArena</title>", text)
    assert f'<meta property="og:title" content="{title}">' in text
    assert '<meta property="og:url" content="http://testserver/boards/test-ic/">' in text


def test_times_name_their_zone(arena: Arena, client: Client) -> None:
    submission = arena.submission
    text = client.get(submission.get_absolute_url()).content.decode()
    assert f">{formats.moment(submission.created, 'seconds')}</time>" in text
