"""GPU kernels from REST to a rank: the static board on a CPU worker, and the measured one without a GPU."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.datasets import datasets
from optarena.gpu_kernels.actions import PASSES

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

SECONDS = 240
CLASS = "x86_64-cuda"
PASSES_OF_AGENT = ("sroa", "early-cse", "instcombine", "simplifycfg", "loop-rotate", "indvars", "gvn")


def document(board: str) -> dict[str, Any]:
    """An agent's actions for all kernels."""
    actions = [PASSES.names.index(name) for name in PASSES_OF_AGENT]
    items = [{"benchmark": one.uri, "actions": actions} for one in datasets()["gpu-kernels-v0"]]
    return {"board": board, "agent": "seven passes", "items": items}


def test_the_static_board_ranks_on_any_machine(stack: Stack) -> None:
    with stack.user() as user:
        made = user.submit(document("gpu-spills"), key="static kernels")
    with stack.client() as visitor:
        visitor.wait(made["id"], timeout=SECONDS, poll=0.5)
        items = list(visitor.items(made["id"]))
        assert {item["verdict"] for item in items} == {"verified"}, items
        [row] = [one for one in visitor.standings("gpu-spills")["results"] if one["agent"] == "seven passes"]
        assert row["rank"] is not None
        assert 0.5 < row["score"] < 2


PREPARED = """
SELECT count(*) FROM runner_verification v JOIN leaderboard_submissionitem i ON i.verification_id = v.id
WHERE i.submission_id = %s AND v.state = 'queued' AND v.prepared->'job'->>'cubin' <> ''
"""


def test_without_a_gpu_runner_the_measured_board_is_compiled_waits_and_says_so(stack: Stack) -> None:
    with stack.user() as user:
        made = user.submit(document("gpu-kernels"), key="measured kernels")
        until = time.monotonic() + SECONDS
        while (number := stack.query(PREPARED, made["id"])[0][0]) < len(datasets()["gpu-kernels-v0"]):
            assert time.monotonic() < until, number
            time.sleep(0.2)
        assert user.submission(made["id"])["progress"]["done"] == 0
        assert {item["verdict"] for item in user.items(made["id"])} == {"pending"}
        page = httpx.get(f"{stack.url}/queue/", follow_redirects=True).text
        assert f"wait for a runner of class {CLASS}; no such runner is live" in page
        board = httpx.get(f"{stack.url}/boards/gpu-kernels/", follow_redirects=True).text
        assert "-O3 of LLVM and ptxas, timed in the same processes" in board
        user.withdraw(made["id"])
