"""The client against a real server that behaves oddly, is hostile, or broken."""

from __future__ import annotations

import hashlib
import json
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import click
import httpx
import pytest
from click.testing import CliRunner, Result

from optarena import client_answers
from optarena.cli import main
from optarena.cli.console import table
from optarena.client import ApiProblem, Client, ClientError, ServerUnreachable, server_url
from optarena.errors import InvalidInput
from tests.kit.scripted_server import JSON, Answer, ok, serving

if TYPE_CHECKING:
    from pathlib import Path


def test_a_problem_keeps_all_that_the_server_said() -> None:
    problem = {
        "type": "/problems/#invalid-document",
        "title": "Some values cannot be used",
        "status": 422,
        "detail": "One value cannot be used.",
        "remedy": "Correct it.",
        "errors": [{"field": "benchmark", "row": 3, "value": "x", "message": "Unknown.", "remedy": "Look."}],
    }
    with (
        serving(lambda *_: (422, "application/problem+json", json.dumps(problem).encode())) as server,
        Client(server.url, "t") as client,
        pytest.raises(ApiProblem, match="Correct it") as caught,
    ):
        client.submit({}, key="k")
    assert caught.value.status == 422
    assert str(caught.value.errors[0]) == "row 3, benchmark: Unknown. (given: x) Look."
    assert len(server.asked) == 1


NOT_PAGES: list[object] = [
    {"results": [], "next": 5},
    {"results": [], "next": "http://[::"},
    {"results": [], "next": "/\x00"},
    {"results": [5], "next": None},
    {"results": {}, "next": None},
    {},
]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((404, "text/html", b"<h1>no"), "Check the address"),
        ((200, "text/html", b"<h1>hi"), "Check the address"),
        ((200, JSON, b"[]"), "Check the address"),
        ((302, "text/html", b""), "Check the address"),
        ((200, JSON, b"[" * 200_000), "Check the address"),
        *((ok(page), None) for page in NOT_PAGES),
    ],
)
def test_a_server_that_is_not_ours_is_named(answer: Answer, told: str | None) -> None:
    with pytest.raises(ServerUnreachable, match=told):
        listed(lambda n, _: answer if n < 3 else ok({"results": [], "next": None}))


def test_what_does_not_come_in_time_or_comes_damaged_is_refused() -> None:
    good, slow = b"BC\xc0\xde program", threading.Event()
    benchmark = {"uri": "benchmark://x-v0/y", "bitcode_url": "/b", "sha256": hashlib.sha256(good).hexdigest()}

    def script(number: int, path: str) -> Answer:
        if "signup" in path:
            slow.wait(60)
        return 200, "application/octet-stream", good if number == 1 else b"other"

    with serving(script) as server, Client(server.url, timeout=1.0) as client:
        assert client.bitcode(benchmark) == good
        with pytest.raises(ServerUnreachable, match="damaged"):
            client.bitcode(benchmark)
        with pytest.raises(ServerUnreachable, match="does not answer"):
            client.signup("a", "b")
        slow.set()


def test_a_proxy_is_not_asked_for_a_server_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(lambda *_: ok({"id": "x"})) as server:
        for url in (server.url, server.url.replace("127.0.0.1", "localhost")):
            with Client(url, "t") as client:
                assert client.dataset("x") == {"id": "x"}


