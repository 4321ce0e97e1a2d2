"""Finer decisions through real processes: REST, worker, sandbox, and the board that ranks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.specs import environment_spec
from tests.kit.kernels import URIS, document

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

BOARD = "llvm-finer"
SPEC = environment_spec("llvm-finer-v0")
LINES = {
    "": SPEC.commandline([SPEC.action_table.names.index("sroa")]),
    "llvm-parameters-v0": "llvm-parameters sroa early-cse inline<threshold=25> instcombine<max-iterations=2>",
    "llvm-functions-v0": "llvm-functions sroa@0 early-cse@0 instcombine@0",
    "llvm-loops-v0": "llvm-loops pass:sroa site0:noinline loop0:unroll=2 pass:instcombine pass:globaldce",
}
MIXED = "mixed"


def items(agent: str) -> list[dict[str, Any]]:
    """One state for each program; the mixed entry takes the spaces in turn."""
    lines = list(LINES.values()) if agent == MIXED else [LINES[agent]]
    return [{"benchmark": uri, "commandline": lines[n % len(lines)]} for n, uri in enumerate(URIS)]


@pytest.fixture(scope="module")
def ranked(stack: Stack) -> dict[str, dict[str, Any]]:
    """An entry of each space and a mixed one that have ended, and one by passes alone on another board."""
    user = stack.user()
    made = {}
    for agent in (*LINES, MIXED):
        body = {"board": BOARD, "agent": agent or "passes", "items": items(agent)}
        made[agent] = user.submit(body, key=f"finer-{agent}")
    passes = user.submit(document(["sroa", "early-cse"], agent="passes alone"), key="finer, passes alone")
    user.wait(passes["id"], timeout=240)
    return {agent: user.wait(one["id"], timeout=240) for agent, one in made.items()}


def test_an_entry_of_each_space_and_a_mixed_one_are_verified_and_ranked(
    stack: Stack, ranked: dict[str, dict[str, Any]]
) -> None:
    assert {one["state"] for one in ranked.values()} == {"verified"}
    with stack.client() as visitor:
        rows = {row["submission"]: row for row in visitor.standings(BOARD)["results"]}
        spaces = {item["action_space"] for item in visitor.items(ranked[MIXED]["id"])}
    assert all(rows[one["id"]]["rank"] for one in ranked.values())
    assert spaces == {*LINES}
    assert rows[ranked["llvm-parameters-v0"]["id"]]["score"] > rows[ranked[""]["id"]]["score"]


def test_the_mixed_entry_did_no_work_again(stack: Stack, ranked: dict[str, dict[str, Any]]) -> None:
    assert ranked
    replayed = stack.query(
        "SELECT count(*) FROM runner_verification AS one JOIN runner_environmentversion AS version"
        " ON version.id = one.environment_version_id WHERE version.env_id = 'llvm-finer-v0'"
    )
    assert replayed == [(len(LINES) * len(URIS),)]


def test_the_best_entry_by_passes_alone_is_a_reference_without_a_rank(
    stack: Stack, ranked: dict[str, dict[str, Any]]
) -> None:
    assert ranked
    with stack.client() as visitor:
        best = visitor.standings("llvm-ic")["results"][0]
        references = visitor.standings(BOARD)["references"]
        coarser = [one for one in references if one["board"] == "llvm-ic"]
        assert not [one for one in visitor.standings("llvm-ic")["references"] if one["board"]]
    assert [(one["score"], one["level"]) for one in coarser] == [(best["score"], "")]
    assert coarser[0]["label"] == f"{best['agent']} by {best['owner']}"
    assert httpx.get(coarser[0]["page_url"]).status_code == 200
    page = httpx.get(f"{stack.url}/boards/{BOARD}/").text
    assert "the best entry of llvm-ic" in page
