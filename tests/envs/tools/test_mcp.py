"""The tools over MCP, by the official client and real servers: stdio and HTTP, one agent and several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest

from optarena import limits
from optarena.tools import TOOLS
from tests.kit import mcp
from tests.kit.examples import slow
from tests.kit.mcp import begin, refusal, talk, tell
from tests.kit.processes import children, descendants, is_running, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.client.client import Client

PROGRAM = "benchmark://kernels-v0/sha256"
FOUND = "sroa indvars instcombine gvn<no-pre> simplifycfg<late>"
PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPTED = {"Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize("mode", ["auto", *slow(["legacy"])])
def test_an_agent_finds_and_saves_a_result_by_standard_input_and_output(tmp_path: Path, mode: str) -> None:
    async def conversation(client: Client) -> None:
        listed = await client.list_tools()
        assert [one.name for one in listed.tools] == ["start", *TOOLS]
        assert PROGRAM in await tell(client, "describe_program")
        assert (await tell(client, "peek", actions="all")).startswith("mem2reg: 863 (-486)\n")
        assert "1.0843 times as good as -Oz" in await tell(client, "apply", actions=FOUND)
        assert (await tell(client, "undo", n=1)).startswith("4 actions applied")
        await tell(client, "apply", actions=["simplifycfg<late>"])
        assert "IR instructions: 629" in await tell(client, "score")
        assert (await tell(client, "check")).startswith("valid: ")
        assert "106 compilations" in await tell(client, "save", name="found.json")
        other = await tell(client, "start", benchmark="benchmark://kernels-v0/quicksort")
        assert "kernels-v0/quicksort" in other

    talk(mcp.stdio("--benchmark", PROGRAM, folder=tmp_path), conversation, mode=mode)
    [item] = json.loads((tmp_path / "found.json").read_text())["items"]
    assert item["claims"] == {"ir_instructions": 629}

    async def going_on(client: Client) -> None:
        assert "IR instructions 629" in await tell(client, "score")
        assert "effort: 106 compilations" in await tell(client, "score")

    talk(mcp.stdio("--resume", "found.json", folder=tmp_path), going_on, mode=mode)


def test_bad_calls_get_a_sentence_and_the_session_goes_on(tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        assert "Did you mean 'apply'?" in await refusal(client, "aply", actions="sroa")
        assert "unknown argument 'action'. Did you mean 'actions'?" in await refusal(
            client, "apply", action="sroa"
        )
        assert "apply lacks the argument actions" in await refusal(client, "apply")
        assert "It has cursor" in await refusal(client, "score", verbose=True)
        assert "Did you mean 'sroa'?" in await refusal(client, "apply", actions="srao")
        assert "Give a text" in await refusal(client, "apply", actions={"name": "sroa"})
        assert "n is '3'" in await refusal(client, "undo", n="3")
        assert "Give at most 100,000" in await refusal(client, "apply", actions="x" * 1_000_000)
        assert "may have 10,000" in await refusal(client, "apply", actions="dce " * 10_001)
        assert len(await tell(client, "ir")) <= limits.TOOL_ANSWER_CHARACTERS

    talk(mcp.stdio("--benchmark", PROGRAM, folder=tmp_path), conversation)


def test_each_tool_is_described_with_its_arguments() -> None:
    from optarena.tools.mcp_server import tool_descriptions  # noqa: PLC0415 - every process of a run collects this file

    for one in tool_descriptions():
        assert one.description.endswith(".")
        assert one.schema["additionalProperties"] is False
        assert all(argument["description"].endswith(".") for argument in one.schema["properties"].values())


@pytest.mark.parametrize("is_killed", [False, True], ids=["it closes its end", "the server is killed"])
def test_a_client_that_goes_away_in_the_middle_leaves_no_process(tmp_path: Path, is_killed: bool) -> None:  # noqa: FBT001 # pytest's
    process = subprocess.Popen(
        [*mcp.COMMAND, "--benchmark", "benchmark://programs-v0/qoi"],
        cwd=tmp_path,
        env={**os.environ, **mcp.ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "peek", "arguments": {}}},
    ):
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    wait_until(lambda: len(descendants(process.pid)) >= 2)
    left = descendants(process.pid)
    if is_killed:
        process.kill()
    process.stdin.close()
    process.stdout.close()
    process.wait(timeout=60)
    wait_until(lambda: not any(map(is_running, left)))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("http")


@pytest.fixture(scope="module")
def url(served: Path) -> Iterator[str]:
    """A server of an operator who has a token for himself; it leaves no process."""
    with mcp.http(folder=served, OPTARENA_TOKEN="a-token-of-the-operator") as (url, pid):  # noqa: S106 # of nobody
        yield url
        left = descendants(pid)
    wait_until(lambda: not any(map(is_running, left)))


def test_agents_by_http_reach_no_file_and_do_nothing_as_the_operator(url: str, served: Path) -> None:
    secret = served / "secret.txt"
    secret.write_text("the secret\n")

    async def conversation(client: Client) -> None:
        for uri in (secret.as_uri(), str(secret)):
            told = await refusal(client, "start", benchmark=uri)
            assert "the secret" not in told
        assert "not allowed here" in await refusal(client, "start", benchmark=secret.as_uri())
        mine = await begin(client, benchmark=PROGRAM)
        await tell(client, "apply", session=mine, actions="sroa")
        line = "opt -passes='function(sroa<modify-cfg>)' input.bc -o output.bc"
        assert "not allowed here" in await refusal(
            client, "start", benchmark=secret.as_uri(), commandline=line
        )
        assert "names one with --folder" in await refusal(client, "save", session=mine)
        assert "needs a server and a token" in await refusal(
            client, "submit", session=mine, board="llvm-ic", agent="an agent"
        )
        assert "no session" in await refusal(client, "close", session=[])
        assert "no session" in await refusal(client, "close", session="guessed")
        assert "other arguments" in await refusal(client, "close", session=mine, now=True)

    talk(url, conversation)
    assert list(served.iterdir()) == [secret]
    secret.unlink()


def test_each_agent_by_http_saves_in_a_folder_of_its_own(tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        for actions in ("sroa", "mem2reg"):
            mine = await begin(client, benchmark=PROGRAM)
            await tell(client, "apply", session=mine, actions=actions)
            await tell(client, "save", session=mine)

    with mcp.http("--folder", "found", folder=tmp_path) as (url, _):
        talk(url, conversation)
    assert len(list(tmp_path.glob("found/*/result.json"))) == 2


def test_agents_by_http_have_sessions_of_their_own_or_share_one(url: str) -> None:
    async def first(client: Client) -> tuple[str, str]:
        mine = await begin(client, benchmark=PROGRAM)
        await tell(client, "apply", session=mine, actions="sroa")
        other = await begin(client)
        assert await tell(client, "steps", session=other) == "No action is applied."
        assert "start gives another" in await refusal(client, "steps", session="guessed")
        assert "start gives another" in await refusal(client, "steps")
        return mine, other

    mine, other = talk(url, first)

    async def second(client: Client) -> None:
        assert await tell(client, "steps", session=mine) == "1. sroa: 863 (-486)"
        assert await tell(client, "close", session=other) == "The session is closed."
        assert "start gives another" in await refusal(client, "steps", session=other)

    talk(url, second)


def test_calls_of_one_session_are_answered_one_after_the_other(url: str) -> None:
    async def conversation(client: Client) -> None:
        session = await begin(client, benchmark=PROGRAM)
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(lambda: tell(client, "apply", session=session, actions="sroa"))
        steps = await tell(client, "steps", session=session)
        assert [line.partition(".")[0] for line in steps.splitlines()] == [str(one) for one in range(1, 9)]

    talk(url, conversation)


def test_a_session_that_is_not_used_is_closed(tmp_path: Path) -> None:
    async def conversation(client: Client) -> str:
        return await begin(client, benchmark=PROGRAM)

    with mcp.http("--idle-minutes", "0.02", folder=tmp_path) as (url, pid):
        session = talk(url, conversation)
        wait_until(lambda: descendants(pid) == children(pid))  # only the zygotes stay

        async def late(client: Client) -> None:
            assert "It was closed" in await refusal(client, "steps", session=session)

        talk(url, late)


def test_http_wants_the_operators_token(tmp_path: Path) -> None:
    with mcp.http(folder=tmp_path, OPTARENA_MCP_TOKEN="open sesame") as (url, _):  # noqa: S106 # of this test
        for sent in ({}, {"Authorization": "Bearer open"}, {"Authorization": "open sesame"}):
            assert httpx.post(url, json=PING, headers=ACCEPTED | sent, timeout=60).status_code == 401
        allowed = httpx.post(
            url, json=PING, headers=ACCEPTED | {"Authorization": "Bearer open sesame"}, timeout=60
        )
        assert allowed.status_code != 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example.org"}, 403),
        ({"Host": "evil.example.org"}, 421),
        ({"Origin": "http://localhost:3000"}, 400),
        ({}, 400),
    ],
)
def test_pages_of_other_sites_cannot_reach_the_server(url: str, headers: dict[str, str], status: int) -> None:
    answer = httpx.post(url, json=PING, headers=ACCEPTED | headers, timeout=60)
    assert answer.status_code == status, answer.text


def test_a_request_of_many_megabytes_is_refused(url: str) -> None:
    sent = ACCEPTED | {"Content-Type": "application/json"}
    assert httpx.post(url, content=b" " * 5_000_000, headers=sent, timeout=60).status_code == 413


def test_other_machines_need_a_token(tmp_path: Path) -> None:
    done = subprocess.run(
        [*mcp.COMMAND, "--http", "--host", "0.0.0.0", "--port", "0"],  # noqa: S104 # which is refused
        cwd=tmp_path,
        env={**os.environ, **mcp.ENVIRONMENT, "OPTARENA_MCP_TOKEN": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Set $OPTARENA_MCP_TOKEN" in done.stderr


def test_without_the_extra_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['mcp'] = None; from optarena.cli import main; main(['mcp'])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **mcp.ENVIRONMENT},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install 'optarena[mcp]'" in done.stderr
