"""GCC's options through real processes: REST, worker, sandbox with tools, and the board that ranks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from optarena.datasets import datasets
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = [pytest.mark.stack, needs_gcc]

BOARD = "gcc-codesize"
LINES = {
    "level": "gcc -Oz -c program.c -o program.o",
    "found": "gcc -Oz -fno-caller-saves -fno-move-loop-stores -fno-tree-loop-im -c program.c -o program.o",
}


def body(agent: str, commandline: str) -> dict[str, Any]:
    uris = [str(benchmark.uri) for benchmark in datasets()["gcc-kernels-v0"]]
    return {
        "board": BOARD,
        "agent": agent,
        "items": [{"benchmark": uri, "commandline": commandline} for uri in uris],
    }


@pytest.mark.timeout(600)
def test_command_lines_are_verified_and_ranked_by_loaded_bytes(stack: Stack) -> None:
    user = stack.user()
    made = {agent: user.submit(body(agent, line), key=f"gcc {agent}") for agent, line in LINES.items()}
    ended = {agent: user.wait(one["id"], timeout=280) for agent, one in made.items()}
    assert {one["state"] for one in ended.values()} == {"verified"}
    with stack.client() as visitor:
        rows = {row["submission"]: row for row in visitor.standings(BOARD)["results"]}
        items = list(visitor.items(ended["found"]["id"]))
    level, found = (rows[ended[agent]["id"]] for agent in ("level", "found"))
    assert level["score"] == pytest.approx(1.0)
    assert found["score"] > level["score"]
    assert (found["rank"], level["rank"]) == (1, 2)
    assert len(items) == 15
    tools = stack.query(
        "SELECT DISTINCT jsonb_object_keys(result -> 'sandbox' -> 'tools') FROM runner_verification AS one"
        " JOIN runner_environmentversion AS version ON version.id = one.environment_version_id"
        " WHERE version.env_id = 'gcc-v0'"
    )
    assert {name for (name,) in tools} == {"cc1", "as", "ld"}


def test_what_no_board_takes_is_refused_and_nothing_is_stored(stack: Stack) -> None:
    user = stack.user()
    before = stack.query("SELECT count(*) FROM leaderboard_submission")
    for words, problem in (
        ("-ffast-math", "is not allowed: changes what floating-point"),
        ("-fno-tree-vpr", "Did you mean '-fno-tree-vrp'"),
        ("-Os -Oz", "is given after -Os"),
        ("--param=max-hoist-depth=31", "has a value that is not in the table"),
    ):
        with pytest.raises(Exception) as caught:  # noqa: PT011 # its problems are compared
            user.submit(body("bad", f"gcc {words} -c program.c -o program.o"), key=words)
        told = str(caught.value) + str(getattr(caught.value, "errors", ""))
        assert problem in told
    assert stack.query("SELECT count(*) FROM leaderboard_submission") == before
