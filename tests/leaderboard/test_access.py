"""Every address: who may do what is written here once, every page is near, and no link is broken."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from html import unescape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from django.templatetags.static import static
from django.test import Client

from datasets.site import formats
from tests.kit.arena import Arena, body, portable_body, rolled_back
from tests.kit.portable import PORTABLE_SLUG
from tests.kit.routes import routes

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


METHODS: Final = ("GET", "POST", "DELETE")
ROLES: Final = ("anonymous", "user", "owner", "staff")
LOGIN_PAGE: Final = "/accounts/login/"


class Rule(Enum):
    PUBLIC = frozenset(ROLES)
    LOGIN = frozenset({"user", "owner", "staff"})
    OWNER = frozenset({"owner"})
    OWNER_OR_STAFF = frozenset({"owner", "staff"})


class First(Enum):
    METHOD = "whether it exists"
    LOGIN = "whether somebody asks who is logged in"


@dataclass(frozen=True)
class Row:
    """What one address answers.

    Attributes:
        may: For each method that exists: who may use it, and the status that they get.
        first: What is checked first for a method that does not exist.
        refused: The status for those who are logged in and may not.
        given: The body that is sent.
    """

    may: Mapping[str, tuple[Rule, int]]
    first: First = First.METHOD
    refused: int = 403
    given: Mapping[str, Any] = field(default_factory=dict)

    def asking(self, method: str) -> tuple[str, ...]:
        """The roles that can make a difference: two where all are to get the same answer."""
        rule, _ = self.may.get(method, (Rule.PUBLIC, 0))
        return ("anonymous", "owner") if rule is Rule.PUBLIC else ROLES

    def expected(self, method: str, role: str, *, api: bool) -> tuple[int, bool]:
        """The status, and whether it leads to the login page."""
        log_in = (401, False) if api else (302, True)
        if method not in self.may:
            return log_in if self.first is First.LOGIN and role == "anonymous" else (405, False)
        rule, status = self.may[method]
        if role in rule.value:
            return status, False
        return log_in if role == "anonymous" else (self.refused, False)


PAGE: Final = Row({"GET": (Rule.PUBLIC, 200)})
ACCOUNT: Final = Row({"GET": (Rule.LOGIN, 200), "POST": (Rule.LOGIN, 422)}, First.LOGIN)
"""A page of one's own account; an empty form is refused."""

ASKED: Final = Row({"GET": (Rule.PUBLIC, 200), "POST": (Rule.LOGIN, 202)})
"""What everybody reads, and whoever is logged in may ask workers for."""

PROBE: Final = Row(dict.fromkeys(METHODS, (Rule.PUBLIC, 200)))
READ_BY_ALL: Final = """
api/v1/ api/v1/across/ api/v1/across/<slug:metric>/ api/v1/boards/ api/v1/boards/<slug:slug>/
api/v1/boards/<slug:slug>/export/ api/v1/boards/<slug:slug>/programs/
api/v1/boards/<slug:slug>/standings.csv
api/v1/boards/<slug:slug>/standings/ api/v1/datasets/ api/v1/datasets/<str:name>/
api/v1/datasets/<str:name>/archive/ api/v1/datasets/<str:name>/benchmarks/
api/v1/datasets/<str:name>/benchmarks/<path:path>/
api/v1/datasets/<str:name>/benchmarks/<path:path>/bitcode/
api/v1/data/ api/v1/data/<slug:release>/<str:file>
api/v1/datasets/<str:name>/benchmarks/<path:path>/results/ api/v1/datasets/<str:name>/manifest/
api/v1/docs/ api/v1/docs/<slug:tag>/ api/v1/environments/ api/v1/environments/<str:slug>/ api/v1/limits/
api/v1/portable/
api/v1/portable/<slug:slug>/ api/v1/portable/entries/<uuid:entry_id>/ api/v1/puzzles/ api/v1/queue/
api/v1/records/
api/v1/runners/ api/v1/runners/<int:runner_id>/ api/v1/schema/ api/v1/submissions/<uuid:submission_id>/
api/v1/submissions/<uuid:submission_id>/edits/ api/v1/submissions/<uuid:submission_id>/items/
api/v1/submissions/<uuid:submission_id>/items/<int:position>/
api/v1/submissions/<uuid:submission_id>/items/<int:position>/export/ api/v1/users/<str:username>/
api/v1/users/<str:username>/agents/ across/<slug:metric>/ boards/ boards/<slug:slug>/
boards/<slug:slug>/build/ boards/<slug:slug>/drift/ boards/<slug:slug>/programs/ compare/ data/ datasets/
datasets/<str:name>/ datasets/<str:name>/<path:path>/
docs/ docs/<slug:slug>/ docs/methodology/ environments/ environments/<str:slug>/ portable/
portable/<slug:slug>/ portable/entries/<uuid:entry_id>/ problems/ puzzle/ queue/ records/
records/feed/ robots.txt
AGENTS.md llms.txt
search/ runners/ runners/<int:runner_id>/ sitemap.xml source/ source/<path:path>/ submissions/
submissions/<uuid:submission_id>/ submissions/<uuid:submission_id>/items/<int:position>/
submissions/<uuid:submission_id>/progress/ users/<str:username>/
"""
"""What everybody may read, and nobody may send anything to."""

