"""Bad work through the whole stack: it ends with its reason, the worker lives, nothing is ranked.

Work that takes too long is in ``tests/runner/test_repetition.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from optarena.llvm.actions import UNSAFE

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.timeout(900)]

HARMLESS = "strip-dead-debug-info"
CASES = {
    "claim": ("digits", HARMLESS, {"claims": {"ir_instructions": 1}}, "refuted", "claim:mismatch"),
    "crash": ("digits", "trigger-crash-module", {}, "failed", "env:crash"),
    "growth": ("growth", "module-inline", {}, "failed", "env:ir-growth"),
    "output": ("digits", "structurizecfg", {}, "refuted", "semantics:output-differs"),
}


@pytest.fixture(scope="module")
def ended(stack: Stack, danger: str) -> dict[str, dict[str, Any]]:
    """The submissions after their end, by case, each with its one item; then one that is good."""
    cases = {**CASES, "good": ("digits", HARMLESS, {}, "verified", "")}
    with stack.user() as user:
        made = {}
        for case, (program, action, claims, _, _) in cases.items():
            uri, actions = f"benchmark://danger-v0/{program}", [UNSAFE.index(action)]
            item = {"benchmark": uri, "actions": actions, **claims}
            made[case] = user.submit({"board": danger, "agent": case, "items": [item]}, key=f"bad {case}")
        return {
            case: {
                **user.wait(one["id"], timeout=240),
                "item": next(iter(user.items(one["id"]))),
                "attempts": user.item(one["id"], 0)["attempts"],
            }
            for case, one in made.items()
        }


@pytest.mark.parametrize("case", CASES)
def test_it_ends_with_its_reason_and_a_remedy(case: str, ended: dict[str, dict[str, Any]]) -> None:
    _, _, _, verdict, reason = CASES[case]
    item = ended[case]["item"]
    assert (item["verdict"], item["reason"]["id"]) == (verdict, reason)
    assert item["reason"]["remedy"]
    assert item["reason"]["detail"]
    assert ended[case]["state"] == verdict


@pytest.mark.parametrize("case", CASES)
def test_what_is_blamed_on_it_happened_twice(case: str, ended: dict[str, dict[str, Any]]) -> None:
    _, _, _, _, reason = CASES[case]
    told = [(one["decision"], one["reason"]) for one in ended[case]["attempts"]]
    assert told == ([] if case == "claim" else [("confirm", reason), ("fail", reason)])
    for attempt in ended[case]["attempts"]:
        assert attempt["evidence"]["sandbox"]["confined"] is True


def test_nothing_of_it_is_ranked(stack: Stack, danger: str, ended: dict[str, dict[str, Any]]) -> None:
    with stack.client() as visitor:
        rows = {row["submission"]: row for row in visitor.standings(danger)["results"]}
    for case in CASES:
        row = rows.get(ended[case]["id"])
        assert row is None or (row["rank"] is None and row["verified"] == 0)


def test_the_worker_lives_and_goes_on(stack: Stack, ended: dict[str, dict[str, Any]]) -> None:
    assert ended["good"]["item"]["verdict"] == "verified"
    assert stack.server.worker.running
    actors = stack.query(
        "SELECT DISTINCT actor FROM runner_verificationevent e JOIN runner_verification v ON v.id ="
        " e.verification_id WHERE v.benchmark_uri LIKE 'benchmark://danger-v0/%%' AND e.to_state = 'leased'"
    )
    assert len(actors) == 1, actors
