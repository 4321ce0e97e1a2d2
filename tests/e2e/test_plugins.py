"""A compiler that somebody else brings, through the whole server: dataset, board, submissions, pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.client import Client
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

URIS = ("benchmark://sorting-v0/five", "benchmark://sorting-v0/two")
BOARDS = {"sort": "sort-v0", "stack": "stack-v0", "scheduling": "scheduling-v0"}


def submitted(user: Client, agent: str, five: str, two: str, **claims: float) -> dict[str, Any]:
    items = [
        {"benchmark": uri, "commandline": f"sort {moves}", "claims": claims}
        for uri, moves in zip(URIS, (five, two), strict=True)
    ]
    made = user.submit({"board": "sort", "agent": agent, "open": True, "items": items}, key=f"{agent} sorts")
    return user.wait(made["id"], timeout=120, poll=0.2)


@pytest.fixture(scope="module")
def ended(stack: Stack) -> dict[str, dict[str, Any]]:
    with stack.user() as user, stack.user() as other:
        return {
            "sorter": submitted(user, "sorter", "bubble", "bubble"),
            "idler": submitted(other, "idler", "", ""),
            "loser": submitted(user, "loser", "bubble lose", "bubble spoil"),
            "liar": submitted(user, "liar", "bubble", "bubble", makespan=0.25),
        }


def test_its_work_is_verified_or_refuted(stack: Stack, ended: dict[str, dict[str, Any]]) -> None:
    assert {agent: one["state"] for agent, one in ended.items()} == {
        "sorter": "verified",
        "idler": "verified",
        "loser": "refuted",
        "liar": "refuted",
    }
    with stack.client() as visitor:
        reasons = {
            agent: [(item["reason"] or {}).get("id") for item in visitor.items(one["id"])]
            for agent, one in ended.items()
        }
    assert reasons["loser"] == ["semantics:output-differs", "semantics:verifier"]
    assert reasons["liar"] == ["claim:mismatch"] * 2


def test_its_board_ranks_by_a_metric_of_its_own(stack: Stack, ended: dict[str, dict[str, Any]]) -> None:
    with stack.client() as visitor:
        board = visitor.standings("sort")
        item = visitor.item(ended["sorter"]["id"], 0)
    ranks = {row["agent"]: row["rank"] for row in board["results"]}
    assert (ranks["sorter"], ranks["idler"]) == (1, 2)
    assert [(row["label"], row["level"], row["score"]) for row in board["references"]] == [
        ("sort LPT", "LPT", 1.0)
    ]
    assert item["metrics"] == {"makespan": 1.25}  # nobody needs the number of inversions
    assert [step["cost"] for step in item["result"]["steps"]] == [1.25]
    assert item["ratio"] == pytest.approx(1.5 / 1.25)


def test_its_pages_speak_of_its_metric(stack: Stack, ended: dict[str, dict[str, Any]]) -> None:
    board = stack.page("/boards/sort/")
    assert "Makespan" in board
    assert "sort LPT" in board
    assert "-LPT" not in board
    assert "sorter" in board
    item = httpx.get(f"{ended['sorter']['url']}items/0/", timeout=60).text
    assert "Makespan after each step, from 2.25 to 1.25" in item
    assert "−1" in item  # noqa: RUF001 - a true minus
    assert "IR instructions" not in item
    dataset = stack.page("/datasets/sorting-v0/")
    assert "Makespan" in dataset
    assert "LPT / -O0" in dataset
    assert "optarena/sort-v0" in dataset
    benchmark = stack.page("/datasets/sorting-v0/five/")
    assert "2.25" in benchmark
    environment = stack.page("/environments/sort-v0/")
    assert "It does bubble." in environment
    assert "Pipeline" not in environment
    program = httpx.get(f"{stack.url}/api/v1/datasets/sorting-v0/benchmarks/five/bitcode/", timeout=60)
    assert program.content == b"5 3 1 4 2\n"
    assert program.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "sorting-v0-five.txt" in program.headers["Content-Disposition"]


@pytest.mark.parametrize(("board", "environment"), BOARDS.items())
def test_every_page_of_every_plug_in_is_there(stack: Stack, board: str, environment: str) -> None:
    with stack.client() as visitor:
        shown = visitor.standings(board)
        dataset = next(one for one in visitor.boards() if one["slug"] == board)["dataset"]
        benchmark = next(iter(visitor.benchmarks(dataset)))
    assert shown["references"]
    for address in (
        f"/boards/{board}/",
        f"/environments/{environment}/",
        f"/datasets/{dataset}/",
        f"/datasets/{dataset}/{benchmark['name']}/",
        f"/submit/?board={board}",
    ):
        assert stack.page(address)
    assert benchmark["baselines"]


@pytest.mark.soak
def test_anybody_with_the_plug_in_can_repeat_an_item(stack: Stack, ended: dict[str, dict[str, Any]]) -> None:
    printed = stack.optarena("replay", ended["sorter"]["url"])
    assert printed.count("equal") == 2
    assert "makespan 1.2500" in printed


@pytest.mark.soak
def test_the_command_line_knows_its_dataset(stack: Stack, tmp_path: Path) -> None:
    described = stack.optarena("datasets", "describe", "sorting-v0")
    assert "makespan" in described
    assert "2.25" in described
    assert "2 programs" in stack.optarena("datasets", "download", "sorting-v0", "--to", str(tmp_path))
    assert (tmp_path / "two.txt").read_bytes() == b"2 1\n"
    states = tmp_path / "states.csv"
    states.write_text(f"benchmark,commandline,makespan\n{URIS[0]},sort bubble,1.25\n")
    validated = stack.optarena("validate", str(states))  # whose states they are is told by their dataset
    assert "1 of 1 states are valid" in validated
    assert "makespan" in validated
    with stack.user() as user:
        token = user.token
    submitted = stack.optarena("submit", str(states), "--board", "sort", "--agent", "cli", "--token", token)
    assert "submitted: http" in submitted


def test_what_is_plausible_is_the_boards_own_affair(stack: Stack) -> None:
    rewrites = "stack" + " commute fold-constants remove-identities annihilate cancel remove-dead" * 6
    with stack.user() as user:
        item = {"benchmark": "benchmark://stack-v0/unused", "commandline": rewrites}
        made = user.submit({"board": "stack", "agent": "far ahead", "items": [item]}, key="far ahead")
        user.wait(made["id"], timeout=120, poll=0.2)
        [judged] = user.items(made["id"])
    assert judged["verdict"] == "verified"
    assert judged["ratio"] > 1.5
