"""From REST to a rank on a real GPU: kernels that a worker which has one has measured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.datasets import datasets
from optarena.gpu_kernels.actions import PASSES
from optarena.loop_tool.nest import BOARD_SIZES
from tests.kit.gpu import eventually, gpu, gpu_worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.kit.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.usefixtures("gpu"), pytest.mark.timeout(900)]
__all__ = ["gpu"]

SECONDS = 600
AGENT = "of a GPU"
PASSES_OF_AGENT = (
    *("sroa", "early-cse", "instcombine", "simplifycfg", "loop-rotate", "licm", "indvars"),
    *("loop-unroll-full", "sroa", "gvn", "instcombine", "ptxas-O3"),
)
NEST = [0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1]
"""Actions that make the middle loop 4 long, and then move these iterations to the innermost loop."""


def kernels() -> dict[str, list[int]]:
    """An agent's actions for the kernels."""
    actions = [PASSES.names.index(name) for name in PASSES_OF_AGENT]
    return {str(one.uri): actions for one in datasets()["gpu-kernels-v0"]}


def sizes() -> dict[str, list[int]]:
    """An agent's actions for loop_tool's sizes."""
    return {f"benchmark://loop_tool-cuda-v0/{size}": NEST for size in BOARD_SIZES}


@pytest.mark.parametrize(("board", "agent"), [("gpu-kernels", kernels), ("loop_tool-cuda", sizes)])
def test_what_a_gpu_measured_is_ranked(
    board: str, agent: Callable[[], dict[str, list[int]]], stack: Stack, tmp_path: Path
) -> None:
    items = [{"benchmark": uri, "actions": actions} for uri, actions in agent().items()]
    document: dict[str, Any] = {"board": board, "agent": AGENT, "items": items}
    with stack.user() as user, gpu_worker(stack, tmp_path, CUDA_VISIBLE_DEVICES="0") as worker:
        made = user.submit(document, key=f"measured {board}")["id"]
        assert eventually_done(stack, made, worker)["state"] == "verified"
        ended = [user.item(made, one["position"]) for one in user.items(made)]
        [row] = [row for row in user.standings(board)["results"] if row["agent"] == AGENT]
        page = httpx.get(f"{stack.url}/boards/{board}/", follow_redirects=True).text
    print(told(row, ended))  # noqa: T201 # with -s, a record of what a device measured
    assert {item["result"]["measurement"]["emulated"] for item in ended} == {False}
    assert all(item["metrics"]["speedup"] > 0 for item in ended)
    assert (row["rank"], row["score"] > 0) == (1, True)
    assert AGENT in page


def told(row: dict[str, Any], items: list[dict[str, Any]]) -> str:
    """The entry's row, and each item's ratio with its interval and the machine."""
    found = [f"row: {json.dumps(row)}"]
    for item in items:
        measured = item["result"]["measurement"]
        found.append(f"{item['benchmark']}: {json.dumps(item['metrics'])} {json.dumps(measured)}")
    return "\n".join(found)


def eventually_done(stack: Stack, submission: str, worker: Any) -> dict[str, Any]:
    """The submission, once all its items have a verdict."""
    found: dict[str, Any] = {}

    def is_done() -> bool:
        with stack.client() as visitor:
            found.update(visitor.submission(submission))
        return found["progress"]["done"] == found["progress"]["total"]

    eventually(is_done, worker, seconds=SECONDS)
    return found
