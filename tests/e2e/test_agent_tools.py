"""Agents find a result with tools over MCP and submit it to a real site, which verifies it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.kit import mcp
from tests.kit.mcp import begin, refusal, talk, tell

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.client.client import Client

    from tests.kit.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.timeout(900)]

PROGRAM = "benchmark://kernels-v0/sha256"
FOUND = "sroa indvars instcombine gvn<no-pre> simplifycfg<late>"


def test_results_of_tools_are_submitted_and_verified(stack: Stack, tmp_path: Path) -> None:
    async def finding(client: Client) -> str:
        assert "verified result" in await tell(client, "best_known")
        assert "Apply actions first" in await refusal(client, "submit", board="llvm-ic", agent="tools")
        await tell(client, "peek")
        await tell(client, "apply", actions=FOUND)
        assert (await tell(client, "check")).startswith("valid: ")
        assert "no-such-board" in await refusal(client, "submit", board="no-such-board", agent="tools")
        told = await tell(client, "submit", board="llvm-ic", agent="tools", description="A script.")
        assert await tell(client, "submit", board="llvm-ic", agent="tools", description="A script.") == told
        return told

    with stack.user() as user:
        told = talk(
            mcp.stdio("--benchmark", PROGRAM, "--url", stack.url, folder=tmp_path, OPTARENA_TOKEN=user.token),
            finding,
        )
        [submission] = re.findall(r"/submissions/([0-9a-f-]{36})/", told)
        found = user.wait(submission, timeout=240)
        assert found["state"] == "verified"
        assert found["effort"]["compilations"] == 105
        assert found["effort"]["walltime_seconds"] > 0

        async def asking(client: Client) -> None:
            session = await begin(client, benchmark=PROGRAM)
            known = await tell(client, "best_known", session=session)
            assert "llvm-ic: ir_instructions 629, ratio 1.0843, " in known
            await tell(client, "apply", session=session, actions="mem2reg")
            named = {"session": session, "board": "llvm-ic", "agent": "tools by HTTP"}
            assert "needs a server and a token" in await refusal(client, "submit", **named)

        with mcp.http("--url", stack.url, folder=tmp_path, OPTARENA_TOKEN=user.token) as (url, _):
            talk(url, asking)
