"""``POST submissions/``: every bad input has a clear answer, and nothing of it is stored."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from leaderboard.models import Board, Submission, SubmissionItem
from optarena.limits import (
    MAX_ACTIONS_PER_ITEM,
    MAX_PROBLEMS,
)
from optarena.specs import environment_spec
from runner.models import Verification
from tests.factories import make_dataset
from tests.kit.boards import URIS, World, document, submit
from tests.kit.posting import ADDRESS, errors, nothing_stored, post, post_csv

if TYPE_CHECKING:
    from rest_framework.test import APIClient


def csv_of(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def line(uri: str, *actions: int, quote: str = '"') -> str:
    commandline = environment_spec("llvm-ic-v0").commandline(actions)
    return f"{uri},,,{quote}{commandline}{quote}"


def changed(**item: Any) -> dict[str, Any]:
    body = copy.deepcopy(document())
    body["items"][1] |= item
    return body


def test_a_good_submission_is_accepted_and_located(api: APIClient) -> None:
    response = post(api, document(description="d", effort={"compilations": 1}))
    assert response.status_code == 202
    body = response.json()
    assert response["Location"].endswith(f"/api/v1/submissions/{body['id']}/")
    assert (body["state"], body["progress"]) == ("verifying", {"done": 0, "total": 3})
    assert (body["owner"], body["board"], body["agent"]) == ("ada", "test-ic", "agent")
    assert body["effort"]["effort_class"] == "zero-shot"
    assert body["url"].endswith(f"/submissions/{body['id']}/")
    assert Verification.objects.count() == 3


def test_a_csv_means_the_same_as_its_json(api: APIClient) -> None:
    text = csv_of(
        "commandline,benchmark,ir_instructions",
        *(f"{line(uri, 1, 2)[len(uri) + 3 :]},{uri},77" for uri in URIS),
    )
    response = post_csv(api, text)
    assert response.status_code == 202, response.json()
    items = SubmissionItem.objects.order_by("position")
    assert [(one.benchmark_uri, one.actions, one.claims) for one in items] == [
        (uri, [1, 2], {"ir_instructions": 77}) for uri in URIS
    ]


def test_a_command_line_is_stored_in_its_canonical_form(api: APIClient) -> None:
    spec = environment_spec("llvm-ic-v0")
    spaced = "  " + spec.commandline((3, 4)).replace(" input.bc", "   input.bc")
    given = [{"benchmark": URIS[0].removeprefix("benchmark://"), "commandline": spaced}]
    assert post(api, document(items=given)).status_code == 202
    item = SubmissionItem.objects.get()
    assert (item.benchmark_uri, item.actions, item.commandline) == (URIS[0], [3, 4], spec.commandline((3, 4)))


OF_PASSES = "opt -passes=no-such-pass input.bc -o output.bc"


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        (
            {"benchmark": "benchmark://boards-v0/beto"},
            "benchmark",
            "Did you mean 'benchmark://boards-v0/beta",
        ),
        ({"benchmark": "benchmark://other-v7/alpha"}, "benchmark", ""),
        ({"benchmark": "benchmark://elsewhere-v0/alpha"}, "benchmark", "boards-v0 only"),
        ({"benchmark": "file:///etc/passwd"}, "benchmark", ""),
        ({"benchmark": "not a uri"}, "benchmark", ""),
        ({"benchmark": "benchmark://boards-v0/a\0b"}, "benchmark", ""),
        ({"benchmark": URIS[0]}, "benchmark", ""),
        ({"actions": [1, 9999]}, "actions", ""),
        ({"actions": [-1]}, "actions", ""),
        ({"actions": [10**30]}, "actions", ""),
        ({"actions": [1] * (MAX_ACTIONS_PER_ITEM + 1)}, "actions", "10,000"),
        ({"actions": None, "commandline": "rm -rf /"}, "commandline", ""),
        ({"actions": None, "commandline": OF_PASSES}, "commandline", ""),
        ({"claims": {"ir_instructions": 1e300}}, "claims.ir_instructions", ""),
        ({"claims": {"speed": 1}}, "claims.speed", ""),
        ({"reward": "good"}, "reward", ""),
    ],
    ids=lambda one: repr(one)[:40],
)
def test_a_bad_value_is_named_and_nothing_is_stored(
    api: APIClient, changes: dict[str, Any], field: str, said: str
) -> None:
    make_dataset("elsewhere-v0", ["alpha"])
    response = post(api, changed(**changes), **{"Idempotency-Key": "k"})
    assert response.status_code == 422
    assert errors(response) == [(field, 1)]
    [problem] = response.json()["errors"]
    assert said in problem["message"] + problem["remedy"]
    assert nothing_stored()


def test_a_claim_in_a_csv_must_be_a_finite_number(api: APIClient) -> None:
    for claim in ("nan", "inf", "-inf", "1e400", "-1", "1e20", "many"):
        row = f"{URIS[0]},{line(URIS[0], 1)[len(URIS[0]) + 3 :]},{claim}"
        response = post_csv(api, csv_of("benchmark,commandline,ir_instructions", row))
        assert (response.status_code, errors(response)) == (422, [("ir_instructions", 2)])
    assert nothing_stored()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("document", None)]),
        ("benchmark,commandline\n", [("document", None)]),
        (f"{URIS[0]},1,2\n", [("row", 1)]),
        (f"{URIS[0]},,,opt -passes=a,b input.bc -o output.bc\n", [("row", 1)]),
        ("benchmark,commandline,speed\nx,y,1\n", [("speed", 1), ("benchmark", 2), ("commandline", 2)]),
        (f'"{URIS[0]}\n', [("document", 1)]),
    ],
    ids=["empty", "header-only", "too-few-columns", "unquoted-commas", "unknown-metric", "open-quote"],
)
def test_a_bad_csv_is_explained_and_nothing_is_stored(
    api: APIClient, text: str, expected: list[tuple[str, int | None]]
) -> None:
    response = post_csv(api, text)
    assert response.status_code == 422
    assert errors(response) == expected
    assert nothing_stored()


def test_a_long_list_of_problems_is_cut(api: APIClient) -> None:
    item = {
        "benchmark": "benchmark://boards-v0/alphabet",
        "commandline": "opt -passes=srao input.bc -o output.bc",
    }
    body = post(api, document(items=[item] * 10_000)).json()
    assert len(body["errors"]) == MAX_PROBLEMS + 1
    assert "more problems" in body["errors"][-1]["message"]
    assert body["detail"] == "At least 200 values cannot be used; the first 200 are listed."


def test_the_same_key_and_body_give_the_same_submission(api: APIClient) -> None:
    first = post(api, document(), **{"Idempotency-Key": "k"})
    second = post(api, document(), **{"Idempotency-Key": "k"})
    assert (first.status_code, second.status_code) == (202, 200)
    assert first.json()["id"] == second.json()["id"]
    assert second["Location"] == first["Location"]
    assert Submission.objects.count() == 1


def test_the_same_key_with_another_body_is_a_conflict(api: APIClient) -> None:
    post(api, document(), **{"Idempotency-Key": "k"})
    response = post(api, document(agent="another"), **{"Idempotency-Key": "k"})
    assert response.status_code == 409
    assert response.json()["type"].endswith("idempotency-key-reused")
    assert errors(response) == [("Idempotency-Key", None)]
    assert Submission.objects.count() == 1


def test_the_fields_beside_a_csv_are_part_of_the_body(api: APIClient) -> None:
    text = csv_of(line(URIS[0], 1))
    assert post_csv(api, text, **{"Idempotency-Key": "k"}).status_code == 202
    assert post_csv(api, text, "?board=test-ic&agent=b", **{"Idempotency-Key": "k"}).status_code == 409


def test_a_repeated_request_is_answered_even_after_the_board_was_frozen(api: APIClient) -> None:
    post(api, document(), **{"Idempotency-Key": "k"})
    Board.objects.update(state=Board.State.FROZEN)
    assert post(api, document(), **{"Idempotency-Key": "k"}).status_code == 200
    assert errors(post(api, document())) == [("board", None)]
    assert Submission.objects.count() == 1


def test_a_key_belongs_to_its_owner(world: World, api: APIClient) -> None:
    theirs = submit(world.other, key="k")
    response = post(api, document(), **{"Idempotency-Key": "k"})
    assert response.status_code == 202
    assert response.json()["id"] != str(theirs.pk)


def test_a_refused_request_leaves_its_key_free(api: APIClient) -> None:
    refused = post(api, document(board="nothing"), **{"Idempotency-Key": "k"})
    assert (refused.status_code, errors(refused)) == (422, [("board", None)])
    assert post(api, document(), **{"Idempotency-Key": "k"}).status_code == 202


def test_an_unusable_key_is_refused(api: APIClient) -> None:
    for key in ("", "x" * 201):
        response = post(api, document(), **{"Idempotency-Key": key})
        assert (response.status_code, errors(response)) == (422, [("Idempotency-Key", None)])
    assert nothing_stored()


def test_a_dry_run_checks_everything_and_stores_nothing(api: APIClient) -> None:
    good = api.generic("POST", f"{ADDRESS}validate/", json.dumps(document()), content_type="application/json")
    assert good.status_code == 200
    wait = good.json()["wait"]
    assert good.json() == {"board": "test-ic", "items": 3, "wait": wait}
    assert (wait["new_replays"], wait["position"], wait["seconds_to_end"]) == (3, 1, None)
    assert wait["text"].startswith("3 new replays, with about 0 waiting before the first. No runner of class")
    bad = api.generic(
        "POST", f"{ADDRESS}validate/", json.dumps(document(board="x")), content_type="application/json"
    )
    assert errors(bad) == [("board", None)]
    assert nothing_stored()


def test_ones_own_submission_is_withdrawn_once(world: World, api: APIClient) -> None:
    mine, theirs = submit(world.user), submit(world.other)
    response = api.post(f"{ADDRESS}{mine.pk}/withdraw/")
    assert (response.status_code, response.json()["state"]) == (200, "withdrawn")
    assert api.post(f"{ADDRESS}{mine.pk}/withdraw/").status_code == 409
    assert api.post(f"{ADDRESS}{theirs.pk}/withdraw/").status_code == 403