@pytest.mark.parametrize(("status", "asked", "paused"), [(503, "5", [5.0, 5.0]), (429, "2", [2.0, 2.0])])
def test_the_pause_is_what_the_server_asks_for(
    status: int, asked: str, paused: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("optarena.client.time.sleep", pauses.append)

    def answer(request: httpx.Request) -> httpx.Response:
        good = len(pauses) == 2
        return httpx.Response(
            200 if good else status, json={}, headers={} if good else {"Retry-After": asked}
        )

    with Client("http://server", "t", transport=httpx.MockTransport(answer)) as client:
        assert client.submit({}, key="k") == {}
    assert pauses == paused


@pytest.mark.parametrize(("asked", "pauses"), [("31", 0), ("soon", 3), ("9" * 400, 3)])
def test_a_long_pause_is_left_to_the_user_and_nonsense_is_ignored(
    asked: str, pauses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("optarena.client.time.sleep", waited.append)
    problem = {"type": "/problems/#throttled", "title": "Too many requests", "status": 429, "detail": "Wait."}

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(429, json=problem, headers={"Retry-After": asked})

    with (
        Client("http://server", "t", transport=httpx.MockTransport(answer)) as client,
        pytest.raises(ApiProblem),
    ):
        client.submit({}, key="k")
    assert len(waited) == pauses
    assert all(one < 5 for one in waited)


def test_what_has_no_key_is_not_repeated() -> None:
    with (
        serving(lambda *_: (503, JSON, b"{}")) as server,
        Client(server.url) as client,
        pytest.raises(ApiProblem),
    ):
        client.signup("ada", "secret")
    assert len(server.asked) == 1


@pytest.mark.parametrize("walltime", [float("nan"), float("inf"), "\udcff", b"5", {5}])
def test_what_json_cannot_hold_is_refused_before_it_is_sent(walltime: object) -> None:
    with (
        serving(lambda *_: ok({})) as server,
        Client(server.url) as client,
        pytest.raises(InvalidInput, match="cannot be written as JSON"),
    ):
        client.edit("an id", {"effort": {"walltime_seconds": walltime}})
    assert server.asked == []


def test_pages_are_followed_on_the_same_server_only() -> None:
    def script(_: int, path: str) -> Answer:
        if "cursor" in path:
            return ok({"results": [{"n": 2}], "next": "http://elsewhere.example/api/v1/datasets/"})
        return ok({"results": [{"n": 1}], "next": f"{address}/api/v1/datasets/?cursor=2"})

    with serving(script) as server, Client(server.url, "secret") as client:
        address = server.url
        listed = client.datasets()
        assert [next(listed), next(listed)] == [{"n": 1}, {"n": 2}]
        with pytest.raises(ServerUnreachable, match="elsewhere"):
            next(listed)
    assert [path for _, path, _ in server.asked] == ["/api/v1/datasets/", "/api/v1/datasets/?cursor=2"]


def test_a_token_is_sent_as_a_bearer_and_never_with_a_password() -> None:
    with serving(lambda *_: ok({"token": "x"})) as server, Client(server.url, "secret") as client:
        client.me()
        client.make_token("ada", "password")
    assert [authorization for *_, authorization in server.asked] == ["Bearer secret", None]


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ((403, "text/html", b"<h1>Forbidden</h1>"), ServerUnreachable, "403"),
        ((404, JSON, b'{"title": "There is no such thing"}'), ApiProblem, "no such"),
        ((200, JSON, b"{}"), ClientError, "the server continues"),  # there is not even a state
    ],
)
def test_waiting_ends_where_time_changes_nothing(answer: Answer, kind: type[Exception], message: str) -> None:
    ours = answer[0] == HTTPStatus.OK
    with (
        serving(lambda *_: answer) as server,
        Client(server.url) as client,
        pytest.raises(kind, match=message),
    ):
        client.wait("x", timeout=0.05 if ours else 60, poll=0.01)
    assert ours or len(server.asked) == 1


def test_waiting_ends_with_the_final_state_or_in_time() -> None:
    def script(n: int, _: str) -> Answer:
        return ok({"state": "verified" if n == 3 else "verifying", "url": "u"})

    seen: list[str] = []
    with serving(script) as server, Client(server.url) as client:
        ended = client.wait("x", on_progress=lambda one: seen.append(one["state"]), poll=0.01)
        assert ended["state"] == "verified"
        assert seen == ["verifying", "verifying", "verified"]
        with pytest.raises(ClientError, match="the server continues"):
            client.wait("x", timeout=0.05, poll=0.01)


