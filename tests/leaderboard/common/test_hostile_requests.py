"""Requests that once ended in an internal error, a silent choice, or a server that answered nobody."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model

from tests.factories import PASSWORD, make_user

if TYPE_CHECKING:
    from django.test import Client

    from tests.kit.stack import Stack

VALIDATE, SIGNUP = "/api/v1/submissions/validate/", "/api/v1/auth/signup/"


@pytest.fixture
def member(db: None, client: Client) -> Client:
    client.force_login(make_user("ada"))
    return client


def post(client: Client, body: str | bytes, address: str = VALIDATE, kind: str = "application/json") -> Any:
    return client.post(address, body, content_type=kind)


@pytest.mark.parametrize(
    ("address", "body", "named"),
    [
        (VALIDATE, r'{"agent": "\ud800"}', ""),
        (VALIDATE, r'{"\udfff": 1}', ""),
        (VALIDATE, r'{"items": [{"claims": {"\ud800": 1}}]}', ""),
        (VALIDATE, '{"board": "nope", "board": "llvm-ic"}', "board"),
        (VALIDATE, '{"items": [{"actions": [5], "actions": [0]}]}', "actions"),
        (VALIDATE, '{"board": ' + "[" * 500 + "]" * 500 + "}", ""),
        (VALIDATE, '{"zz": ' + '{"a":' * 935 + "1" + "}" * 935 + "}", ""),
        (SIGNUP, rf'{{"username": "\ud800", "password": "{PASSWORD}"}}', ""),
        (SIGNUP, r'{"username": "bob", "password": "\ud800"}', ""),
        (SIGNUP, rf'{{"username": "bob", "username": "eve", "password": "{PASSWORD}"}}', "username"),
    ],
)
def test_json_that_can_be_read_in_two_ways_or_in_none_is_refused(
    member: Client, address: str, body: str, named: str
) -> None:
    answer = post(member, body, address)
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/#malformed-document")
    assert "JSON" in answer.content.decode()
    assert named in answer.content.decode()
    assert get_user_model().objects.count() == 1


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


@pytest.mark.soak
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
