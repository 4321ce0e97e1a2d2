"""``POST submissions/``: every bad input has a clear answer, and nothing of it is stored."""

from __future__ import annotations

import copy
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from leaderboard.accounts.services import create_token
from leaderboard.models import Board, Submission, SubmissionItem
from optarena.limits import (
    MAX_ACTIONS_PER_ITEM,
    MAX_PROBLEMS,
    MAX_SUBMISSION_BYTES,
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
    assert (
        post(
            api, document(items=[{"benchmark": URIS[0].removeprefix("benchmark://"), "commandline": spaced}])
        ).status_code
        == 202
    )
    item = SubmissionItem.objects.get()
    assert (item.benchmark_uri, item.actions, item.commandline) == (URIS[0], [3, 4], spec.commandline((3, 4)))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (document(board="nothing"), [("board", None)]),
        (changed(benchmark="benchmark://boards-v0/nothing"), [("benchmark", 1)]),
        (changed(benchmark="benchmark://other-v7/alpha"), [("benchmark", 1)]),
        (changed(benchmark="file:///etc/passwd"), [("benchmark", 1)]),
        (changed(benchmark="not a uri"), [("benchmark", 1)]),
        (changed(benchmark="benchmark://boards-v0/a\0b"), [("benchmark", 1)]),
        (changed(benchmark=URIS[0]), [("benchmark", 1)]),
        (changed(actions=[1, 9999]), [("actions", 1)]),
        (changed(actions=[-1]), [("actions", 1)]),
        (changed(actions=[10**30]), [("actions", 1)]),
        (changed(actions=[1] * (MAX_ACTIONS_PER_ITEM + 1)), [("actions", 1)]),
        (changed(actions=None, commandline="rm -rf /"), [("commandline", 1)]),
        (
            changed(actions=None, commandline="opt -passes=no-such-pass input.bc -o output.bc"),
            [("commandline", 1)],
        ),
        (changed(claims={"ir_instructions": 1e300}), [("claims.ir_instructions", 1)]),
        (changed(claims={"speed": 1}), [("claims.speed", 1)]),
        (changed(reward="good"), [("reward", 1)]),
    ],
    ids=[
        "unknown-board",
        "unknown-benchmark",
        "unknown-dataset",
        "file-benchmark",
        "malformed-uri",
        "nul-in-uri",
        "duplicate",
        "unknown-action",
        "negative-action",
        "huge-action",
        "too-many-actions",
        "malformed-commandline",
        "unknown-pass",
        "huge-claim",
        "unknown-metric",
        "reward-text",
    ],
)
def test_a_bad_value_is_named_and_nothing_is_stored(
    api: APIClient, body: dict[str, Any], expected: list[tuple[str, int | None]]
) -> None:
    response = post(api, body, **{"Idempotency-Key": "k"})
    assert response.status_code == 422
    assert errors(response) == expected
    assert nothing_stored()


@pytest.mark.parametrize("claim", ["NaN", "Infinity", "-Infinity"])
def test_json_without_such_numbers_is_demanded(api: APIClient, claim: str) -> None:
    body = json.dumps(changed(claims={"ir_instructions": 1})).replace(
        '"ir_instructions": 1', f'"ir_instructions": {claim}'
    )
    response = post(api, body.encode())
    assert response.status_code == 400
    assert claim in response.json()["detail"]
    assert nothing_stored()


@pytest.mark.parametrize("claim", ["nan", "inf", "-inf", "1e400", "-1", "1e20", "many"])
def test_a_claim_in_a_csv_must_be_a_finite_number(api: APIClient, claim: str) -> None:
    text = csv_of(
        "benchmark,commandline,ir_instructions", f"{URIS[0]},{line(URIS[0], 1)[len(URIS[0]) + 3 :]},{claim}"
    )
    response = post_csv(api, text)
    assert response.status_code == 422
    assert errors(response) == [("ir_instructions", 2)]
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


def test_every_problem_of_every_row_is_answered_at_once(api: APIClient) -> None:
    text = csv_of(
        line(URIS[0], 1),
        "x,y",
        f"{URIS[1]},nan,,opt input.bc -o output.bc",
        line(URIS[0], 1),
        line(URIS[2], 1).replace("opt ", "gcc "),
    )
    response = post_csv(api, text, "?board=test-ic")
    assert response.status_code == 422
    assert errors(response) == [
        ("agent", None),
        ("row", 2),
        ("reward", 3),
        ("benchmark", 4),
        ("commandline", 5),
    ]
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


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000], ids=["empty", "cut", "list", "bytes", "deep"]
)
def test_a_body_that_is_no_document_is_a_bad_request(api: APIClient, body: bytes) -> None:
    response = post(api, body)
    assert response.status_code == 400
    assert response.json()["type"].endswith("malformed-document")
    assert nothing_stored()