ROWS: Final[dict[str, Row]] = {
    **dict.fromkeys(["", *READ_BY_ALL.split()], PAGE),
    "accounts/delete/": ACCOUNT,
    "accounts/email/": ACCOUNT,
    "accounts/logout/": Row({"POST": (Rule.PUBLIC, 302)}),
    "accounts/password/": ACCOUNT,
    "accounts/reset/": Row({"GET": (Rule.PUBLIC, 200), "POST": (Rule.PUBLIC, 422)}),
    "accounts/reset/<str:uidb64>/<str:token>/": Row(dict.fromkeys(("GET", "POST"), (Rule.PUBLIC, 200))),
    "accounts/settings/": Row({"GET": (Rule.LOGIN, 200), "POST": (Rule.LOGIN, 302)}, First.LOGIN),
    "accounts/signup/": Row({"GET": (Rule.PUBLIC, 200), "POST": (Rule.PUBLIC, 200)}),
    "accounts/tokens/": Row({"GET": (Rule.LOGIN, 200), "POST": (Rule.LOGIN, 200)}, First.LOGIN),
    "accounts/tokens/<uuid:public_id>/revoke/": Row({"POST": (Rule.OWNER, 302)}, First.LOGIN, refused=404),
    "api/v1/auth/delete/": Row({"POST": (Rule.LOGIN, 422)}),
    "api/v1/auth/email/": Row({"POST": (Rule.LOGIN, 422)}),
    "api/v1/auth/me/": Row(dict.fromkeys(("GET", "POST"), (Rule.LOGIN, 200))),
    "api/v1/auth/password/": Row({"POST": (Rule.LOGIN, 422)}),
    "api/v1/auth/signup/": Row({"POST": (Rule.PUBLIC, 422)}),
    "api/v1/auth/token/": Row({"POST": (Rule.PUBLIC, 422), "DELETE": (Rule.LOGIN, 204)}),
    "api/v1/compare/": Row({"GET": (Rule.PUBLIC, 422)}),
    "api/v1/portable/entries/": Row({"POST": (Rule.LOGIN, 202)}, given=portable_body()),
    "api/v1/portable/entries/<uuid:entry_id>/withdraw/": Row({"POST": (Rule.OWNER_OR_STAFF, 200)}),
    "api/v1/submissions/": Row({"GET": (Rule.PUBLIC, 200), "POST": (Rule.LOGIN, 202)}, given=body()),
    "api/v1/submissions/<uuid:submission_id>/edit/": Row({"POST": (Rule.OWNER, 200)}),
    "api/v1/submissions/<uuid:submission_id>/items/<int:position>/minimised/": ASKED,
    "api/v1/submissions/<uuid:submission_id>/items/<int:position>/repeat/": Row({"POST": (Rule.LOGIN, 202)}),
    "api/v1/submissions/<uuid:submission_id>/items/<int:position>/retry/": Row({"POST": (Rule.LOGIN, 409)}),
    "api/v1/submissions/<uuid:submission_id>/items/<int:position>/steps/<str:step>/difference/": ASKED,
    "api/v1/submissions/<uuid:submission_id>/withdraw/": Row({"POST": (Rule.OWNER_OR_STAFF, 200)}),
    "api/v1/submissions/validate/": Row({"POST": (Rule.LOGIN, 200)}, given=body()),
    "api/v1/users/<str:username>/entries/": Row({"GET": (Rule.PUBLIC, 422)}),
    "favicon.ico": Row({"GET": (Rule.PUBLIC, 301)}),
    "healthz": PROBE,
    "metrics": Row({"GET": (Rule.PUBLIC, 404)}),
    "play/<str:name>/<path:path>/": Row({"GET": (Rule.PUBLIC, 200), "POST": (Rule.PUBLIC, 302)}),
    "portable/entries/": Row({"GET": (Rule.LOGIN, 200), "POST": (Rule.LOGIN, 422)}, First.LOGIN),
    "portable/entries/<uuid:entry_id>/withdraw/": Row({"POST": (Rule.OWNER_OR_STAFF, 302)}, refused=403),
    "readyz": PROBE,
    "submissions/<uuid:submission_id>/edit/": Row(
        {"GET": (Rule.OWNER, 200), "POST": (Rule.OWNER, 302)}, First.LOGIN
    ),
    "submissions/<uuid:submission_id>/items/<int:position>/minimise/": Row({"POST": (Rule.LOGIN, 302)}),
    "submissions/<uuid:submission_id>/items/<int:position>/repeat/": Row({"POST": (Rule.LOGIN, 302)}),
    "submissions/<uuid:submission_id>/items/<int:position>/retry/": Row({"POST": (Rule.LOGIN, 302)}),
    "submissions/<uuid:submission_id>/items/<int:position>/steps/<str:step>/difference/": Row(
        {"POST": (Rule.LOGIN, 302)}
    ),
    "submissions/<uuid:submission_id>/open/": Row({"POST": (Rule.OWNER, 302)}, refused=403),
    "submissions/<uuid:submission_id>/withdraw/": Row({"POST": (Rule.OWNER_OR_STAFF, 302)}, refused=403),
    "users/<str:username>/agent/": Row({"GET": (Rule.PUBLIC, 404)}),
    "submit/": Row({"GET": (Rule.LOGIN, 200), "POST": (Rule.LOGIN, 422)}, First.LOGIN),
}
OF_THE_LOGIN_PAGES: Final = {LOGIN_PAGE.lstrip("/"), "admin/login/"}
"""Tested by themselves: they lead those away who are logged in."""

