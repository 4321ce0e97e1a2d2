"""Work for GPUs, from REST to its end: without a worker, on an imitated device and on a real one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.client_answers import ApiProblem
from optarena.datasets import datasets
from optarena.gpu_kernels.actions import PASSES
from optarena.loop_tool.nest import BOARD_SIZES
from tests.kit.gpu import CLASS, eventually, gpu, gpu_worker

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

SECONDS = 180
MEASURE = b"optarena.loop_tool.blocks"
HANGING = "cuda_hangs:device"
MISSING = "odd_devices:missing"
ACTIONS = {"wide": [0, 1, 0, *[1] * 7], "wider": [0, 1, 0, *[1] * 15], "narrow": [0, 1, 0, 1]}
"""What each agent does: makes the second loop 8, 16 or 2 elements wide."""


def document(agent: str, *sizes: int, device: str = "cuda") -> dict[str, Any]:
    items = [
        {"benchmark": f"benchmark://loop_tool-{device}-v0/{size}", "actions": ACTIONS[agent]}
        for size in sizes
    ]
    return {"board": f"loop_tool-{device}", "agent": agent, "items": items}


def submitted(stack: Stack, agent: str, *sizes: int) -> dict[str, Any]:
    """A submission of an agent's actions for some sizes; nobody else asks for them."""
    with stack.user() as user:
        return user.submit(document(agent, *sizes), key=f"{agent} on cuda")


def ended(stack: Stack, submission: dict[str, Any]) -> list[dict[str, Any]]:
    with stack.client() as visitor:
        visitor.wait(submission["id"], timeout=SECONDS, poll=0.2)
        listed = list(visitor.items(submission["id"]))
        return [visitor.item(submission["id"], position) for position in range(len(listed))]


