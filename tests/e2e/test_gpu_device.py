"""From REST to a rank on a real GPU: kernels that a worker which has one has measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.datasets import datasets
from optarena.gpu_kernels.actions import PASSES
from tests.kit.gpu import eventually, gpu, gpu_worker

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.usefixtures("gpu"), pytest.mark.timeout(900)]
__all__ = ["gpu"]

SECONDS = 600
BOARD, AGENT = "gpu-kernels", "of a GPU"
PASSES_OF_AGENT = (
    *("sroa", "early-cse", "instcombine", "simplifycfg", "loop-rotate", "licm", "indvars"),
    *("loop-unroll-full", "sroa", "gvn", "instcombine", "ptxas-O3"),
)


def document() -> dict[str, Any]:
    """An agent's actions for the kernels."""
    actions = [PASSES.names.index(name) for name in PASSES_OF_AGENT]
    items = [{"benchmark": str(one.uri), "actions": actions} for one in datasets()["gpu-kernels-v0"]]
    return {"board": BOARD, "agent": AGENT, "items": items}


def test_what_a_gpu_measured_is_ranked(stack: Stack, tmp_path: Path) -> None:
    with stack.user() as user, gpu_worker(stack, tmp_path, CUDA_VISIBLE_DEVICES="0") as worker:
        made = user.submit(document(), key="real kernels")["id"]
        assert eventually_done(stack, made, worker)["state"] == "verified"
        items = [user.item(made, one["position"]) for one in user.items(made)]
        assert {item["result"]["measurement"]["emulated"] for item in items} == {False}
        assert all(item["metrics"]["speedup"] > 0 for item in items)
        [row] = [row for row in user.standings(BOARD)["results"] if row["agent"] == AGENT]
        assert (row["rank"], row["score"] > 0) == (1, True)
        assert AGENT in httpx.get(f"{stack.url}/boards/{BOARD}/", follow_redirects=True).text


def eventually_done(stack: Stack, submission: str, worker: Any) -> dict[str, Any]:
    """The submission, once all its items have a verdict."""
    found: dict[str, Any] = {}

    def is_done() -> bool:
        with stack.client() as visitor:
            found.update(visitor.submission(submission))
        return found["progress"]["done"] == found["progress"]["total"]

    eventually(is_done, worker, seconds=SECONDS)
    return found