ADMIN: Final = [one for one in routes() if one.startswith("admin/") and one not in OF_THE_LOGIN_PAGES]


def address(route: str, arena: Arena) -> str:
    slugs = {"environments": "llvm-ic-v0", "docs": "faq", "portable": PORTABLE_SLUG}
    slug = next((slug for room, slug in slugs.items() if room in route), "test-ic")
    keys = {
        "submission_id": str(arena.submission.pk),
        "position": "0",
        "runner_id": str(arena.runner.pk),
        "public_id": str(arena.token.public_id),
        "name": "tiny-v0",
        "release": "steps-v0",
        "file": "metadata.json",
        "username": "ada",
        "path": "examples/agents/annealing.py" if "source" in route else "alpha",
        "slug": slug,
        "tag": "boards",
        "metric": "load_size_bytes",
        "entry_id": str(arena.entry.pk),
        "app_label": "leaderboard",
        "url": "nowhere",
    }
    keys |= dict.fromkeys(("id", "object_id"), str(arena.owner.pk))
    plain = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", route).translate(str.maketrans("", "", "^$"))
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: keys.get(found[1], "1"), plain)


def ask(arena: Arena, role: str, method: str, where: str, given: Mapping[str, Any]) -> Answer:
    client, is_api = Client(raise_request_exception=False), where.startswith("/api/")
    with rolled_back():
        headers = {}
        if role in arena.tokens and is_api:
            headers["Authorization"] = f"Bearer {arena.tokens[role]}"
        elif role in arena.tokens:
            client.cookies.update(arena.cookies[role])
        has_body = is_api and method in ("POST", "PUT")
        kind = "application/json" if has_body else "application/x-www-form-urlencoded"
        data = json.dumps(given) if has_body else ""
        return client.generic(method, where, data, content_type=kind, headers=headers)


@pytest.mark.django_db
def test_every_address_has_a_row() -> None:
    assert set(routes()) == {*ROWS, *OF_THE_LOGIN_PAGES, *ADMIN}


@pytest.mark.django_db
@pytest.mark.parametrize("route", ROWS)
def test_everybody_gets_what_the_rules_say(route: str, arena: Arena) -> None:
    row, where = ROWS[route], address(route, arena)
    wrong = {}
    for method in METHODS:
        for role in row.asking(method):
            answer = ask(arena, role, method, where, row.given)
            expected = row.expected(method, role, api=route.startswith("api/"))
            given = (answer.status_code, answer.headers.get("Location", "").startswith(LOGIN_PAGE))
            if given != expected:
                wrong[method, role] = (given, expected)
    assert wrong == {}


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_login_pages_lead_those_away_who_are_logged_in(role: str, arena: Arena) -> None:
    page = ask(arena, role, "GET", LOGIN_PAGE, {})
    assert page.status_code == (200 if role == "anonymous" else 302)
    admin = ask(arena, role, "GET", "/admin/login/", {})
    leads_to = admin.headers.get("Location", "").partition("?")[0]
    assert (admin.status_code, leads_to) == ((403, "") if role in ("user", "owner") else (302, LOGIN_PAGE))