@pytest.mark.parametrize(
    ("name", "last"), [("wait", "verified"), pytest.param("wait_for_entry", "ended", marks=pytest.mark.soak)]
)
def test_waiting_goes_on_while_the_server_is_restarted(
    name: str, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, stopped = threading.Event(), threading.Event()

    monkeypatch.setattr("optarena.client.RETRIES", 0)

    def restart() -> None:
        with serving(lambda *_: ok({"state": "verifying"})) as before:
            urls.put(before.url)
            asked.wait(20)
        stopped.set()
        time.sleep(0.5)  # no request is repeated for so long
        with serving(lambda *_: ok({"state": last}), httpx.URL(before.url).port or 0):
            ended.wait(20)

    urls, ended = queue.Queue[str](), threading.Event()
    server = threading.Thread(target=restart)
    server.start()
    try:
        with Client(urls.get(timeout=20)) as client:
            found = getattr(client, name)("x", on_progress=lambda _: asked.set(), timeout=60, poll=0.05)
        assert found == {"state": last}
        assert stopped.is_set()
    finally:
        asked.set()
        ended.set()
        server.join()


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_waiting_asks_an_overloaded_server_when_it_says(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("optarena.client.time.sleep", pauses.append)

    def answer(_: httpx.Request) -> httpx.Response:
        if pauses:
            return httpx.Response(200, json={"state": "verified"})
        return httpx.Response(status, json={"title": "Not now"}, headers={"Retry-After": "60"})

    with Client("http://server", transport=httpx.MockTransport(answer)) as client:
        assert client.wait("x") == {"state": "verified"}
    assert pauses == [60]


def test_at_the_end_of_the_time_waiting_says_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optarena.client.time.sleep", lambda _: None)
    verifying = ok({"state": "sealed", "url": "there"})
    with serving(lambda *_: verifying) as server, Client(server.url) as client:
        with pytest.raises(ClientError, match="The portable entry is not verified after 0 seconds"):
            client.wait_for_entry("x", timeout=0.05, poll=0.01)
        with pytest.raises(ClientError, match="The submission is not verified after 0 seconds"):
            client.wait("x", timeout=0.05, poll=0.01)
    with Client(server.url) as client:
        with pytest.raises(
            ClientError, match="not known after 1 seconds whether the submission is"
        ) as caught:
            client.wait("x", timeout=0.6, poll=0.01)
        assert "does not answer" in str(caught.value)
        assert isinstance(caught.value.__cause__, ServerUnreachable)


@pytest.mark.parametrize(
    "url", ["nowhere", "ftp://x", "http://", "//x", "http://x:port", 123, b"http://x", ["http://x"]]
)
def test_what_is_no_address_is_refused_with_a_form(url: Any) -> None:
    with pytest.raises(InvalidInput, match="host:port"):
        server_url(url)


def test_a_token_with_a_line_break_is_refused_before_it_is_sent() -> None:
    with pytest.raises(InvalidInput, match="plain text"):
        Client("http://127.0.0.1:9", "a\nb")


def test_the_address_comes_from_argument_variable_or_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPTARENA_URL", raising=False)
    assert server_url(None) == "http://127.0.0.1:8000"
    monkeypatch.setenv("OPTARENA_URL", "https://x.org/")
    assert server_url(None) == "https://x.org"
    assert server_url("http://y.org") == "http://y.org"


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
    "leaders": [{"score": 1.0, "agent": ODD, "against_reference": ODD}],
}


def shown(*words: str, **answers: object) -> Result:
    """What a command ends with whose server answers with the first of these whose name is in the path."""

    def script(_: int, path: str) -> Answer:
        return ok(next((body for name, body in answers.items() if f"/{name}/" in path), {}))

    with serving(script) as server:
        return CliRunner().invoke(main, [*words, "--url", server.url, "--token", "x"])


@pytest.mark.parametrize(
    "path", ["/boards/llvm-ic/", "/api/v1/boards/llvm-ic", "/boards/llvm-ic/#standings", "llvm-ic/"]
)
def test_a_board_is_named_by_its_address_too(path: str) -> None:
    asked: list[str] = []

    def script(_: int, path: str) -> Answer:
        asked.append(path)
        return ok({"results": [], "next": None})

    with serving(script) as server:
        source = f"{server.url}{path}" if path.startswith("/") else path
        words = ["board", source, *([] if path.startswith("/") else ["--url", server.url])]
        CliRunner().invoke(main, words)
    assert [one.partition("?")[0] for one in asked] == ["/api/v1/boards/llvm-ic/standings/"]


def test_a_narrow_terminal_breaks_no_name_and_has_reasons_below_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = {
        "rank": None,
        "agent": "half a search",
        "owner": "eve-of-the-long-name",
        "score": None,
        "against_reference": "",
        "verified": 8,
        "total": 15,
        "submission": "d724e924",
        "unranked": "8 of 15 benchmarks are verified; a rank needs all.",
    }
    page = {"results": [row], "references": [], "next": None, "provisional": False}
    assert (
        shown("board", "llvm-ic", standings=page)
        .stdout.splitlines()[1]
        .rstrip()
        .endswith("a rank needs all.")
    )
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    lines = shown("board", "llvm-ic", standings=page).stdout.splitlines()
    assert "half a search" in lines[1]
    assert "eve-of-the-long-name" in lines[1]
    assert lines[2:] == ["half a search: 8 of 15 benchmarks are verified; a rank needs all."]


def test_a_table_that_is_too_wide_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    columns = ("name", "arguments", "input bytes", "files", "output bytes", "exit code")
    for row in (
        ("n" * 16, "a" * 20, 1234, "input.txt", 5678, 0),
        ("漢" * 18, "b" * 20, 9, "x.txt", 98765432, 7),
    ):
        table(columns, [row], numbers=columns[2:])
        printed = Counter(click.unstyle(capsys.readouterr().out))
        assert Counter("".join(map(str, (*columns, *row))).replace(" ", "")) <= printed


@pytest.mark.parametrize(("given", "expected"), [(["--token", "mine"], "Bearer mine"), ([], None)])
def test_a_server_that_an_address_names_gets_only_the_token_that_is_given_for_it(
    given: list[str], expected: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path))
    monkeypatch.setenv("OPTARENA_TOKEN", "of another server")
    with serving(lambda _, __: ok({"results": [], "next": None})) as server:
        CliRunner().invoke(main, ["board", f"{server.url}/boards/llvm-ic/", *given])
    assert [authorization for _, _, authorization in server.asked] == [expected]


