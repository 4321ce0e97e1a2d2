"""The tools for clients of OpenEnv: the messages of its protocol over a real websocket, good and bad."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from optarena.tools import TOOLS
from tests.kit import mcp
from tests.kit.processes import children, descendants, wait_until

PROGRAM = "benchmark://kernels-v0/sha256"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with mcp.http(folder=tmp_path_factory.mktemp("openenv")) as (url, pid):
        yield url.removesuffix("/mcp"), pid


@pytest.fixture
def connection(server: tuple[str, int]) -> Iterator[ClientConnection]:
    with connect(f"{server[0].replace('http', 'ws', 1)}/ws") as made:
        yield made


def ask(connection: ClientConnection, message: object) -> dict[str, Any]:
    connection.send(message if isinstance(message, str | bytes) else json.dumps(message))
    return json.loads(connection.recv(timeout=120))


def step(connection: ClientConnection, **action: Any) -> dict[str, Any]:
    answer = ask(connection, {"type": "step", "data": action})
    assert answer["type"] == "observation", answer
    return answer["data"]


def test_an_episode_is_played(connection: ClientConnection) -> None:
    begun = ask(connection, {"type": "reset", "data": {"benchmark": PROGRAM, "seed": 3}})["data"]
    assert PROGRAM in begun["observation"]["text"]
    assert begun["reward"] is None
    first = step(connection, tool="apply", arguments={"actions": "sroa"})
    second = step(connection, tool="apply", arguments={"actions": "instcombine"})
    assert first["reward"] == pytest.approx((1349 - 863) / (1349 - 682))
    assert not second["done"]
    state = ask(connection, {"type": "state"})["data"]
    assert (state["step_count"], state["benchmark"]) == (2, PROGRAM)
    assert "sroa" in state["commandline"]
    again = ask(connection, {"type": "reset", "data": {}})["data"]
    assert PROGRAM in again["observation"]["text"]
    assert ask(connection, {"type": "state"})["data"]["step_count"] == 0


def test_a_refused_call_is_an_observation(connection: ClientConnection) -> None:
    for action, told in (
        ({"tool": "aply"}, "Did you mean 'apply'?"),
        ({"tool": "apply"}, "lacks the argument actions"),
        ({"tool": "apply", "arguments": [1]}, "Give an object."),
        ({"name": "apply"}, "Give `tool`"),
        ({}, "Give `tool`"),
    ):
        answer = step(connection, **action)
        assert told in answer["observation"]["text"]
        assert answer["observation"]["is_error"]
        assert answer["reward"] == 0.0


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", "INVALID_JSON"),
        (b"{}", "INVALID_JSON"),
        ("[" * 100_000, "INVALID_JSON"),
        ([], "UNKNOWN_TYPE"),
        ({"type": "leap"}, "UNKNOWN_TYPE"),
        ({"type": "step", "data": "apply"}, "VALIDATION_ERROR"),
        ({"type": "reset", "data": {"benchmark": "benchmark://kernels-v0/nothing"}}, "EXECUTION_ERROR"),
        ({"type": "reset", "data": {"program": PROGRAM}}, "EXECUTION_ERROR"),
    ],
)
def test_a_bad_message_gets_an_error_and_the_session_goes_on(
    connection: ClientConnection, message: object, code: str
) -> None:
    answer = ask(connection, message)
    assert (answer["type"], answer["data"]["code"]) == ("error", code)
    assert len(answer["data"]["message"]) < 2_000
    assert "No action is applied." in step(connection, tool="steps")["observation"]["text"]


def test_a_client_that_goes_away_leaves_no_session(server: tuple[str, int]) -> None:
    address, pid = server
    with connect(f"{address.replace('http', 'ws', 1)}/ws") as connection:
        step(connection, tool="apply", arguments={"actions": "sroa"})
        connection.send(json.dumps({"type": "step", "data": {"tool": "peek"}}))
        connection.socket.close()  # without the words of a websocket
    wait_until(lambda: descendants(pid) == children(pid))  # only the zygotes stay


def test_the_schema_has_each_tool(server: tuple[str, int]) -> None:
    assert httpx.get(f"{server[0]}/health", timeout=60).json() == {"status": "healthy"}
    actions = httpx.get(f"{server[0]}/schema", timeout=60).json()["action"]["oneOf"]
    assert [one["properties"]["tool"]["const"] for one in actions] == ["start", *TOOLS]


def test_pages_of_other_sites_cannot_connect(server: tuple[str, int]) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"{server[0].replace('http', 'ws', 1)}/ws", origin=Origin("https://evil.example.org"))