@pytest.mark.django_db
@pytest.mark.parametrize("route", ADMIN)
def test_the_admin_site_is_for_the_staff_alone(route: str, arena: Arena) -> None:
    where = address(route, arena)
    for role, method in (("anonymous", "GET"), ("user", "GET"), ("user", "POST")):
        answer = ask(arena, role, method, where, {})
        assert answer.status_code == 302, (role, method)
        leads_to = answer.headers["Location"]
        assert leads_to == "/admin/" or leads_to.startswith((LOGIN_PAGE, "/admin/login/")), (role, method)
    answer = ask(arena, "staff", "GET", where, {})
    assert answer.status_code in (200, 302, 403, 404, 405)
    assert not answer.headers.get("Location", "").startswith((LOGIN_PAGE, "/admin/login/"))


CLICKS: Final = 3
MOST: Final = 700
NOT_LINKED: Final = """
accounts/delete/ accounts/email/ accounts/logout/ accounts/password/
accounts/reset/<str:uidb64>/<str:token>/ accounts/settings/ accounts/tokens/
accounts/tokens/<uuid:public_id>/revoke/ favicon.ico healthz metrics
portable/entries/<uuid:entry_id>/withdraw/ readyz robots.txt runners/<int:runner_id>/ sitemap.xml
AGENTS.md llms.txt boards/<slug:slug>/drift/
submissions/<uuid:submission_id>/edit/ submissions/<uuid:submission_id>/items/<int:position>/minimise/
submissions/<uuid:submission_id>/items/<int:position>/repeat/
submissions/<uuid:submission_id>/items/<int:position>/retry/
submissions/<uuid:submission_id>/items/<int:position>/steps/<str:step>/difference/
submissions/<uuid:submission_id>/open/ submissions/<uuid:submission_id>/progress/
submissions/<uuid:submission_id>/withdraw/
"""
"""What only those who are logged in, programs or runners use, and what only few boards have."""


def links(address: str, text: str) -> set[str]:
    found = {urljoin(address, unescape(one)) for one in re.findall(r'(?:href|action|src)="([^"]*)"', text)}
    return {one for one in found if not urlsplit(one).scheme}


def pattern(route: str) -> re.Pattern[str]:
    return re.compile("/" + re.sub(r"<(path:)?[^>]*>", lambda one: ".+" if one[1] else "[^/]+", route) + "$")


@pytest.mark.soak
@pytest.mark.django_db
def test_every_page_is_near_listed_and_no_link_is_broken(arena: Arena, client: Client) -> None:
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
    # A game is one further than the page of its program.
    allowed = {one: CLICKS + one.startswith("/play/") for one in clicks}
    assert [one for one, far in clicks.items() if far > allowed[one] and pages[one]] == []
    broken = {
        f"{target}#{anchor}"
        for target, anchor in anchors
        if anchor and pages.get(target) and f'id="{anchor}"' not in pages[target]
    }
    assert broken == set()
    seen = [urlsplit(one).path for one in clicks]
    for route in routes():
        if not route.startswith(("api/", "admin/")) and route not in NOT_LINKED.split():
            assert any(pattern(route).match(one) for one in seen), route
    robots = client.get("/robots.txt").content.decode()
    assert "Disallow: /accounts/\n" in robots
    [place] = re.findall("^Sitemap: http://testserver(/.*)$", robots, re.MULTILINE)
    root = ET.fromstring(client.get(place).content)  # noqa: S314 - our own
    listed = [urlsplit(one.text or "").path for one in root.iter() if one.tag.endswith("loc")]
    assert {"/", "/boards/test-ic/", "/datasets/tiny-v0/", "/docs/faq/"} <= set(listed)
    assert len(set(listed)) == len(listed)
    assert [one for one in listed if one not in pages and client.get(one).status_code != 200] == []
    board = pages["/boards/test-ic/"]
    [title] = re.findall("<title>(.*) · OptArena</title>", board)
    assert f'<meta property="og:title" content="{title}">' in board
    assert '<meta property="og:url" content="http://testserver/boards/test-ic/">' in board
    submission = arena.submission
    shown = f">{formats.moment(submission.created, 'seconds')}</time>"
    assert shown in pages[submission.get_absolute_url()], "a time names its zone"


@pytest.mark.parametrize("name", ["AGENTS.md", "llms.txt"])
def test_texts_for_agents_lead_to_pages_of_this_site(client: Client, name: str) -> None:
    answer = client.get(f"/{name}")
    assert answer.status_code == 200
    links = re.findall(r"\]\(([^)]+)\)", answer.content.decode())
    assert "http://testserver/docs/agents-that-use-tools/" in links
    assert {client.get(urlsplit(link).path).status_code for link in links} == {200}


def test_the_old_icon_is_there(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (301, static("site/favicon.ico"))
    icon = client.get(answer["Location"])
    assert icon.getvalue()[:4] == b"\0\0\1\0"
