"""The search of the whole site: obvious hits come first, and any text is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from leaderboard.accounts.services import delete_account
from leaderboard.people.agent_names import family
from tests.factories import PASSWORD, make_dataset, make_user
from tests.kit.arena import Arena, rolled_back
from tests.kit.boards import submit
from tests.kit.pages import text

if TYPE_CHECKING:
    from django.test import Client


pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _undone(arena: Arena) -> Iterator[None]:
    with rolled_back():
        yield


def found(client: Client, query: str) -> dict[str, list[str]]:
    """The addresses of the hits of each section."""
    page = text(client.get("/search/", {"q": query}))
    parts = re.split(r'<h2 id="(\w+)">', page)[1:]
    return {
        name: [unescape(one) for one in re.findall(r'<li><a href="([^"]+)"', part.partition("</ol>")[0])]
        for name, part in zip(parts[::2], parts[1::2], strict=True)
    }


@pytest.mark.parametrize(
    ("query", "section", "first"),
    [
        ("test-ic", "boards", "/boards/test-ic/"),
        ("TEST-ic", "boards", "/boards/test-ic/"),
        ("portable", "boards", "/portable/portable/"),
        ("agent", "agents", "/users/ada/agent/?name=agent"),
        ("ada agent", "agents", "/users/ada/agent/?name=agent"),
        ("ada", "people", "/users/ada/"),
        ("tiny-v0", "programs", "/datasets/tiny-v0/"),
        ("alpha", "programs", "/datasets/tiny-v0/alpha/"),
        ("benchmark://tiny-v0/alpha", "programs", "/datasets/tiny-v0/alpha/"),
        ("unranked", "manual", "/docs/faq/#why-is-my-entry-unranked"),
    ],
)
def test_the_obvious_hit_is_the_first(client: Client, query: str, section: str, first: str) -> None:
    hits = found(client, query)
    assert hits[section][0] == first
    assert client.get(first).status_code == 200


def test_a_name_that_is_the_query_comes_before_those_that_have_it(client: Client) -> None:
    make_dataset("more-v0", ["bubble-sort", "sort-1", "a-sort", "sort"])
    hits = found(client, "sort")["programs"]
    assert hits == [f"/datasets/more-v0/{name}/" for name in ("sort", "sort-1", "a-sort", "bubble-sort")]


def test_the_best_of_many_are_shown_and_more_are_said(client: Client) -> None:
    make_dataset("many-v0", [f"many{number}" for number in range(12)])
    assert len(found(client, "many")["programs"]) == 10
    assert "These are the best 10. More words find fewer." in text(client.get("/search/", {"q": "many"}))
    assert "These are" not in text(client.get("/search/", {"q": "many11"}))


def test_agents_of_one_family_are_one_hit(arena: Arena, client: Client) -> None:
    names = ("Fast 1", "fast-2", "fast (v3)")
    assert len({family(name) for name in names}) == 1
    for number, name in enumerate(names):
        body: dict[str, Any] = {**arena.body, "agent": name}
        body["items"] = [{**one, "actions": [number + 2]} for one in body["items"]]
        submit(arena.owner, body)
    assert len(found(client, "fast")["agents"]) == 1


def test_only_people_whose_entries_are_shown_are_found(arena: Arena, client: Client) -> None:
    make_user("adamant")
    assert found(client, "ada")["people"] == ["/users/ada/"]
    arena.owner.set_password(PASSWORD)
    arena.owner.save()
    delete_account(user=arena.owner, password=PASSWORD)
    assert "people" not in found(client, "ada")


@pytest.mark.parametrize(
    "query", ["", "  ", "%", "_", "alp_a", "alph%", "\\", "a\\", "'%", "(", "xyzzy", "z" * 5000]
)
def test_any_text_is_answered_and_no_sign_is_a_wildcard(client: Client, query: str) -> None:
    hits = found(client, query)
    assert "boards" not in hits
    assert "programs" not in hits


def test_a_query_is_text(client: Client) -> None:
    page = text(client.get("/search/", {"q": '<script>"'}))
    assert "<script>" not in page
    assert 'value="&lt;script&gt;&quot;"' in page
    assert "Nothing has all of these words." in page
    assert "The box at the top searches" in text(client.get("/search/"))
    assert client.get("/search/?q=a%00").status_code == 400
