"""Each request about people: their pages, comparisons of what they sent, and their accounts."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.urls import reverse

from tests.factories import PASSWORD
from tests.kit.boards import agent
from tests.kit.cases import JSON, Case, get, post

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpResponse
    from django.test import Client

    from tests.kit.site import Site


def reading_people() -> Iterator[Case]:
    yield get("leaderboard:compare")
    for room in ("leaderboard", "leaderboard-api"):
        yield get(f"{room}:across", "load_size_bytes")
    yield get("leaderboard-api:across-list")
    for space in ("leaderboard-api", "leaderboard"):
        yield _comparison(space)
        yield get(f"{space}:person", "ada")
        yield get(f"{space}:records", query="?owner=ada")
    yield get("leaderboard-api:agents", "ada")
    yield get("leaderboard-api:entries", "ada", query=f"?agent={quote(agent(2))}")
    yield get("leaderboard:agent", "ada", query=f"?name={quote(agent(2))}")
    for route in ("settings", "email", "password", "delete"):
        yield get(f"accounts:{route}", by="owner")
    yield get("accounts:reset")
    yield get("accounts:new-password", "MQ", "no-token")


def _comparison(space: str) -> Case:
    """Four columns of all kinds, with their sequences."""

    def prepare(site: Site) -> Callable[[], HttpResponse]:
        entries = [str(site.ended.pk), str(site.waiting.pk), "level:Oz", "virtual-best"]
        client = site.browser(site.user)
        return lambda: client.get(reverse(f"{space}:compare"), {"entry": entries})  # type: ignore[return-value] # the client's own class

    return Case(f"GET {space}:compare of four", prepare)


def accounts() -> Iterator[Case]:
    """Changes of accounts, by page and by program."""

    def nobody(site: Site) -> Client:
        return site.browser()

    def owner(site: Site) -> Client:
        return site.browser(site.user)

    new = {"username": "eve", "password": PASSWORD}
    known = {"username": "ada", "password": PASSWORD}
    created = HTTPStatus.CREATED
    yield post("POST api-signup", nobody, lambda _: dict(new), status=created, content_type=JSON)
    yield post("POST api-token", nobody, lambda _: dict(known), status=created, content_type=JSON)
    yield Case(
        "DELETE api-token",
        lambda site: lambda: site.api.delete(reverse("api-token")),  # type: ignore[arg-type, return-value] # as above
        HTTPStatus.NO_CONTENT,
    )
    yield from _credentials(owner)
    yield post("POST accounts:reset", nobody, lambda _: {"email": "ada"})
    yield post("POST accounts:signup", nobody, lambda _: dict(new))
    yield post("POST accounts:login", nobody, lambda _: dict(known))
    yield post("POST accounts:logout", owner, lambda _: {})
    yield post("POST accounts:tokens", owner, lambda _: {"name": "t", "days": 7}, status=HTTPStatus.OK)
    yield post("POST accounts:revoke", owner, lambda site: {"@": [site.tokens[0].public_id]})


def _credentials(owner: Callable[[Site], Client]) -> Iterator[Case]:
    """Changes of an account, by page and by program."""
    mine = {"password": PASSWORD}
    changes: dict[str, dict[str, Any]] = {
        "email": mine | {"email": "ada@example.org"},
        "password": mine | {"new_password": f"{PASSWORD} again"},
        "delete": mine,
    }
    yield post("POST accounts:settings", owner, lambda _: {"affiliation": "here"})
    yield post(
        "POST api-me",
        lambda site: site.api,
        lambda _: {"affiliation": "here"},
        status=HTTPStatus.OK,
        content_type=JSON,
    )
    for name, body in changes.items():
        yield post(f"POST accounts:{name}", owner, lambda _, body=body: dict(body))
        yield post(
            f"POST api-{name}",
            lambda site: site.api,
            lambda _, body=body: dict(body),
            status=HTTPStatus.NO_CONTENT,
            content_type=JSON,
        )