@pytest.mark.parametrize("command", ["board", "plot"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["http://x.org/boards/b/?as_of=2026-01-01"], "Leave out ?as_of=2026-01-01"),
        (["http://x.org/boards/b/?all=true#standings"], "Leave out ?all=true,"),
        (["http://x.org/boards/b/", "--url", "http://y.org"], "Leave out --url"),
    ],
)
def test_an_address_of_a_board_is_refused_beside_what_it_cannot_be_read_with(
    command: str, words: list[str], expected: str
) -> None:
    refused = CliRunner().invoke(main, [command, *words])
    assert (refused.exit_code, expected in refused.stderr) == (2, True), refused.output


def test_an_address_that_is_no_boards_is_no_name_of_one() -> None:
    refused = CliRunner().invoke(main, ["board", "http://x.org/items/"])
    assert (refused.exit_code, "not the address of a board" in refused.stderr) == (2, True), refused.output


def test_whoever_has_submitted_nothing_is_told_so() -> None:
    said = shown("status", me={"username": "ada"}, submissions={"results": [], "next": None}).stdout
    assert said.startswith("ada has submitted nothing to http://")


@pytest.mark.parametrize("words", [("status", UUID), ("withdraw", UUID, "--yes"), ("boards",)])
def test_what_others_wrote_is_shown_as_text(words: tuple[str, ...]) -> None:
    page: dict[str, Any] = {"next": None}
    ended = shown(
        *words, items=page | {"results": [ITEM]}, submissions=SUBMISSION, boards=page | {"results": [BOARD]}
    )
    assert ended.exit_code == 0, ended.output
    assert "\x1b" not in ended.stdout
    assert r"\x1b[2J[bold]x[/bold]" in ended.stdout


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
COLUMN = {"letter": "A", "label": "a", "score": 1.0, "rank": 1, "geometric_mean": 1.0, "wins": 1} | {
    "against_reference": "equal to -Oz"
}
PAIR = {"one": "A", "other": "B", "wins": 1, "ties": 0, "losses": 0}
ROW = {"benchmark": "b", "cells": [{"ratio": 1.0}], "winner": "A"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"columns": 5},
        {"columns": [5]},
        {"columns": [COLUMN | {"score": "high"}]},
        {"columns": [COLUMN | {"wins": "[/x]"}]},
        {"pairs": [PAIR | {"ties": "[/x]"}]},
        {"results": {"b": 1}},
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


def test_where_a_server_sends_its_clients_is_named() -> None:
    """A server with HTTPS that is asked without; the token is not sent on."""
    there = "https://arena.example/api/v1/auth/me/"
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.scheme)
        return httpx.Response(308, headers={"Location": there})

    with (
        Client("http://arena.example", "t", transport=httpx.MockTransport(answer)) as client,
        pytest.raises(ServerUnreachable, match=f"leads to {there}. Give the address"),
    ):
        client.me()
    assert asked == ["http"]
