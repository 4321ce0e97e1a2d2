"""What a hostile or broken server answers ends soon, and in an error of the client."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from optarena import client_answers
from optarena.cli import main
from optarena.client import ApiProblem, Client, ClientError, ServerUnreachable, server_url
from optarena.errors import InvalidInput
from tests.kit.scripted_server import JSON, Answer, ok, serving

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("status", [200, 404])
def test_an_answer_is_not_read_without_end(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_answers, "MAX_ANSWER_BYTES", 100_000)
    body = json.dumps({"title": "x" * 20_000_000}).encode()
    with (
        serving(lambda *_: (status, JSON, body)) as server,
        Client(server.url) as client,
        pytest.raises(ServerUnreachable, match="more than 100000 bytes"),
    ):
        client.dataset("x")


def listed(script: Callable[[int, str], Answer]) -> list[dict[str, Any]]:
    with serving(script) as server, Client(server.url) as client:
        return list(client.datasets())


@pytest.mark.parametrize("following", ["/api/v1/datasets/", "?page={n}"])
def test_pages_that_do_not_end_are_not_followed_for_ever(
    following: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_answers, "MAX_PAGES", 5)
    with pytest.raises(ServerUnreachable, match="does not end"):
        listed(lambda n, _: ok({"results": [], "next": following.format(n=n)}))


@pytest.mark.parametrize(
    "page",
    [
        {"results": [], "next": 5},
        {"results": [], "next": "http://[::"},
        {"results": [], "next": "/\x00"},
        {"results": [5], "next": None},
        {"results": {}, "next": None},
        {},
    ],
)
def test_a_page_that_is_none_is_named(page: object) -> None:
    with pytest.raises(ServerUnreachable):
        listed(lambda n, _: ok(page if n < 3 else {"results": [], "next": None}))


def test_json_that_is_too_deep_is_none() -> None:
    with pytest.raises(ServerUnreachable, match="Check the address"):
        listed(lambda *_: (200, JSON, b"[" * 200_000))


@pytest.mark.parametrize("errors", [["a"], 5, "abc", {"a": 1}, [{"row": "x"}], None])
def test_a_problem_with_odd_errors_is_a_problem(errors: object) -> None:
    problem = json.dumps({"title": "Wrong", "errors": errors}).encode()
    with (
        serving(lambda *_: (422, JSON, problem)) as server,
        Client(server.url) as client,
        pytest.raises(ApiProblem, match="Wrong") as caught,
    ):
        client.me()
    assert all(error.row is None for error in caught.value.errors)


def test_a_submission_without_a_state_is_waited_for_in_time() -> None:
    with (
        serving(lambda *_: ok({})) as server,
        Client(server.url) as client,
        pytest.raises(ClientError, match="the server continues"),
    ):
        client.wait("x", timeout=0.05, poll=0.01)


def test_what_a_server_says_does_not_move_the_cursor() -> None:
    problem = json.dumps({"title": "\x1b[2JWrong", "detail": "a\nb [bold]c[/bold] \x07"}).encode()
    with serving(lambda *_: (404, JSON, problem)) as server:
        ended = CliRunner().invoke(main, ["datasets", "list", "--server", server.url])
    assert ended.exit_code == 2
    assert len(ended.stderr.strip().splitlines()) == 1
    assert not {"\x1b", "\x07"} & set(ended.stderr)
    assert "[bold]c[/bold]" in ended.stderr


@pytest.mark.parametrize("count", ["\x1b[2J", "[bold", {"a": 1}, None])
def test_a_number_of_benchmarks_that_is_none_is_not_shown(count: object) -> None:
    row = {"name": "x-v0", "benchmark_count": count}
    with serving(lambda *_: ok({"results": [row], "next": None})) as server:
        ended = CliRunner().invoke(main, ["datasets", "list", "--server", server.url])
    assert ended.exit_code == 0
    assert "\x1b" not in ended.stdout
    assert ended.stdout.split()[-1] == "x-v0"


@pytest.mark.parametrize("url", [123, b"http://x", ["http://x"]])
def test_an_address_is_a_text(url: Any) -> None:
    with pytest.raises(InvalidInput, match="host:port"):
        server_url(url)


def test_an_answer_that_does_not_come_is_not_waited_for() -> None:
    slow = threading.Event()

    def script(*_: object) -> Answer:
        slow.wait(0.6)
        return ok({})

    with (
        serving(script) as server,
        Client(server.url, timeout=0.2) as client,
        pytest.raises(ServerUnreachable, match="does not answer"),
    ):
        client.signup("a", "b")


UUID = "0f0e0d0c-0b0a-4900-8800-070605040302"
ODD = "\x1b[2J[bold]x[/bold]"
SUBMISSION = {
    "id": UUID,
    "url": ODD,
    "board": ODD,
    "state": ODD,
    "score": None,
    "rank": None,
    "unranked": ODD,
}
ITEM = {
    "position": 0,
    "benchmark": ODD,
    "verdict": ODD,
    "value": None,
    "ratio": None,
    "reason": {"id": ODD, "meaning": ODD, "detail": ODD, "remedy": ODD},
    "claim_status": {ODD: ODD},
}
BOARD = dict.fromkeys(("slug", "environment", "dataset", "metric"), ODD) | {
    "entries": 1,
    "leaders": [{"score": 1.0, "agent": ODD}],
}


def shown(*words: str, **answers: object) -> Result:
    """What a command ends with whose server answers with the first of these whose name is in the path."""

    def script(_: int, path: str) -> Answer:
        return ok(next((body for name, body in answers.items() if f"/{name}/" in path), {}))

    with serving(script) as server:
        return CliRunner().invoke(main, [*words, "--url", server.url, "--token", "x"])


@pytest.mark.parametrize("words", [("status", UUID), ("withdraw", UUID, "--yes"), ("boards",)])
def test_what_others_wrote_is_shown_as_text(words: tuple[str, ...]) -> None:
    page: dict[str, Any] = {"next": None}
    ended = shown(
        *words, items=page | {"results": [ITEM]}, submissions=SUBMISSION, boards=page | {"results": [BOARD]}
    )
    assert ended.exit_code == 0, ended.output
    assert "\x1b" not in ended.stdout
    assert " [2J[bold]x[/bold]" in ended.stdout


@pytest.mark.parametrize(
    "words", [("status",), ("status", UUID), ("withdraw", UUID, "--yes"), ("board", "x"), ("boards",)]
)
def test_a_server_that_is_another_is_said_to_be_one(words: tuple[str, ...]) -> None:
    ended = shown(*words)
    assert ended.exit_code == 2
    assert "Check the address." in ended.stderr
    assert "bug" not in ended.stderr


def test_an_address_of_another_server_is_not_asked_for_here() -> None:
    ended = shown("status", f"http://other.example/submissions/{UUID}/", submissions=SUBMISSION)
    assert ended.exit_code == 2
    assert "not an address of the server http://127.0.0.1" in ended.stderr


SUBMISSION_ID = "12345678-1234-1234-1234-123456789012"
COLUMN = {"letter": "A", "label": "a", "score": 1.0, "rank": 1, "geometric_mean": 1.0, "wins": 1}
PAIR = {"one": "A", "other": "B", "wins": 1, "ties": 0, "losses": 0}
ROW = {"benchmark": "b", "cells": [{"ratio": 1.0}], "winner": "A"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"columns": 5},
        {"columns": [5]},
        {"columns": [COLUMN | {"score": "high"}]},
        {"columns": [COLUMN | {"letter": {}}]},
        {"columns": [COLUMN | {"wins": "[/x]"}]},
        {"pairs": [PAIR | {"ties": "[/x]"}]},
        {"results": {"b": 1}},
        {"results": [ROW | {"benchmark": 5}]},
        {"common": "[/x]"},
    ],
)
def test_an_answer_of_other_types_is_the_fault_of_the_server(wrong: dict[str, Any]) -> None:
    answer = {"board": "b", "common": 1, "columns": [COLUMN], "pairs": [PAIR], "results": [ROW], "next": None}
    done = asked_of_server(answer | wrong, "compare", "level:Oz", "virtual-best", "--board", "b")
    assert done.exit_code == 2
    assert "The server's answer cannot be used" in done.stderr
    assert "bug" not in done.stderr


@pytest.mark.parametrize("effort", [None, 5])
def test_an_effort_that_is_not_one_is_not_edited(effort: object) -> None:
    done = asked_of_server({"effort": effort}, "edit", SUBMISSION_ID, "--walltime", "3")
    assert done.exit_code == 2
    assert "The server's answer cannot be used" in done.stderr


def test_what_a_comparison_tells_is_shown_as_text() -> None:
    hostile = {
        "columns": [COLUMN | {"letter": "[/x]"}],
        "pairs": [PAIR | {"one": "[/x]", "other": "\x1b[2J"}],
    }
    answer = {"board": "b", "common": 1, "results": [ROW | {"winner": "[/x]"}], "next": None} | hostile
    done = asked_of_server(answer, "compare", "level:Oz", "virtual-best", "--board", "b")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("[/x]") == 4
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1"])
def test_a_wall_time_is_a_finite_number(seconds: str) -> None:
    done = CliRunner().invoke(main, ["edit", SUBMISSION_ID, "--walltime", seconds, "--token", "t"])
    assert done.exit_code == 2
    assert "--walltime" in done.stderr


def asked_of_server(answer: dict[str, Any], *words: str) -> Result:
    with serving(lambda *_: ok(answer)) as server:
        return CliRunner().invoke(main, [*words, "--url", server.url, "--token", "t"])