def replays(stack: Stack, submission: dict[str, Any], *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of the verifications of a submission's items, in their order."""
    statement = (
        f"SELECT {', '.join(columns)} FROM runner_verification v "  # noqa: S608 - they are from this file
        "JOIN leaderboard_submissionitem i ON i.verification_id = v.id WHERE i.submission_id = %s "
        "ORDER BY i.position"
    )
    return stack.query(statement, submission["id"])


def queue(stack: Stack) -> dict[str, Any]:
    """What the API says about the machines with a GPU."""
    classes = httpx.get(f"{stack.url}/api/v1/queue/", timeout=60).json()["hardware_classes"]
    found = [one for one in classes if one["name"] == CLASS]
    return found[0] if found else {"waiting": 0, "runners": [], "stuck": False}


def figures(shown: str) -> list[str]:
    """The measured numbers on a page, without the markup around number and unit."""
    return re.findall(r"[\d.,]*\d\s*GFLOP/s", re.sub(r"<[^>]*>", "", shown))


@pytest.mark.soak
def test_a_cpu_worker_measures_a_schedule_and_it_is_shown(stack: Stack) -> None:
    with stack.user() as owner:  # nobody else may read the result of a best sequence yet
        made = owner.submit(document("wider", 1021, device="cpu"), key="on a CPU")
        owner.wait(made["id"], timeout=SECONDS, poll=0.2)
        item = owner.item(made["id"], 0)
    assert item["verdict"] == "verified", item["reason"]
    shown = stack.page(f"/submissions/{made['id']}/items/0/")
    assert [f"{item['metrics'][name]:,.4g} GFLOP/s" for name in ("gflops", "reference_gflops")] == figures(
        shown
    )[:2]
    assert item["metrics"]["reference_gflops"] > 0
    measurement = item["result"]["measurement"]
    assert measurement["emulated"] is False
    assert measurement["device"]
    assert sum("discarded" not in block for block in measurement["blocks"]) >= 5
    low, high = measurement["interval"]["gflops"]
    assert 0 < low <= item["metrics"]["gflops"] <= high
    assert replays(stack, made, "hardware_class") == [("x86_64-cpu",)]
    with stack.user() as anybody, pytest.raises(ApiProblem, match="only one that failed for a reason infra"):
        anybody.retry(made["id"], 0)


@pytest.fixture(scope="module")
def waiting(stack: Stack) -> dict[str, Any]:
    """Work for a GPU, asked for while there is no worker for it."""
    return submitted(stack, "wide", 1021, 1024)


def test_without_a_gpu_worker_it_waits_and_the_page_says_so(stack: Stack, waiting: dict[str, Any]) -> None:
    time.sleep(2)  # time for the sweeper to wake whoever is there
    with stack.client() as visitor:
        assert visitor.submission(waiting["id"])["progress"] == {"done": 0, "total": 2}
        assert {item["verdict"] for item in visitor.items(waiting["id"])} == {"pending"}
    assert (queue(stack)["waiting"], queue(stack)["stuck"]) == (2, True)
    assert f"2 replays wait for a runner of class {CLASS}; no such runner is live" in stack.page("/queue/")
    assert replays(stack, waiting, "state", "attempt", "hardware_class") == [("queued", 0, CLASS)] * 2


@pytest.fixture(scope="module")
def carried(
    stack: Stack, waiting: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """What becomes of it on a worker whose GPU is an imitation, which hangs with 1024 elements."""
    plugins = f"{stack.server.environment['OPTARENA_PLUGINS']},short_blocks"
    folder = tmp_path_factory.mktemp("gpu")
    with gpu_worker(stack, folder, OPTARENA_CUDA_DEVICE=HANGING, OPTARENA_PLUGINS=plugins) as worker:
        eventually(lambda: bool(queue(stack)["runners"]), worker)
        shown = stack.page("/queue/")
        items = ended(stack, waiting)
        [later] = ended(stack, submitted(stack, "narrow", 1021))
        children = measuring()
    return {"items": items, "later": later, "shown": shown, "children": children}


def measuring() -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = ((process / name).read_bytes() for name in ("cmdline", "environ"))
        except OSError:
            continue
        if MEASURE in command and HANGING.encode() in environment:
            found.append(process.name)
    return found


@pytest.mark.soak
def test_a_gpu_worker_is_shown_while_it_runs(stack: Stack, carried: dict[str, Any]) -> None:
    assert f"<h2>{CLASS}</h2>" in carried["shown"]
    assert "no such runner is live" not in carried["shown"]
    assert queue(stack)["runners"] == []
    ends = stack.query("SELECT stopped_at IS NOT NULL FROM runner_runner WHERE hardware_class = %s", CLASS)
    assert ends == [(True,)]


@pytest.mark.soak
def test_what_an_imitated_device_measured_is_refused(
    stack: Stack, waiting: dict[str, Any], carried: dict[str, Any]
) -> None:
    refused = carried["items"][0]
    assert (refused["verdict"], refused["reason"]["id"]) == ("failed", "infra:emulated-device")
    assert refused["reason"]["remedy"]
    assert (refused["metrics"], refused["result"], refused["ratio"]) == ({}, None, None)
    steps = stack.query(
        "SELECT to_state FROM runner_verificationevent WHERE verification_id = %s ORDER BY seq",
        replays(stack, waiting, "v.id")[0][0],
    )
    assert [step for (step,) in steps] == ["queued", "leased", "replaying", "checking", "measuring", "failed"]
    assert replays(stack, waiting, "v.result", "v.metrics")[0] == (None, None)


@pytest.mark.soak
def test_it_is_nowhere_shown_as_a_number(
    stack: Stack, waiting: dict[str, Any], carried: dict[str, Any]
) -> None:
    with stack.client() as visitor:
        rows = visitor.standings("loop_tool-cuda")["results"]
    assert [row for row in rows if row["rank"] or row["verified"]] == []
    item = stack.page(f"/submissions/{waiting['id']}/items/0/")
    assert "infra:emulated-device" in item
    submission, board = stack.page(f"/submissions/{waiting['id']}/"), stack.page("/boards/loop_tool-cuda/")
    for shown in (item, submission, board):
        assert figures(shown) == []


@pytest.mark.soak
def test_a_child_that_hangs_is_killed_and_the_worker_goes_on(
    stack: Stack, waiting: dict[str, Any], carried: dict[str, Any]
) -> None:
    hung = carried["items"][1]
    # A real device might have answered: the schedule is not to blame, and may be sent in again.
    assert (hung["verdict"], hung["reason"]["id"]) == ("failed", "infra:emulated-device")
    items = "SELECT detail FROM leaderboard_submissionitem WHERE submission_id = %s AND position = 1"
    [(detail,)] = stack.query(items, waiting["id"])
    assert "The replay ended with env:timeout" in str(detail)
    assert "did not end within 8 s" in str(detail)
    assert hung["reason"]["detail"] == ""  # its owner may send the schedule again, and nobody else
    assert (hung["metrics"], hung["result"]) == ({}, None)
    assert carried["later"]["reason"]["id"] == "infra:emulated-device"
    assert carried["children"] == []


@pytest.mark.soak
def test_a_worker_that_has_lost_its_gpu_pauses_and_the_work_pays_nothing(
    stack: Stack, tmp_path: Path
) -> None:
    with stack.user() as user:
        made = user.submit(document("wider", 1021), key="on a lost GPU")
        with gpu_worker(stack, tmp_path, OPTARENA_CUDA_DEVICE=MISSING) as worker:
            eventually(lambda: any("infra:device-unavailable" in one for one in pauses(stack)), worker)
            assert replays(stack, made, "attempt") == [(0,)]
        item = user.item(made["id"], 0)
        user.withdraw(made["id"])
    assert (item["verdict"], item["metrics"]) == ("pending", {})
    assert "No device: the slot is empty" in item["attempts"][0]["detail"]


def pauses(stack: Stack) -> list[str]:
    return [one["pause_reason"] for one in queue(stack)["runners"] if one["paused_at"]]


COMPILE_SECONDS = 240

PASSES_OF_AGENT = ("sroa", "early-cse", "instcombine", "simplifycfg", "loop-rotate", "indvars", "gvn")


def kernel_document() -> dict[str, Any]:
    actions = [PASSES.names.index(name) for name in PASSES_OF_AGENT]
    items = [{"benchmark": one.uri, "actions": actions} for one in datasets()["gpu-kernels-v1"]]
    return {"board": "gpu-kernels", "agent": "seven passes", "items": items}


PREPARED = """
SELECT count(*) FROM runner_verification v JOIN leaderboard_submissionitem i ON i.verification_id = v.id
WHERE i.submission_id = %s AND v.state = 'queued' AND v.prepared->'job'->>'cubin' <> ''
"""


@pytest.mark.soak
def test_without_a_gpu_runner_the_measured_board_is_compiled_waits_and_says_so(stack: Stack) -> None:
    with stack.user() as user:
        made = user.submit(kernel_document(), key="measured kernels")
        until = time.monotonic() + COMPILE_SECONDS
        while (number := stack.query(PREPARED, made["id"])[0][0]) < len(datasets()["gpu-kernels-v1"]):
            assert time.monotonic() < until, number
            time.sleep(0.2)
        assert user.submission(made["id"])["progress"]["done"] == 0
        assert {item["verdict"] for item in user.items(made["id"])} == {"pending"}
        page = stack.page("/queue/")
        assert f"wait for a runner of class {CLASS}; no such runner is live" in page
        board = stack.page("/boards/gpu-kernels/")
        assert "timed in the same processes, as is -O3 of LLVM and ptxas" in board
        user.withdraw(made["id"])


__all__ = ["gpu"]

DEVICE_SECONDS = 600
AGENT = "of a GPU"
PASSES_OF_AGENT_GPU_DEVICE = (
    *("sroa", "early-cse", "instcombine", "simplifycfg", "loop-rotate", "licm", "indvars"),
    *("loop-unroll-full", "sroa", "gvn", "instcombine", "ptxas-O3"),
)
NEST = [0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1]
"""Actions that make the middle loop 4 long, and then move these iterations to the innermost loop."""


def kernels() -> dict[str, list[int]]:
    actions = [PASSES.names.index(name) for name in PASSES_OF_AGENT_GPU_DEVICE]
    return {str(one.uri): actions for one in datasets()["gpu-kernels-v1"]}


def sizes() -> dict[str, list[int]]:
    return {f"benchmark://loop_tool-cuda-v0/{size}": NEST for size in BOARD_SIZES}


@pytest.mark.usefixtures("gpu")
@pytest.mark.timeout(900)
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
        page = stack.page(f"/boards/{board}/")
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
    found: dict[str, Any] = {}

    def is_done() -> bool:
        with stack.client() as visitor:
            found.update(visitor.submission(submission))
        return found["progress"]["done"] == found["progress"]["total"]

    eventually(is_done, worker, seconds=DEVICE_SECONDS)
    return found