@pytest.mark.parametrize("size", [MAX_SUBMISSION_BYTES + 1, 10_000_000])
def test_a_body_over_the_limit_is_too_large(api: APIClient, size: int) -> None:
    for response in (post(api, b" " * size), post_csv(api, b" " * size)):
        assert response.status_code == 413
        assert "5,000,000" in response.json()["detail"]
    assert nothing_stored()


def test_a_hundred_thousand_actions_are_refused_with_the_limit(api: APIClient) -> None:
    response = post_csv(api, csv_of(line(URIS[0], *[1] * 100_000)))
    assert response.status_code == 422
    [error] = response.json()["errors"]
    assert "10,000" in error["message"]
    assert nothing_stored()


def test_another_media_type_is_not_read(api: APIClient) -> None:
    response = api.generic("POST", ADDRESS, "<x/>", content_type="application/xml")
    assert response.status_code == 415


def test_a_known_benchmark_of_another_dataset_is_told_apart(api: APIClient) -> None:
    make_dataset("elsewhere-v0", ["alpha"])
    response = post(api, changed(benchmark="benchmark://elsewhere-v0/alpha"))
    assert "boards-v0 only" in response.json()["errors"][0]["message"]


def test_a_misspelt_benchmark_is_answered_with_the_nearest(api: APIClient) -> None:
    response = post(api, changed(benchmark="benchmark://boards-v0/beto"))
    assert "Did you mean 'benchmark://boards-v0/beta" in response.json()["errors"][0]["remedy"]


def test_a_frozen_board_takes_nothing(api: APIClient) -> None:
    Board.objects.update(state=Board.State.FROZEN)
    assert errors(post(api, document())) == [("board", None)]
    assert nothing_stored()


def test_without_a_token_nothing_is_taken(world: World, anonymous: APIClient) -> None:
    response = post(anonymous, document())
    assert response.status_code == 401
    assert "Bearer" in response["WWW-Authenticate"]
    assert nothing_stored()


def test_an_expired_token_says_so(world: World, anonymous: APIClient) -> None:
    token, text = create_token(user=world.user, name="old")
    token.expiry = timezone.now() - timedelta(seconds=1)
    token.save()
    anonymous.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    response = post(anonymous, document())
    assert response.status_code == 401
    assert response.json()["type"].endswith("token-expired")
    assert nothing_stored()


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


def test_a_key_belongs_to_its_owner(world: World, api: APIClient) -> None:
    theirs = submit(world.other, key="k")
    response = post(api, document(), **{"Idempotency-Key": "k"})
    assert response.status_code == 202
    assert response.json()["id"] != str(theirs.pk)


def test_a_refused_request_leaves_its_key_free(api: APIClient) -> None:
    post(api, document(board="nothing"), **{"Idempotency-Key": "k"})
    assert post(api, document(), **{"Idempotency-Key": "k"}).status_code == 202


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_an_unusable_key_is_refused(api: APIClient, key: str) -> None:
    response = post(api, document(), **{"Idempotency-Key": key})
    assert response.status_code == 422
    assert errors(response) == [("Idempotency-Key", None)]
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


def test_somebody_elses_submission_can_be_read_but_not_withdrawn(world: World, api: APIClient) -> None:
    theirs = submit(world.other)
    assert api.get(f"{ADDRESS}{theirs.pk}/").status_code == 200
    response = api.post(f"{ADDRESS}{theirs.pk}/withdraw/")
    assert response.status_code == 403
    assert Submission.objects.get().withdrawn_at is None


def test_nobody_withdraws_without_a_token(world: World, anonymous: APIClient) -> None:
    mine = submit(world.user)
    assert anonymous.post(f"{ADDRESS}{mine.pk}/withdraw/").status_code == 401


def test_ones_own_submission_is_withdrawn_once(world: World, api: APIClient) -> None:
    mine = submit(world.user)
    response = api.post(f"{ADDRESS}{mine.pk}/withdraw/")
    assert (response.status_code, response.json()["state"]) == (200, "withdrawn")
    assert api.post(f"{ADDRESS}{mine.pk}/withdraw/").status_code == 409
