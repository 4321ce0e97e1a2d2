"""Questions about verified items, answered by the real worker of a whole server."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.datasets import datasets
from optarena.replay import replay
from optarena.specs import environment_spec
from tests.kit.kernels import URIS, document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optarena.client import Client
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

NAMES = ["globaldce", "mem2reg", "mem2reg", "simplifycfg", "instcombine", "globaldce", "simplifycfg"]
PATIENCE = 120.0


@pytest.fixture(scope="module")
def asker(stack: Stack) -> Iterator[Client]:
    """Somebody else who is logged in."""
    with stack.user() as client:
        yield client


@pytest.fixture(scope="module")
def item(stack: Stack) -> dict[str, Any]:
    """A verified item that begins and ends with actions without effect."""
    with stack.user() as user:
        made = user.submit(document(NAMES, agent="asked about", count=1), key=str(uuid.uuid4()))
        user.wait(made["id"], timeout=240)
        found: dict[str, Any] = user.item(made["id"], 0)
    assert found["verdict"] == "verified"
    return found


def answered(look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer to a question that was asked."""
    until = time.monotonic() + PATIENCE
    while (answer := look())["state"] != "done":
        assert answer["state"] in ("queued", "running"), answer
        assert time.monotonic() < until, answer
        time.sleep(0.1)
    return answer


def difference(asker: Client, item: dict[str, Any], step: int) -> dict[str, Any]:
    place = item["submission"], item["position"], step
    asker.step_difference(*place, ask=True)
    found: dict[str, Any] = answered(lambda: asker.step_difference(*place))["difference"]
    return found


def test_a_worker_finds_out_what_a_step_changes(asker: Client, item: dict[str, Any]) -> None:
    found = difference(asker, item, 2)
    assert found["removed"] > found["added"]
    assert "alloca" in found["text"]
    page = httpx.get(f"{item['page_url']}?step=2").text
    assert '<span class="removed">-' in page
    assert "lines removed" in page


def test_a_worker_finds_out_which_actions_suffice(asker: Client, item: dict[str, Any]) -> None:
    place = item["submission"], item["position"]
    asker.minimised(*place, ask=True)
    found = answered(lambda: asker.minimised(*place))["minimised"]
    assert (found["total"], found["minimal"]) == (len(NAMES), True)
    assert len(found["actions"]) < len(NAMES)
    assert httpx.get(item["url"]).json()["minimised"] == found
    spec = environment_spec("llvm-ic-v0")
    benchmark = datasets()["kernels-v0"].benchmark(URIS[0])
    again = replay(environment=spec, benchmark=benchmark, actions=found["actions"])
    assert again.steps[-1].digest == item["result"]["steps"][-1]["digest"]
    assert again.metrics["ir_instructions"] == item["metrics"]["ir_instructions"]
    words = f"{len(found['actions'])} of {len(NAMES)} actions suffice"
    assert words in " ".join(httpx.get(item["page_url"]).text.split())


def test_the_best_result_is_minimised_without_being_asked_for(stack: Stack, item: dict[str, Any]) -> None:
    with stack.user() as user:
        made = user.submit(document(NAMES, agent="not asked about", count=3), key=str(uuid.uuid4()))
        user.wait(made["id"], timeout=240)
    with stack.client() as visitor:
        # Other tests leave bests, too, which wait in the same line.
        found = [best for uri in URIS if (best := best_of(stack, uri))]
        bests = [one for one in found if one["submission"] != item["submission"]]
        until = time.monotonic() + PATIENCE
        while all(visitor.item(one["submission"], one["position"])["minimised"] is None for one in bests):
            assert bests
            assert time.monotonic() < until
            time.sleep(0.5)


def best_of(stack: Stack, uri: str) -> dict[str, Any] | None:
    """The best result of a program on the board of instruction counts."""
    address = f"{stack.url}/api/v1/datasets/kernels-v0/benchmarks/{uri.rpartition('/')[2]}/results/"
    boards = httpx.get(address).json()["boards"]
    return next((one["best"] for one in boards if one["board"] == "llvm-ic"), None)


@pytest.mark.soak
def test_replays_and_questions_at_the_same_time_all_end(
    stack: Stack, asker: Client, item: dict[str, Any]
) -> None:
    total = len(NAMES)
    for step in range(1, total + 1):
        asker.step_difference(item["submission"], item["position"], step, ask=True)
    with stack.user() as user:
        made = user.submit(document(NAMES[::-1], agent="in a hurry", count=2), key=str(uuid.uuid4()))
        ended = user.wait(made["id"], timeout=120)
    assert ended["state"] == "verified"
    for step in range(1, total + 1):
        difference(asker, item, step)
