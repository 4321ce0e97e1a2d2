"""Requests that once ended in an internal error, a silent choice, or a server that answered nobody."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model

from leaderboard.models import Submission
from optarena.limits import MAX_ITEMS_PER_SUBMISSION
from tests.factories import PASSWORD, make_user

if TYPE_CHECKING:
    from django.test import Client

    from tests.kit.stack import Stack

VALIDATE = "/api/v1/submissions/validate/"


@pytest.fixture
def member(db: None, client: Client) -> Client:
    client.force_login(make_user("ada"))
    return client


def post(client: Client, body: str | bytes, address: str = VALIDATE, kind: str = "application/json") -> Any:
    return client.post(address, body, content_type=kind)


@pytest.mark.parametrize(
    "body",
    [
        r'{"agent": "\ud800"}',
        r'{"\udfff": 1}',
        r'{"items": [{"claims": {"\ud800": 1}}]}',
        '{"board": "nope", "board": "llvm-ic"}',
        '{"items": [{"actions": [5], "actions": [0]}]}',
        '{"board": ' + "[" * 500 + "]" * 500 + "}",
        '{"zz": ' + '{"a":' * 935 + "1" + "}" * 935 + "}",
    ],
)
def test_json_that_can_be_read_in_two_ways_or_in_none_is_refused(member: Client, body: str) -> None:
    answer = post(member, body)
    assert answer.status_code == 400
    assert "JSON" in answer.content.decode()


@pytest.mark.parametrize("field", ["username", "password"])
def test_half_a_character_in_an_account_is_refused(client: Client, db: None, field: str) -> None:
    body = json.dumps({"username": "ada", "password": PASSWORD} | {field: "\ud800"})
    answer = post(client, body, "/api/v1/auth/signup/")
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/#malformed-document")
    [error] = answer.json()["errors"]
    assert error["field"] == "body"
    assert not get_user_model().objects.exists()


def test_a_name_given_twice_makes_no_account(client: Client, db: None) -> None:
    body = '{"username": "ada", "username": "bob", "password": "correct horse staple"}'
    answer = post(client, body, "/api/v1/auth/signup/")
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/#malformed-document")
    [error] = answer.json()["errors"]
    assert error["field"] == "body"
    assert "username" in error["message"]
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize("name", ["\N{ZERO WIDTH SPACE}", "\N{RIGHT-TO-LEFT OVERRIDE}evil"])
def test_a_name_that_cannot_be_seen_as_it_is_is_refused(member: Client, name: str) -> None:
    answer = post(member, json.dumps({"board": "llvm-ic", "agent": name, "items": []}))
    assert "agent" in {error["field"] for error in answer.json()["errors"]}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"items": [' + ",".join(["{}"] * (MAX_ITEMS_PER_SUBMISSION + 1)) + "]}", "application/json"),
        ("benchmark,commandline\n" + "x,y\n" * (MAX_ITEMS_PER_SUBMISSION + 1), "text/csv"),
    ],
)
def test_more_items_than_allowed_are_refused_without_a_look_at_them(
    member: Client, body: str, kind: str
) -> None:
    answer = post(member, body, kind=kind)
    assert answer.status_code == 413
    assert "10,000" in answer.content.decode()


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/datasets/%00/",
        "/api/v1/datasets/kernels-v0/benchmarks/%00/bitcode/",
        "/datasets/%00/",
        "/datasets/kernels-v0/%00/",
        "/api/v1/boards/?cursor=cD0lMDA=",
        "/api/v1/submissions/?board=%00",
    ],
)
def test_a_nul_in_an_address_leads_nowhere(client: Client, db: None, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code in {400, 404}
    if address.startswith("/api/"):
        assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("address", ["/api/v1/boards/", "/boards/"])
def test_another_servers_name_is_a_problem_that_shows_it(
    client: Client, db: None, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get(address, headers={"Host": "evil<b>.example"})
    assert answer.status_code == 400
    if address.startswith("/api/"):
        [error] = answer.json()["errors"]
        assert (error["field"], error["value"]) == ("Host", "evil<b>.example")
    assert "OPTARENA_ALLOWED_HOSTS" in answer.content.decode()
    assert "Traceback" not in caplog.text
    assert answer["Content-Type"].startswith("application/problem+json" if "api" in address else "text/html")


@pytest.mark.parametrize(
    "target", ["foo", "foo bar", "?q", "%0d%0aX:1", "//evil.example", "\\evil", "/a\r\nX: 1"]
)
def test_after_signing_up_only_a_path_of_ours_is_led_to(client: Client, db: None, target: str) -> None:
    form = {"username": "ada", "password": PASSWORD, "next": target}
    answer = client.post("/accounts/signup/", form)
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/tokens/")


@pytest.mark.parametrize("target", ["x.y", "%0d%0aX:1", "/\\evil.example"])
def test_after_logging_in_only_a_path_of_ours_is_led_to(client: Client, db: None, target: str) -> None:
    make_user("ada")
    form = {"username": "ada", "password": PASSWORD, "next": target}
    assert client.post("/accounts/login/", form)["Location"] == "/submissions/?mine=1"


@pytest.mark.parametrize("key", ["", "k" * 201])
def test_a_form_whose_key_was_lost_gets_another(member: Client, key: str) -> None:
    page = member.post("/submit/", {"key": key, "agent": "a", "states": "x"}).content.decode()
    assert 'name="key"' in page
    assert f'value="{key}"' not in page
    assert not Submission.objects.exists()


@pytest.mark.stack
def test_bodies_that_never_come_do_not_stop_the_server(stack: Stack) -> None:
    host, port = stack.url.removeprefix("http://").split(":")
    head = (
        f"POST /api/v1/auth/signup/ HTTP/1.1\r\nHost: {host}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    stalled = [socket.create_connection((host, int(port))) for _ in range(6)]
    try:
        for one in stalled:
            one.sendall(head.encode())
        time.sleep(1)
        with stack.client() as client:
            assert list(client.boards())
        stalled[0].settimeout(60)
        assert b" 408 " in stalled[0].recv(4096)
    finally:
        for one in stalled:
            one.close()
