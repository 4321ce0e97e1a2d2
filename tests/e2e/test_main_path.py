"""The main path through real processes: REST, database, broker, worker, sandbox, board, page, repetition."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.client import ApiProblem
from optarena.datasets import datasets
from tests.kit.kernels import URIS, document

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

SHORT = ["mem2reg"]
LONGER = ["sroa", "gvn"]


@pytest.fixture(scope="module")
def ranked(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Three submissions of three users that have ended, by agent; one came from the command line."""
    users = {"short": stack.user(), "longer": stack.user()}
    names = {"short": SHORT, "longer": LONGER}
    made = {
        agent: user.submit(document(names[agent], agent=agent), key=f"{agent} of the main path")
        for agent, user in users.items()
    }
    ended = {agent: users[agent].wait(one["id"], timeout=240) for agent, one in made.items()}
    results = tmp_path_factory.mktemp("agent") / "oz.csv"
    run_agent(results)
    with stack.user() as user:
        about = ("--board", "llvm-ic", "--agent", "oz-list")
        printed = optarena(stack, user.token, "submit", str(results), *about, "--wait")
        found = re.search(r"/submissions/([0-9a-f-]{36})/", printed)
        assert found, printed
        ended["oz-list"] = user.submission(found[1])
    return ended


def run_agent(results: Path) -> None:
    agent = [str(Path(sys.executable).with_name("optarena")), "search", "oz-list"]
    command = [*agent, "--dataset", "kernels-v0", "--evaluations", "1", "--output", str(results)]
    subprocess.run(command, check=True, capture_output=True, timeout=240)


def optarena(stack: Stack, token: str, *arguments: str) -> str:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("optarena")), *arguments],
        env={**stack.server.environment, "OPTARENA_URL": stack.url, "OPTARENA_TOKEN": token},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_item_of_every_agent_is_verified(ranked: dict[str, dict[str, Any]]) -> None:
    for submission in ranked.values():
        assert submission["state"] == "verified", submission
        assert submission["progress"] == {"done": len(URIS), "total": len(URIS)}
        assert submission["verdicts"]["verified"] == len(URIS)


def test_the_board_ranks_them_by_score_beside_the_compilers_own_levels(
    stack: Stack, ranked: dict[str, dict[str, Any]]
) -> None:
    with stack.client() as visitor:
        board = visitor.standings("llvm-ic")
    rows = {row["submission"]: row for row in board["results"]}
    places = sorted(ranked, key=lambda agent: rows[ranked[agent]["id"]]["position"])
    assert places == ["oz-list", "longer", "short"]
    scores = [rows[ranked[agent]["id"]]["score"] for agent in places]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.98
    assert {row["level"] for row in board["references"]} == {"Oz", "O1", "O2", "O3"}
    assert next(row["score"] for row in board["references"] if row["level"] == "Oz") == 1


def test_the_pages_show_it(stack: Stack, ranked: dict[str, dict[str, Any]]) -> None:
    board = httpx.get(f"{stack.url}/boards/llvm-ic/")
    assert board.status_code == 200
    assert all(agent in board.text for agent in ranked)
    assert "-Oz" in board.text
    page = httpx.get(ranked["short"]["url"])
    assert page.status_code == 200
    assert f"{len(URIS)} of {len(URIS)}" in page.text


def test_anybody_can_repeat_an_item_locally(stack: Stack, ranked: dict[str, dict[str, Any]]) -> None:
    with stack.client() as visitor:
        item = next(iter(visitor.items(ranked["longer"]["id"])))
    assert "equal" in optarena(stack, "", "replay", item["url"])


def test_the_same_work_of_another_user_is_not_done_again(
    stack: Stack, ranked: dict[str, dict[str, Any]], key: str
) -> None:
    assert ranked
    before = stack.query("SELECT count(*) FROM runner_verification")
    with stack.user() as other:
        made = other.submit(document(SHORT, agent="copycat"), key=key)
        ended = other.wait(made["id"], timeout=120, poll=0.1)
    assert ended["state"] == "verified"
    assert stack.query("SELECT count(*) FROM runner_verification") == before


def test_a_bad_row_stores_nothing(stack: Stack, key: str) -> None:
    before = stack.query("SELECT count(*) FROM leaderboard_submission")
    bad = document(SHORT, agent="careless")
    bad["items"][3]["benchmark"] = "benchmark://kernels-v0/nothing"
    with stack.user() as user, pytest.raises(ApiProblem) as caught:
        user.submit(bad, key=key)
    assert [(error.row, error.value) for error in caught.value.errors] == [
        (3, "benchmark://kernels-v0/nothing")
    ]
    assert stack.query("SELECT count(*) FROM leaderboard_submission") == before


def test_the_replay_is_recorded_with_the_sandbox_it_ran_in(
    stack: Stack, ranked: dict[str, dict[str, Any]]
) -> None:
    with stack.client() as visitor:
        item = visitor.item(ranked["longer"]["id"], 0)
    sandbox = item["result"]["sandbox"]
    assert sandbox["seccomp"] is True
    assert sandbox["landlock"] >= 1
    assert [step["name"] for step in item["result"]["steps"]] == LONGER
    assert all(workload["ok"] for workload in item["result"]["workloads"])


def test_a_program_is_timed_in_blocks(stack: Stack, key: str) -> None:
    timed = document(LONGER, agent="timed", count=1) | {"board": "llvm-runtime"}
    timed["items"][0]["benchmark"] = str(next(iter(datasets()["kernels-runtime-v0"])).uri)
    with stack.user() as user:
        made = user.submit(timed, key=key)
        user.wait(made["id"], timeout=240)
        item = user.item(made["id"], 0)
    assert item["verdict"] == "verified", item["reason"]
    blocks = item["result"]["measurement"]["blocks"]
    assert sum("discarded" not in block for block in blocks) >= 5
