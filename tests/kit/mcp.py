"""Servers of the tools as agents start them, and what their official client gets from them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio

from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters

COMMAND = (sys.executable, "-m", "optarena", "mcp")
ENVIRONMENT = {"PYTHONPATH": str(ROOT / "envs")}


def stdio(*options: str, folder: Path, **variables: str) -> StdioServerParameters:
    """How a client starts a server on its standard input and output."""
    from mcp.client.stdio import StdioServerParameters  # noqa: PLC0415 - every process of a run imports this file

    program, *arguments = COMMAND
    return StdioServerParameters(
        command=program, args=[*arguments, *options], env={**ENVIRONMENT, **variables}, cwd=folder
    )


@contextmanager
def http(*options: str, folder: Path, **variables: str) -> Iterator[tuple[str, int]]:
    """A server on a free port: its address and its process."""
    process = subprocess.Popen(
        [*COMMAND, "--http", "--port", "0", *options],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT, **variables},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("MCP: "), line
        yield line.split()[1], process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


async def tell(client: Client, name: str, /, **arguments: Any) -> str:
    """What a tool answers; a refusal fails the test."""
    result = await client.call_tool(name, arguments)
    [content] = result.content
    assert not result.is_error, content.text
    return content.text


async def begin(client: Client, **arguments: Any) -> str:
    """The name of a new session of a server by HTTP."""
    first, _, _ = (await tell(client, "start", **arguments)).partition("\n")
    assert first.startswith("session: ")
    return first.removeprefix("session: ")


async def refusal(client: Client, name: str, /, **arguments: Any) -> str:
    """The sentence with which a tool refuses a call."""
    result = await client.call_tool(name, arguments)
    [content] = result.content
    assert result.is_error, content.text
    return content.text


def talk(server: Any, conversation: Callable[[Client], Awaitable[Any]], *, mode: str = "auto") -> Any:
    """What a conversation of the official client with a server comes to."""
    from mcp.client.client import Client  # noqa: PLC0415 - as above

    async def run() -> Any:
        async with Client(server, mode=mode, read_timeout_seconds=120) as client:
            return await conversation(client)

    return anyio.run(run)
