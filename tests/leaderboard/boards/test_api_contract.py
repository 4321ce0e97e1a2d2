"""What every answer of the API promises: parameters have an effect, answers an ETag, and other sites read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.boards import World, document, submit

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings
    from rest_framework.test import APIClient


@pytest.mark.parametrize(
    ("query", "field", "remedy"),
    [
        ("boards/test-ic/standings/?al=1", "al", "all"),
        ("boards/test-ic/standings/?all=1&all=0", "all", "Give it once."),
        ("boards/test-ic/standings/?all=null", "all", "Give `true` or `false`, or leave it out."),
        ("boards/test-ic/standings/?all=", "all", "Give `true` or `false`, or leave it out."),
        ("boards/test-ic/standings/?page_size=101", "page_size", "from 1 to 100"),
        ("limits/?page=2", "page", "Leave it out: this request takes none."),
        ("submissions/?board=tset-ic", "board", "Did you mean 'test-ic'?"),
        ("submissions/?owner=nobody", "owner", ""),
    ],
)
def test_a_parameter_without_effect_is_refused(
    world: World, anonymous: APIClient, query: str, field: str, remedy: str
) -> None:
    answer = anonymous.get(f"/api/v1/{query}")
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    [problem] = answer.json()["errors"]
    assert problem["field"] == field
    assert remedy in problem["remedy"]


def test_a_page_names_a_value_that_it_cannot_use(world: World, client: Client) -> None:
    page = client.get("/boards/test-ic/?all=perhaps")
    assert page.status_code == 422
    assert "neither true nor false" in page.content.decode()


def test_the_index_leads_everywhere(world: World, anonymous: APIClient) -> None:
    found = anonymous.get("/api/v1/").json()
    answers = {
        "me": 401,
        "signup": 405,
        "token": 405,
        "validate": 405,
        "portable_entries": 405,
        "compare": 422,
    }
    for name, address in found.items():
        status = anonymous.get(address).status_code
        assert status == answers.get(name, 200), name


def test_an_answer_is_sent_once(world: World, anonymous: APIClient) -> None:
    address = "/api/v1/boards/test-ic/"
    first = anonymous.get(address)
    again = anonymous.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    submit(world.user, document())
    changed = anonymous.get(address, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_pages_of_other_sites_read_as_nobody(world: World, anonymous: APIClient, settings: Settings) -> None:
    asked = {"Origin": "https://other.example", "Access-Control-Request-Method": "GET"}
    for address in ("/api/v1/boards/", "/api/v1/boards/none/"):
        assert anonymous.get(address)["Access-Control-Allow-Origin"] == "*"
    before = anonymous.options("/api/v1/boards/", headers=asked)
    assert before.status_code == 204
    assert "Authorization" not in before["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in before
    writing = asked | {"Access-Control-Request-Method": "POST"}
    for closed in (
        anonymous.options("/api/v1/submissions/", headers=writing),
        anonymous.post("/api/v1/submissions/"),
        anonymous.get("/healthz"),
    ):
        assert "Access-Control-Allow-Origin" not in closed
    for answered, status in (
        (anonymous.post("/api/v1/submissions/", headers=asked), 401),
        (anonymous.get("/api/v1/boards/", headers=asked), 200),
    ):
        assert answered.status_code == status
    settings.OPTARENA_CROSS_ORIGIN = False
    assert "Access-Control-Allow-Origin" not in anonymous.get("/api/v1/boards/")
